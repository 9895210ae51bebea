// Deletes approvals that expired, grants a day after they ended, and refresh tokens that are too old to be accepted.

import { sql } from 'kysely';
import type { App } from '../../app.ts';
import { REFRESH_LIFETIME_MS } from '../member-sessions/create-granted.ts';

const BATCH_SIZE = 1000;
/** The sessions of a grant are refused as expired for a day. */
const ENDED_RETENTION_MS = 25 * 3_600_000;

/** Returns true if there may be more to delete. */
export async function removeEndedGrants(app: App): Promise<boolean> {
  const now = app.now();
  const at = (ms: number) => new Date(ms).toISOString();
  const ended = at(now - ENDED_RETENTION_MS);
  const deleted = [
    await sql`delete from oauth_approvals where (project_id, browser_hash, client_id) in (
      select project_id, browser_hash, client_id from oauth_approvals
      where expires_at <= ${at(now)}::timestamptz limit ${BATCH_SIZE})`.execute(app.database),
    await sql`delete from oauth_grants where id in (
      select id from oauth_grants
      where coalesce(revoked_at, refresh_expires_at, code_expires_at) <= ${ended}::timestamptz limit ${BATCH_SIZE}
    )`.execute(app.database),
    await sql`delete from oauth_refresh_tokens where hash in (
      select hash from oauth_refresh_tokens
      where created_at <= ${at(now - REFRESH_LIFETIME_MS)}::timestamptz limit ${BATCH_SIZE})`.execute(app.database),
  ];
  return deleted.some(({ numAffectedRows }) => numAffectedRows === BigInt(BATCH_SIZE));
}
