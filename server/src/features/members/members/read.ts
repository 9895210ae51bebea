// Reads members: one, a page of them, and names (their external IDs), for analytics.

import type { Member, MemberQuery } from '@toolgate/contract/members/member.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page } from '../../../database/page.ts';
import { refuse } from '../../../errors/errors.ts';
import { countActiveSessions } from '../member-sessions/find.ts';
import type { MemberRow } from './member.ts';
import { pageOfMembers, selectExternalIds, selectMember } from './store.ts';

/** With the number of their active sessions, by one query for all of them. */
async function showMembers(app: App, project_id: string, rows: MemberRow[]): Promise<Member[]> {
  const ids = rows.map(({ id }) => id);
  const counts = await countActiveSessions(app, project_id, ids);
  return rows.map((row) => ({ object: 'member', ...row, active_sessions: counts.get(row.id) ?? 0 }));
}

export async function listMembers(
  app: App,
  caller: Caller,
  { external_id, search, ...query }: MemberQuery,
): Promise<Page<Member>> {
  const project = projectOf(caller);
  const page = await pageOfMembers(app.database, project.id, { external_id, search }, query);
  return makePage(page, await showMembers(app, project.id, page.rows));
}

export async function getMember(app: App, caller: Caller, id: string): Promise<Member> {
  const project = projectOf(caller);
  const row = await selectMember(app.database, project.id, id);
  const [member] = await showMembers(app, project.id, row ? [row] : []);
  if (!member) throw refuse.notFound();
  return member;
}

/** Ids that the project does not have (any more) are left out. */
export async function namesOfMembers(
  app: App,
  project_id: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  return new Map((await selectExternalIds(app.database, project_id, ids)).map(({ id, name }) => [id, name]));
}
