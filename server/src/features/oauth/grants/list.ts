// Lists the grants of a member that are in use.

import type { OAuthGrant } from '@toolgate/contract/oauth-grants/oauth-grant.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { refuse } from '../../../errors/errors.ts';
import { findMember } from '../../members/member-sessions/find-member.ts';
import { showGrant } from './grant.ts';
import { pageOfGrants } from './store.ts';

export async function listGrants(
  app: App,
  caller: Caller,
  member_id: string,
  query: PageQuery,
): Promise<Page<OAuthGrant>> {
  const project_id = projectOf(caller).id;
  if (!(await findMember(app, project_id, member_id))) throw refuse.notFound();
  const now = new Date(app.now()).toISOString();
  const page = await pageOfGrants(app.database, { project_id, member_id, now }, query);
  return makePage(page, page.rows.map(showGrant));
}
