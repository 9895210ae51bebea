// Renames a key, switches it off and on, changes which toolsets it sees or whether it approves calls.

import type { ApiKey, ApiKeyChange } from '@toolgate/contract/api-keys/api-key.ts';
import type { Caller } from '../../../access/caller.ts';
import { refuseBeyondCaller } from '../../../access/narrowed-caller.ts';
import { isEmptyChange } from '../../../api/empty-change.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { refuseUnknownToolsets } from '../../policies/toolsets/known-toolsets.ts';
import { refuseEnded, showKey } from './api-key.ts';
import { refuseApprovalByOthers } from './create.ts';
import { saveChange } from './save-change.ts';
import { lockKey, nextSessionEpoch } from './store.ts';
import { toolsetsOfIntegration } from './toolsets-of-integration.ts';

export async function updateKey(app: App, caller: Caller, id: string, change: ApiKeyChange): Promise<ApiKey> {
  return withLockedRow(app, caller, id, lockKey, async (app, row) => {
    // Revoked and expired are final: switching on would seem to work and change nothing.
    if (change.is_active !== undefined) refuseEnded(row, app.now());
    if (isEmptyChange(change)) return showKey(row, app.now());
    if (change.can_approve !== undefined && change.can_approve !== row.can_approve) refuseApprovalByOthers(caller);
    const { toolset_ids = row.toolset_ids } = change;
    // A key that is off sees nothing.
    if (change.toolset_ids !== undefined || (change.is_active && !row.is_active))
      refuseBeyondCaller(caller, {
        key: toolset_ids,
        integration: await toolsetsOfIntegration(app, row.project_id, row.integration_id),
      });
    await refuseUnknownToolsets(app, row.project_id, change.toolset_ids);
    return saveChange(app, caller, 'api_key.updated', row, {
      ...change,
      // Also when the key is off already: a session created at the same moment may have read it as active.
      ...(change.is_active === false ? { session_epoch: nextSessionEpoch } : {}),
    });
  });
}
