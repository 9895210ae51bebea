// Renames a key, or switches it off and on.

import type { ApiKey, ApiKeyChange } from '@toolgate/contract/api-keys/api-key.ts';
import type { Caller } from '../../../access/caller.ts';
import { isEmptyChange } from '../../../api/empty-change.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { refuseEnded, showKey } from './api-key.ts';
import { saveChange } from './save-change.ts';
import { lockKey, nextSessionEpoch } from './store.ts';

export async function updateKey(app: App, caller: Caller, id: string, change: ApiKeyChange): Promise<ApiKey> {
  return withLockedRow(app, caller, id, lockKey, async (app, row) => {
    // Revoked and expired are final: switching on would seem to work and change nothing.
    if (change.is_active !== undefined) refuseEnded(row, app.now());
    if (isEmptyChange(change)) return showKey(row, app.now());
    return saveChange(app, caller, 'api_key.updated', row, {
      ...change,
      // Also when the key is off already: a session created at the same moment may have read it as active.
      ...(change.is_active === false ? { session_epoch: nextSessionEpoch } : {}),
    });
  });
}
