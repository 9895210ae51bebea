// Deletes what accounts leave behind: sessions that expired, set-up links that expired, failed sign-ins that no longer count.

import { sql } from 'kysely';
import type { App } from '../../../app.ts';
import { deleteBatch } from '../../../database/delete-batch.ts';
import { removeOldFailures } from './sign-in-waits.ts';

/** Returns true if there may be more to delete. */
export async function removeOldAccountSessions(app: App): Promise<boolean> {
  const now = new Date(app.now()).toISOString();
  await app.database.deleteFrom('setup_links').where('expires_at', '<=', now).execute();
  const more = await removeOldFailures(app);
  return (await deleteBatch(app.database, 'account_sessions', sql`expires_at <= ${now}::timestamptz`)) || more;
}
