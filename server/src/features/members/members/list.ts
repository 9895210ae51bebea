// Lists the members of a project, or searches them by external id.

import type { Member, MemberQuery } from '@toolgate/contract/members/member.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page } from '../../../database/page.ts';
import { showMembers } from './show.ts';
import { pageOfMembers } from './store.ts';

export async function listMembers(
  app: App,
  caller: Caller,
  { external_id, search, ...query }: MemberQuery,
): Promise<Page<Member>> {
  const project = projectOf(caller);
  const page = await pageOfMembers(app.database, project.id, { external_id, search }, query);
  return makePage(page, await showMembers(app, project.id, page.rows));
}
