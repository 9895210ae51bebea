// Records an event for each key whose expires_at has passed. The key itself stops working without this job.

import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { recordChange, showKey } from './api-key.ts';
import { claimExpiredKeys } from './store.ts';

const BATCH_SIZE = 100;

/** Returns true if there may be more to record. */
export async function recordExpiredKeys(app: App): Promise<boolean> {
  return transact(app, async (app) => {
    const expired = await claimExpiredKeys(app.database, new Date(app.now()).toISOString(), BATCH_SIZE);
    for (const { organization_id, ...row } of expired) {
      const data = showKey(row, app.now());
      const change = { type: 'api_key.expired', target_id: row.id, data } as const;
      await recordChange(app, 'system', change, { id: row.project_id, organization_id });
    }
    return expired.length === BATCH_SIZE;
  });
}
