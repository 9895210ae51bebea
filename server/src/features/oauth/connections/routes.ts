// Serves /projects/{id}/members/{id}/connections.

import type { OAuthConnection } from '@toolgate/contract/oauth-connections/oauth-connection.ts';
import { oauthConnectionRoutes } from '@toolgate/contract/oauth-connections/routes.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { getMember } from '../../members/members/read.ts';
import { authorizeConnection } from './authorize.ts';
import { showConnection } from './connection.ts';
import { revokeConnection } from './revoke.ts';
import { pageOfConnections } from './store.ts';

export function serveOAuthConnections(server: Server, app: App): void {
  implement(
    server,
    app,
    oauthConnectionRoutes,
    {
      listMemberConnections: (app, { caller, params, query }) => listConnections(app, caller, params.member_id, query),
      authorizeConnection: (app, { caller, body }) => authorizeConnection(app, caller, body),
      revokeMemberConnection: (app, { caller, params }) =>
        revokeConnection(app, caller, params.member_id, params.connection_id),
    },
    // It waits for the provider, and takes permits only where it uses the database.
    { revokeMemberConnection: { database_permit: false } },
  );
}

async function listConnections(
  app: App,
  caller: Caller,
  member_id: string,
  query: PageQuery,
): Promise<Page<OAuthConnection>> {
  const member = await getMember(app, caller, member_id);
  const page = await pageOfConnections(app.database, projectOf(caller).id, member.id, query);
  return makePage(page, page.rows.map(showConnection));
}
