// Changes the name, the description or the toolsets of an integration.

import type { Integration, IntegrationChange } from '@toolgate/contract/integrations/integration.ts';
import type { Caller } from '../../../access/caller.ts';
import { refuseBeyondCaller } from '../../../access/narrowed-caller.ts';
import { isEmptyChange } from '../../../api/empty-change.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { refuseUnknownToolsets } from '../../policies/toolsets/known-toolsets.ts';
import { recordChange, showIntegration } from './integration.ts';
import { lockIntegration, updateIntegrationRow } from './store.ts';

export async function updateIntegration(
  app: App,
  caller: Caller,
  id: string,
  change: IntegrationChange,
): Promise<Integration> {
  return withLockedRow(app, caller, id, lockIntegration, async (app, row) => {
    const before = showIntegration(row);
    if (isEmptyChange(change)) return before;
    if (change.toolset_ids !== undefined) {
      refuseBeyondCaller(caller, { integration: change.toolset_ids });
      await refuseUnknownToolsets(app, row.project_id, change.toolset_ids);
    }
    const data = showIntegration(await updateIntegrationRow(app.database, row.project_id, id, change));
    await recordChange(app, caller, { type: 'integration.updated', target_id: id, data, before });
    return data;
  });
}
