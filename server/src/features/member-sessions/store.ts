// SQL of member sessions, except for the statement that creates one (mint.ts).

import { timingSafeEqual } from 'node:crypto';
import { projectColumns } from '../../access/project.ts';
import type { Database } from '../../database/tables.ts';

/** Sessions whose key, assertion key and project are all still valid. Does not check the expiry of the session. */
function validSessions(database: Database) {
  return (
    database
      .selectFrom('member_sessions as s')
      .innerJoin('members as m', 'm.id', 's.member_id')
      .innerJoin('projects as p', 'p.id', 's.project_id')
      // Deleting an integration deletes its keys. A key that expired or was rotated ends no session (decision 14).
      .innerJoin('api_keys as k', 'k.id', 's.api_key_id')
      .leftJoin('assertion_keys as a', 'a.id', 's.assertion_key_id')
      .where('s.revoked_at', 'is', null)
      .where('p.deleted_at', 'is', null)
      .where('k.is_active', '=', true)
      .where('k.revoked_at', 'is', null)
      // Switching a key off and on again does not restore its sessions.
      .whereRef('k.session_epoch', '=', 's.key_epoch')
      .where((is) =>
        is.or([
          is('s.assertion_key_id', 'is', null),
          is.and([is('a.id', 'is not', null), is('a.deactivated_at', 'is', null)]),
        ]),
      )
  );
}

/** Loads the member and the project in the same query, so no later step loads them again. */
export async function selectSessionByHash(database: Database, hash: Buffer) {
  const row = await validSessions(database)
    .select([
      's.hash',
      's.id as session_id',
      's.api_key_id',
      's.integration_id',
      's.member_id',
      's.expires_at',
      'm.external_id',
      ...projectColumns.map((column) => `p.${column}` as const),
    ])
    .where('s.hash', '=', hash)
    .executeTakeFirst();
  if (!row || !timingSafeEqual(row.hash, hash)) return null;
  const { hash: _, session_id: id, api_key_id, integration_id, member_id, expires_at, external_id, ...project } = row;
  return { session: { id, api_key_id, integration_id, member_id, expires_at, external_id }, project };
}

export async function countActive(
  database: Database,
  project_id: string,
  member_id: string,
  now: string,
): Promise<number> {
  const { count } = await validSessions(database)
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('s.project_id', '=', project_id)
    .where('s.member_id', '=', member_id)
    .where('s.expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return count;
}

/** Leaves expired sessions as they are: their tokens are still refused as expired. Returns the number revoked. */
export async function markRevoked(
  database: Database,
  project_id: string,
  member_id: string,
  now: string,
): Promise<number> {
  const { numUpdatedRows } = await database
    .updateTable('member_sessions')
    .set({ revoked_at: now })
    .where('project_id', '=', project_id)
    .where('member_id', '=', member_id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
