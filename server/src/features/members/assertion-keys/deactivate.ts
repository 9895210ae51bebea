// Deactivates an assertion key. Sessions created with it end on every replica, and its kid can be registered again.

import type { AssertionKey } from '@toolgate/contract/assertion-keys/assertion-key.ts';
import type { Caller } from '../../../access/caller.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { recordChange, showAssertionKey } from './assertion-key.ts';
import { lockAssertionKey, markDeactivated } from './store.ts';

export async function deactivateAssertionKey(app: App, caller: Caller, id: string): Promise<AssertionKey> {
  return withLockedRow(app, caller, id, lockAssertionKey, async (app, row) => {
    const before = showAssertionKey(row);
    if (before.status === 'deactivated') return before;
    const now = new Date(app.now()).toISOString();
    const data = showAssertionKey(await markDeactivated(app.database, row.project_id, id, now));
    await recordChange(app, caller, { type: 'assertion_key.deactivated', target_id: id, data, before });
    return data;
  });
}
