// Serves /projects/{id}/oauth-providers.

import type { IdJagReport, IdJagToDebug } from '@toolgate/contract/oauth-providers/id-jag.ts';
import type { OAuthProvider } from '@toolgate/contract/oauth-providers/oauth-provider.ts';
import { oauthProviderRoutes } from '@toolgate/contract/oauth-providers/routes.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { getRow } from '../../../api/get-row.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { checkProvider } from './check.ts';
import { createProvider } from './create.ts';
import { recordChange, showProvider } from './provider.ts';
import { deleteProviderRow, lockProvider, pageOfProviders, selectProvider } from './store.ts';
import { updateProvider } from './update.ts';

type DebugIdJag = (app: App, caller: Caller, provider_id: string, body: IdJagToDebug) => Promise<IdJagReport>;

/** `debugIdJag` knows the URLs of the authorization server. */
export function serveOAuthProviders(server: Server, app: App, debugIdJag: DebugIdJag): void {
  implement(
    server,
    app,
    oauthProviderRoutes,
    {
      createOAuthProvider: (app, { caller, body }) => createProvider(app, caller, body),
      listOAuthProviders: (app, { caller, query }) => listProviders(app, caller, query),
      getOAuthProvider: async (app, { caller, params }) =>
        showProvider(await getRow(app, caller, params.oauth_provider_id, selectProvider), app.config.public_url),
      updateOAuthProvider: (app, { caller, params, body }) =>
        updateProvider(app, caller, params.oauth_provider_id, body),
      deleteOAuthProvider: (app, { caller, params }) => deleteProvider(app, caller, params.oauth_provider_id),
      debugIdJag: (app, { caller, params, body }) => debugIdJag(app, caller, params.oauth_provider_id, body),
      testOAuthProvider: (app, { caller, params }) => checkProvider(app, caller, params.oauth_provider_id),
    },
    // They wait for the provider, and take permits only where it reads the database.
    { testOAuthProvider: { database_permit: false }, debugIdJag: { database_permit: false } },
  );
}

async function listProviders(app: App, caller: Caller, query: PageQuery): Promise<Page<OAuthProvider>> {
  const page = await pageOfProviders(app.database, projectOf(caller).id, query);
  return makePage(
    page,
    page.rows.map((row) => showProvider(row, app.config.public_url)),
  );
}

async function deleteProvider(app: App, caller: Caller, id: string): Promise<void> {
  await withLockedRow(app, caller, id, lockProvider, async (app, row) => {
    await deleteProviderRow(app.database, row.project_id, id);
    const data = showProvider(row, app.config.public_url);
    await recordChange(app, caller, { type: 'oauth_provider.deleted', target_id: id, data });
  });
}
