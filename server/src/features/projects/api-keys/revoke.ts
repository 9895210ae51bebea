// Revokes a key. Revoking it again changes nothing.

import type { ApiKey } from '@toolgate/contract/api-keys/api-key.ts';
import type { Caller } from '../../../access/caller.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { showKey } from './api-key.ts';
import { refuseEscalation } from './create.ts';
import { saveChange } from './save-change.ts';
import { lockKey } from './store.ts';

export async function revokeKey(app: App, caller: Caller, id: string): Promise<ApiKey> {
  return withLockedRow(app, caller, id, lockKey, async (app, row) => {
    refuseEscalation(caller, row.permissions);
    if (row.revoked_at !== null) return showKey(row, app.now());
    return saveChange(app, caller, 'api_key.revoked', row, { revoked_at: new Date(app.now()).toISOString() });
  });
}
