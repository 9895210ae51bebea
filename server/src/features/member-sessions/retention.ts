// Sessions that ended a day ago, and one-time ids that could not be used again anyway. A day, so that an expired token is
// answered "expired" and not "unknown" (rules 3).

import { sql } from 'kysely';
import type { App } from '../../app.ts';
import { KEPT_MS } from './resume.ts';

const REMOVED_AT_ONCE = 1000;

export async function removeOldSessions(app: App): Promise<boolean> {
  const before = new Date(app.now() - KEPT_MS).toISOString();
  const sessions = await sql`
    delete from member_sessions where id in (
      select id from member_sessions where expires_at <= ${before}::timestamptz limit ${REMOVED_AT_ONCE}
    )`.execute(app.database);
  const ids = await sql`
    delete from used_assertion_ids where (project_id, jti) in (
      select project_id, jti from used_assertion_ids where expires_at <= ${before}::timestamptz limit ${REMOVED_AT_ONCE}
    )`.execute(app.database);
  return [sessions, ids].some(({ numAffectedRows }) => numAffectedRows === BigInt(REMOVED_AT_ONCE));
}
