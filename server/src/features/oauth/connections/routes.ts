// Serves /projects/{id}/members/{id}/connections.

import { oauthConnectionRoutes } from '@toolgate/contract/oauth-connections/routes.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { authorizeConnection } from './authorize.ts';
import { listConnections } from './list.ts';
import { revokeConnection } from './revoke.ts';

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
