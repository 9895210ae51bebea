// Deletes what sign-ins leave behind: requests and approvals that expired, grants that ended, old refresh tokens, old clients.

import { sql } from 'kysely';
import type { App } from '../../app.ts';
import { removeEndedGrants } from '../oauth-grants/retention.ts';

const BATCH_SIZE = 1000;

/** Returns true if there may be more to delete. */
export async function removeOldSignIns(app: App): Promise<boolean> {
  const now = new Date(app.now()).toISOString();
  const deleted = [
    await sql`delete from oauth_requests where id in (
      select id from oauth_requests where expires_at <= ${now}::timestamptz limit ${BATCH_SIZE})`.execute(app.database),
    await sql`delete from oauth_dynamic_clients where client_id in (
      select client_id from oauth_dynamic_clients where expires_at <= ${now}::timestamptz limit ${BATCH_SIZE}
    )`.execute(app.database),
  ];
  const more = await removeEndedGrants(app);
  return more || deleted.some(({ numAffectedRows }) => numAffectedRows === BigInt(BATCH_SIZE));
}
