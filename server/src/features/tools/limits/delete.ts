// Deletes a limit.

import type { Caller } from '../../../access/caller.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { recordChange } from './events.ts';
import { showLimit } from './limit.ts';
import { deleteLimitRow, lockLimit } from './store.ts';

export async function deleteLimit(app: App, caller: Caller, id: string): Promise<void> {
  return withLockedRow(app, caller, id, lockLimit, async (app, row) => {
    await deleteLimitRow(app.database, row.project_id, id);
    await recordChange(app, caller, { type: 'limit.deleted', target_id: id, data: showLimit(row) });
  });
}
