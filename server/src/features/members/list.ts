// Lists the members of a project, or searches them by external id.

import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import type { Page, PageQuery } from '../../database/page.ts';
import { type Member, showMember } from './member.ts';
import { type MemberFilter, pageOfMembers } from './store.ts';

export async function listMembers(
  app: App,
  caller: Caller,
  { external_id, search, ...query }: MemberFilter & PageQuery,
): Promise<Page<Member>> {
  const page = await pageOfMembers(app.database, projectOf(caller).id, { external_id, search }, query);
  return { ...page, data: page.data.map(showMember) };
}
