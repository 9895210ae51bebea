// Removes stored answers that are older than 24 hours.

import { sql } from 'kysely';
import type { App } from '../app.ts';
import { deleteBatch } from '../database/delete-batch.ts';

/** Returns whether there may be more. */
export async function removeExpiredIdempotencyKeys({ database, now }: App): Promise<boolean> {
  const time = sql`${new Date(now()).toISOString()}::timestamptz`;
  await sql`delete from idempotency_bytes where hour < ${time} - interval '26 hours'`.execute(database);
  return deleteBatch(database, 'idempotency_keys', sql`expires_at <= ${time}`);
}
