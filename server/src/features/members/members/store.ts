// SQL of members. A member is created with its first session (member-sessions/mint.ts).

import type { MemberQuery } from '@toolgate/contract/members/member.ts';
import { type PageQuery, readPage } from '../../../database/page.ts';
import type { Database } from '../../../database/tables.ts';
import { memberColumns as columns, type MemberRow } from './member.ts';

export async function pageOfMembers(
  database: Database,
  project_id: string,
  filter: Pick<MemberQuery, 'external_id' | 'search'>,
  query: PageQuery,
) {
  let members = database.selectFrom('members').select(columns).where('project_id', '=', project_id);
  if (filter.external_id !== undefined) members = members.where('external_id', '=', filter.external_id);
  if (filter.search !== undefined) {
    // Escapes the wildcards of LIKE.
    members = members.where('external_id', 'like', `${filter.search.replace(/[\\%_]/g, '\\$&')}%`);
  }
  return readPage(members, 'members', query);
}

export async function selectExternalIds(database: Database, project_id: string, ids: readonly string[]) {
  return database
    .selectFrom('members')
    .select(['id', 'external_id as name'])
    .where('project_id', '=', project_id)
    .where('id', 'in', ids)
    .execute();
}

export async function selectMember(database: Database, project_id: string, id: string): Promise<MemberRow | undefined> {
  return database
    .selectFrom('members')
    .select(columns)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Waits for transactions that write rows about the member. */
export async function lockMember(database: Database, project_id: string, id: string): Promise<boolean> {
  const row = await database
    .selectFrom('members')
    .select('id')
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** With grants and connections that were made since they were deleted. */
export async function deleteMemberRow(database: Database, project_id: string, id: string): Promise<void> {
  await database.deleteFrom('members').where('project_id', '=', project_id).where('id', '=', id).execute();
}

type DeletedMember = { project_id: string; member_id: string };

export async function insertDeletion(database: Database, member: DeletedMember): Promise<void> {
  await database.insertInto('member_deletions').values(member).execute();
}

export async function hasDeletion(database: Database, project_id: string, member_id: string): Promise<boolean> {
  const row = await database
    .selectFrom('member_deletions')
    .select('member_id')
    .where('project_id', '=', project_id)
    .where('member_id', '=', member_id)
    .executeTakeFirst();
  return row !== undefined;
}

/** Of all projects, the oldest first. */
export async function selectDeletions(database: Database, before: string, limit: number): Promise<DeletedMember[]> {
  return database
    .selectFrom('member_deletions')
    .select(['project_id', 'member_id'])
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
    .execute();
}

export async function deleteDeletion(database: Database, { project_id, member_id }: DeletedMember): Promise<void> {
  await database
    .deleteFrom('member_deletions')
    .where('project_id', '=', project_id)
    .where('member_id', '=', member_id)
    .execute();
}
