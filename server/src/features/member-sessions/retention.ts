// Deletes sessions and used assertion ids that expired a day ago. Until then an expired token is refused as expired, not as
// unknown (rules 3).

import { sql } from 'kysely';
import type { App } from '../../app.ts';
import { EXPIRED_RETENTION_MS } from './resume.ts';

const BATCH_SIZE = 1000;

/** Returns true if there may be more to delete. */
export async function removeOldSessions(app: App): Promise<boolean> {
  const before = new Date(app.now() - EXPIRED_RETENTION_MS).toISOString();
  const sessions = await sql`
    delete from member_sessions where id in (
      select id from member_sessions where expires_at <= ${before}::timestamptz limit ${BATCH_SIZE}
    )`.execute(app.database);
  const ids = await sql`
    delete from used_assertion_ids where (project_id, jti) in (
      select project_id, jti from used_assertion_ids where expires_at <= ${before}::timestamptz limit ${BATCH_SIZE}
    )`.execute(app.database);
  return [sessions, ids].some(({ numAffectedRows }) => numAffectedRows === BigInt(BATCH_SIZE));
}
