// Creates an integration.

import { z } from 'zod';
import { type Caller, creatorOf, projectOf } from '../../access/caller.ts';
import { name } from '../../api/fields.ts';
import { refuseBeyondLimit } from '../../api/resource-limit.ts';
import type { App } from '../../app.ts';
import { newId } from '../../database/ids.ts';
import { transact } from '../../database/transact.ts';
import { recordChange } from './events.ts';
import { description, type Integration, showIntegration } from './integration.ts';
import { insertIntegration } from './store.ts';

export const newIntegration = z
  .strictObject({ name, description: description.default(null) })
  .meta({ id: 'NewIntegration' });

export async function createIntegration(
  app: App,
  caller: Caller,
  input: z.infer<typeof newIntegration>,
): Promise<Integration> {
  const id = newId('int');
  const integration = { id, project_id: projectOf(caller).id, created_by: creatorOf(caller), ...input };
  return transact(app, async (app) => {
    await refuseBeyondLimit(app, 'integrations', integration.project_id);
    const data = showIntegration(await insertIntegration(app.database, integration));
    await recordChange(app, caller, { type: 'integration.created', target_id: id, data });
    return data;
  });
}
