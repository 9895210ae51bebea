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
