// Replaces a key by a successor with the same name, permissions, toolsets and integration. The old key expires after the overlap.

import type { ApiKeyRotation, NewApiKey } from '@toolgate/contract/api-keys/api-key.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { refuseBeyondCaller } from '../../../access/narrowed-caller.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { refuseEnded } from './api-key.ts';
import { issueKey, refuseEscalation } from './create.ts';
import { saveChange } from './save-change.ts';
import { lockKey } from './store.ts';
import { toolsetsOfIntegration } from './toolsets-of-integration.ts';

/**
 * Only once for each key: a second successor would inherit the expiry that the first overlap set. To replace a lost
 * successor, rotate the successor.
 */
export async function rotateKey(
  app: App,
  caller: Caller,
  id: string,
  { overlap_seconds }: ApiKeyRotation,
): Promise<NewApiKey> {
  return withLockedRow(app, caller, id, lockKey, async (app, row) => {
    refuseEnded(row, app.now());
    if (row.rotated_to !== null) throw refuse.keyRotated({ details: { field: 'rotated_to', value: row.rotated_to } });
    refuseEscalation(caller, row.permissions, row.can_approve);
    const { name, permissions, expires_at, toolset_ids, can_approve, integration_id } = row;
    const integration = await toolsetsOfIntegration(app, row.project_id, integration_id);
    refuseBeyondCaller(caller, { key: toolset_ids, integration });
    const same = { name, permissions, expires_at, toolset_ids, can_approve, integration_id };
    const successor = await issueKey(app, caller, projectOf(caller), same);
    const overlapEndsAt = app.now() + overlap_seconds * 1000;
    // The overlap never extends the life of the old key.
    const endsAt = expires_at === null ? overlapEndsAt : Math.min(overlapEndsAt, Date.parse(expires_at));
    await saveChange(app, caller, 'api_key.rotated', row, {
      rotated_to: successor.id,
      expires_at: new Date(endsAt).toISOString(),
    });
    return successor;
  });
}
