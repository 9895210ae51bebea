// Deletes what sign-ins leave behind: requests and approvals that expired, grants that ended, old refresh tokens, old clients.

import { sql } from 'kysely';
import type { App } from '../../../app.ts';
import { deleteBatch } from '../../../database/delete-batch.ts';
import { removeEndedGrants } from '../grants/retention.ts';

/** Returns true if there may be more to delete. */
export async function removeOldSignIns(app: App): Promise<boolean> {
  const is_expired = sql`expires_at <= ${new Date(app.now()).toISOString()}::timestamptz`;
  const more = [
    await deleteBatch(app.database, 'oauth_requests', is_expired),
    await deleteBatch(app.database, 'oauth_dynamic_clients', is_expired),
    await removeEndedGrants(app),
  ];
  return more.includes(true);
}
