// Time ends a key by itself; this is who notices, so that the end is an event like any other.

import type { App } from '../../app.ts';
import { transact } from '../../database/transact.ts';
import { recordChange } from '../events/record.ts';
import { showKey } from './api-key.ts';
import { takeExpired } from './store.ts';

const NOTICED_AT_ONCE = 100;

export async function recordExpiredKeys(app: App): Promise<boolean> {
  return transact(app, async (app) => {
    const expired = await takeExpired(app.database, new Date(app.now()).toISOString(), NOTICED_AT_ONCE);
    for (const { organization_id, ...row } of expired) {
      const data = showKey(row, app.now());
      const change = { type: 'api_key.expired', target_id: row.id, data } as const;
      await recordChange(app, 'system', change, { id: row.project_id, organization_id });
    }
    return expired.length === NOTICED_AT_ONCE;
  });
}
