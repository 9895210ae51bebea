// Deletes a hook.

import type { Caller } from '../../../access/caller.ts';
import { refuseNarrowed } from '../../../access/narrowed-caller.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { recordChange } from './events.ts';
import { showHook } from './hook.ts';
import { deleteHookRow, lockHook } from './store.ts';

export async function deleteHook(app: App, caller: Caller, id: string): Promise<void> {
  refuseNarrowed(caller);
  return withLockedRow(app, caller, id, lockHook, async (app, row) => {
    await deleteHookRow(app.database, row.project_id, id);
    await recordChange(app, caller, { type: 'hook.deleted', target_id: id, data: showHook(row, app.now()) });
  });
}
