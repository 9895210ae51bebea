// Ends a key for good. Revoking it again changes nothing.

import type { Caller } from '../../access/caller.ts';
import { withLockedRow } from '../../api/with-locked-row.ts';
import type { App } from '../../app.ts';
import { type ApiKey, showKey } from './api-key.ts';
import { saveChange } from './save-change.ts';
import { lockKey } from './store.ts';

export async function revokeKey(app: App, caller: Caller, id: string): Promise<ApiKey> {
  return withLockedRow(app, caller, id, lockKey, async (app, row) => {
    if (row.revoked_at !== null) return showKey(row, app.now());
    return saveChange(app, caller, 'api_key.revoked', row, { revoked_at: new Date(app.now()).toISOString() });
  });
}
