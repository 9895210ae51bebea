// Deletes one key, or all keys of an integration. Their member sessions end with them.

import { type Caller, projectOf } from '../../../access/caller.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { type KeyRow, recordChange, showKey } from './api-key.ts';
import { deleteKeyRow, deleteKeyRowsOfIntegration, lockKey } from './store.ts';

export async function deleteKey(app: App, caller: Caller, id: string): Promise<void> {
  await withLockedRow(app, caller, id, lockKey, async (app, row) => {
    await deleteKeyRow(app.database, row.project_id, id);
    await recordDeleted(app, caller, row);
  });
}

/** Part of deleting the integration, in its transaction. */
export async function deleteKeysOfIntegration(app: App, caller: Caller, integration_id: string): Promise<void> {
  const rows = await deleteKeyRowsOfIntegration(app.database, projectOf(caller).id, integration_id);
  for (const row of rows) await recordDeleted(app, caller, row);
}

function recordDeleted(app: App, caller: Caller, row: KeyRow): Promise<void> {
  return recordChange(app, caller, { type: 'api_key.deleted', target_id: row.id, data: showKey(row, app.now()) });
}
