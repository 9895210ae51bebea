// Serves /projects/{id}/members/{id}/grants.

import type { OAuthGrant } from '@toolgate/contract/oauth-grants/oauth-grant.ts';
import { oauthGrantRoutes } from '@toolgate/contract/oauth-grants/routes.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { refuse } from '../../../errors/errors.ts';
import { findMember } from '../../members/member-sessions/find.ts';
import { showGrant } from './grant.ts';
import { revokeGrant } from './revoke.ts';
import { pageOfGrants } from './store.ts';

export function serveOAuthGrants(server: Server, app: App): void {
  implement(server, app, oauthGrantRoutes, {
    listMemberGrants: (app, { caller, params, query }) => listGrants(app, caller, params.member_id, query),
    revokeMemberGrant: (app, { caller, params }) => revokeGrant(app, caller, params),
  });
}

async function listGrants(app: App, caller: Caller, member_id: string, query: PageQuery): Promise<Page<OAuthGrant>> {
  const project_id = projectOf(caller).id;
  if (!(await findMember(app, project_id, member_id))) throw refuse.notFound();
  const now = new Date(app.now()).toISOString();
  const page = await pageOfGrants(app.database, { project_id, member_id, now }, query);
  return makePage(page, page.rows.map(showGrant));
}
