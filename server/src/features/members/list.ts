// Lists the members of a project, or searches them by external id.

import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import type { Page, PageQuery } from '../../database/page.ts';
import type { Member } from './member.ts';
import { showMembers } from './show.ts';
import { type MemberFilter, pageOfMembers } from './store.ts';

export async function listMembers(
  app: App,
  caller: Caller,
  { external_id, search, ...query }: MemberFilter & PageQuery,
): Promise<Page<Member>> {
  const project = projectOf(caller);
  const page = await pageOfMembers(app.database, project.id, { external_id, search }, query);
  return { ...page, data: await showMembers(app, project.id, page.data) };
}
