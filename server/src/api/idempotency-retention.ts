// Removes stored answers that are older than 24 hours.

import { sql } from 'kysely';
import type { App } from '../app.ts';

const BATCH_SIZE = 1000;

/** Returns whether there may be more. */
export async function removeExpiredIdempotencyKeys(app: App): Promise<boolean> {
  const now = new Date(app.now()).toISOString();
  const { numAffectedRows } = await sql`
    delete from idempotency_keys where (scope, key) in (
      select scope, key from idempotency_keys where expires_at <= ${now}::timestamptz limit ${BATCH_SIZE}
    )`.execute(app.database);
  await sql`delete from idempotency_bytes where hour < ${now}::timestamptz - interval '26 hours'`.execute(app.database);
  return numAffectedRows === BigInt(BATCH_SIZE);
}
