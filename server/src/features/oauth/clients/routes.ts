// Serves /projects/{id}/oauth-clients.

import { type OAuthClient, oauthClientSecretRotation } from '@toolgate/contract/oauth-clients/oauth-client.ts';
import { oauthClientRoutes } from '@toolgate/contract/oauth-clients/routes.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { getRow } from '../../../api/get-row.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { recordChange, showClient } from './client.ts';
import { createClient } from './create.ts';
import { rotateSecret } from './rotate-secret.ts';
import { deleteClientRow, lockClient, pageOfClients, selectClient } from './store.ts';
import { updateClient } from './update.ts';

export function serveOAuthClients(server: Server, app: App): void {
  implement(server, app, oauthClientRoutes, {
    createOAuthClient: (app, { caller, body }) => createClient(app, caller, body),
    listOAuthClients: (app, { caller, query }) => listClients(app, caller, query),
    getOAuthClient: async (app, { caller, params }) =>
      showClient(await getRow(app, caller, params.oauth_client_id, selectClient), app.now()),
    updateOAuthClient: (app, { caller, params, body }) => updateClient(app, caller, params.oauth_client_id, body),
    rotateOAuthClientSecret: (app, { caller, params, body }) =>
      rotateSecret(app, caller, params.oauth_client_id, body ?? oauthClientSecretRotation.parse({})),
    deleteOAuthClient: (app, { caller, params }) => deleteClient(app, caller, params.oauth_client_id),
  });
}

async function listClients(app: App, caller: Caller, query: PageQuery): Promise<Page<OAuthClient>> {
  const page = await pageOfClients(app.database, projectOf(caller).id, query);
  return makePage(
    page,
    page.rows.map((row) => showClient(row, app.now())),
  );
}

async function deleteClient(app: App, caller: Caller, id: string): Promise<void> {
  await withLockedRow(app, caller, id, lockClient, async (app, row) => {
    await deleteClientRow(app.database, row.project_id, id);
    const data = showClient(row, app.now());
    await recordChange(app, caller, { type: 'oauth_client.deleted', target_id: id, data });
  });
}
