// Deletes an assertion key. Sessions created with it end on every replica.

import type { Caller } from '../../../access/caller.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { showAssertionKey } from './assertion-key.ts';
import { recordChange } from './events.ts';
import { deleteAssertionKeyRow, lockAssertionKey } from './store.ts';

export async function deleteAssertionKey(app: App, caller: Caller, id: string): Promise<void> {
  await withLockedRow(app, caller, id, lockAssertionKey, async (app, row) => {
    await deleteAssertionKeyRow(app.database, row.project_id, id);
    await recordChange(app, caller, { type: 'assertion_key.deleted', target_id: id, data: showAssertionKey(row) });
  });
}
