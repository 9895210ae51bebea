// Deletes a toolset, unless something is narrowed to it.

import { type Caller, hasPermission } from '../../../access/caller.ts';
import { lacksPermission } from '../../../access/lacks-permission.ts';
import { refuseNarrowed } from '../../../access/narrowed-caller.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { deleteToolsetRow, lockToolsetToDelete } from './store.ts';
import { recordChange, showToolset } from './toolset.ts';
import { removeUses, selectUses } from './uses.ts';

export async function deleteToolset(app: App, caller: Caller, id: string, detach = false): Promise<void> {
  refuseNarrowed(caller);
  return withLockedRow(app, caller, id, lockToolsetToDelete, async (app, row) => {
    const uses = await selectUses(app.database, row);
    if (uses && !detach) throw refuse.toolsetInUse({ details: uses });
    // A hook is a policy that only admins set: nobody else takes tools out of it.
    if (uses?.hook_ids && !hasPermission(caller, 'admin')) throw lacksPermission(caller, 'admin', { field: 'detach' });
    if (uses) await removeUses(app.database, row);
    await deleteToolsetRow(app.database, row.project_id, id);
    await recordChange(app, caller, { type: 'toolset.deleted', target_id: id, data: showToolset(row) });
  });
}
