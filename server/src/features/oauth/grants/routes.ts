// Serves /projects/{id}/members/{id}/grants.

import { oauthGrantRoutes } from '@toolgate/contract/oauth-grants/routes.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { listGrants } from './list.ts';
import { revokeGrant } from './revoke.ts';

export function serveOAuthGrants(server: Server, app: App): void {
  implement(server, app, oauthGrantRoutes, {
    listMemberGrants: (app, { caller, params, query }) => listGrants(app, caller, params.member_id, query),
    revokeMemberGrant: (app, { caller, params }) => revokeGrant(app, caller, params),
  });
}
