// Deletes sessions of clients that expired a day ago, and the ids of JWTs that have expired.

import { sql } from 'kysely';
import type { App } from '../../../app.ts';
import { deleteBatch } from '../../../database/delete-batch.ts';
import { EXPIRED_RETENTION_MS } from '../../members/member-sessions/resume.ts';

/** Returns true if there may be more to delete. */
export async function removeOldClientSessions({ database, now }: App): Promise<boolean> {
  const is_old = sql`expires_at <= ${new Date(now() - EXPIRED_RETENTION_MS).toISOString()}::timestamptz`;
  const more = await deleteBatch(database, 'client_sessions', is_old);
  return (await deleteBatch(database, 'used_jwt_ids', is_old)) || more;
}
