// Creates an integration.

import type { Integration, NewIntegration } from '@toolgate/contract/integrations/integration.ts';
import { type Caller, creatorOf, projectOf } from '../../../access/caller.ts';
import { refuseBeyondCaller } from '../../../access/narrowed-caller.ts';
import { refuseBeyondLimit } from '../../../api/resource-limit.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { transact } from '../../../database/transact.ts';
import { refuseUnknownToolsets } from '../../policies/toolsets/known-toolsets.ts';
import { recordChange, showIntegration } from './integration.ts';
import { insertIntegration } from './store.ts';

export async function createIntegration(app: App, caller: Caller, input: NewIntegration): Promise<Integration> {
  const id = newId('int');
  const integration = { id, project_id: projectOf(caller).id, created_by: creatorOf(caller), ...input };
  refuseBeyondCaller(caller, { integration: input.toolset_ids });
  return transact(app, async (app) => {
    await refuseUnknownToolsets(app, integration.project_id, input.toolset_ids);
    await refuseBeyondLimit(app, 'integrations', integration.project_id);
    const data = showIntegration(await insertIntegration(app.database, integration));
    await recordChange(app, caller, { type: 'integration.created', target_id: id, data });
    return data;
  });
}
