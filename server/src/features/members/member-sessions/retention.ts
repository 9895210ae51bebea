// Deletes sessions and used assertion ids that expired a day ago. Until then an expired token is refused as expired, not as
// unknown (rules 3).

import { sql } from 'kysely';
import type { App } from '../../../app.ts';
import { deleteBatch } from '../../../database/delete-batch.ts';
import { EXPIRED_RETENTION_MS } from './resume.ts';

/** Returns true if there may be more to delete. */
export async function removeOldSessions({ database, now }: App): Promise<boolean> {
  const is_old = sql`expires_at <= ${new Date(now() - EXPIRED_RETENTION_MS).toISOString()}::timestamptz`;
  const more = await deleteBatch(database, 'member_sessions', is_old);
  return (await deleteBatch(database, 'used_assertion_ids', is_old)) || more;
}
