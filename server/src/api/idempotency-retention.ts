// Kept answers whose 24 h are over.

import { sql } from 'kysely';
import type { App } from '../app.ts';

const REMOVED_AT_ONCE = 1000;

export async function removeExpiredIdempotencyKeys(app: App): Promise<boolean> {
  const now = new Date(app.now()).toISOString();
  const { numAffectedRows } = await sql`
    delete from idempotency_keys where (scope, key) in (
      select scope, key from idempotency_keys where expires_at <= ${now}::timestamptz limit ${REMOVED_AT_ONCE}
    )`.execute(app.database);
  await sql`delete from idempotency_bytes where hour < ${now}::timestamptz - interval '26 hours'`.execute(app.database);
  return numAffectedRows === BigInt(REMOVED_AT_ONCE);
}
