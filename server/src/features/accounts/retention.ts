// Deletes what accounts leave behind: sessions that expired, set-up links that expired, failed sign-ins that no longer count.

import { sql } from 'kysely';
import type { App } from '../../app.ts';
import { removeOldFailures } from './sign-in-waits.ts';

const BATCH_SIZE = 1000;

/** Returns true if there may be more to delete. */
export async function removeOldAccountSessions(app: App): Promise<boolean> {
  const now = new Date(app.now()).toISOString();
  const { numAffectedRows } = await sql`delete from account_sessions where id in (
    select id from account_sessions where expires_at <= ${now}::timestamptz limit ${BATCH_SIZE})`.execute(app.database);
  await app.database.deleteFrom('setup_links').where('expires_at', '<=', now).execute();
  const more = await removeOldFailures(app);
  return more || numAffectedRows === BigInt(BATCH_SIZE);
}
