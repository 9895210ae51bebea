// SQL of member sessions, except for the statement that makes one (mint.ts).

import { timingSafeEqual } from 'node:crypto';
import type { Database } from '../../database/tables.ts';
import { projectColumns } from '../projects/project.ts';

/** Everything a session was made through is still in force. Whether it expired is for the caller to see. */
function sessionsInForce(database: Database) {
  return (
    database
      .selectFrom('member_sessions as s')
      .innerJoin('members as m', 'm.id', 's.member_id')
      .innerJoin('projects as p', 'p.id', 's.project_id')
      // An integration that is deleted takes its keys along. A key that expired or was rotated ends no session (decision 14).
      .innerJoin('api_keys as k', 'k.id', 's.api_key_id')
      .leftJoin('assertion_keys as a', 'a.id', 's.assertion_key_id')
      .where('s.revoked_at', 'is', null)
      .where('p.deleted_at', 'is', null)
      .where('k.is_active', '=', true)
      .where('k.revoked_at', 'is', null)
      // A key that was switched off and on again does not bring its sessions back.
      .whereRef('k.session_epoch', '=', 's.key_epoch')
      .where((is) =>
        is.or([
          is('s.assertion_key_id', 'is', null),
          is.and([is('a.id', 'is not', null), is('a.deactivated_at', 'is', null)]),
        ]),
      )
  );
}

/** A session with its member and its project, so that nothing behind it asks again. */
export async function selectSessionByHash(database: Database, hash: Buffer) {
  const row = await sessionsInForce(database)
    .select([
      's.hash',
      's.id as session_id',
      's.integration_id',
      's.member_id',
      's.expires_at',
      'm.external_id',
      ...projectColumns.map((column) => `p.${column}` as const),
    ])
    .where('s.hash', '=', hash)
    .executeTakeFirst();
  if (!row || !timingSafeEqual(row.hash, hash)) return null;
  const { hash: _, session_id: id, integration_id, member_id, expires_at, external_id, ...project } = row;
  return { session: { id, integration_id, member_id, expires_at, external_id }, project };
}

export async function countActive(
  database: Database,
  project_id: string,
  member_id: string,
  now: string,
): Promise<number> {
  const { count } = await sessionsInForce(database)
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('s.project_id', '=', project_id)
    .where('s.member_id', '=', member_id)
    .where('s.expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return count;
}

/** Those that expired stay as they are: their token is answered "expired". */
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

export async function isJtiStored(database: Database, project_id: string, jti: string, now: string): Promise<boolean> {
  const row = await database
    .selectFrom('used_assertion_ids')
    .select('jti')
    .where('project_id', '=', project_id)
    .where('jti', '=', jti)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}
