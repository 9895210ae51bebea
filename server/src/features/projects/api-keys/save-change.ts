// Writes a change to a locked key and records it with the key before and after.

import type { ApiKey } from '@toolgate/contract/api-keys/api-key.ts';
import type { Caller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { type KeyRow, recordChange, showKey } from './api-key.ts';
import { updateKeyRow } from './store.ts';

export async function saveChange(
  app: App,
  caller: Caller,
  type: 'api_key.updated' | 'api_key.revoked' | 'api_key.rotated',
  row: KeyRow,
  change: Parameters<typeof updateKeyRow>[3],
): Promise<ApiKey> {
  const before = showKey(row, app.now());
  const data = showKey(await updateKeyRow(app.database, row.project_id, row.id, change), app.now());
  await recordChange(app, caller, { type, target_id: row.id, data, before, after: data });
  return data;
}
