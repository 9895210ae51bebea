// Deletes sign-ins and tests of single sign-on that expired.

import { sql } from 'kysely';
import type { App } from '../../../app.ts';
import { deleteBatch } from '../../../database/delete-batch.ts';

/** Returns true if there may be more to delete. */
export async function removeOldSsoRequests({ database, now }: App): Promise<boolean> {
  return deleteBatch(database, 'sso_requests', sql`expires_at <= ${new Date(now()).toISOString()}::timestamptz`);
}
