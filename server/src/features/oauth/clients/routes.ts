// Serves /projects/{id}/oauth-clients.

import { oauthClientSecretRotation } from '@toolgate/contract/oauth-clients/oauth-client.ts';
import { oauthClientRoutes } from '@toolgate/contract/oauth-clients/routes.ts';
import { getRow } from '../../../api/get-row.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { showClient } from './client.ts';
import { createClient } from './create.ts';
import { deleteClient } from './delete.ts';
import { listClients } from './list.ts';
import { rotateSecret } from './rotate-secret.ts';
import { selectClient } from './store.ts';
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
