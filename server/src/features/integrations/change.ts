// Changes to an integration, and its end.

import { z } from 'zod';
import { type Caller, projectOf } from '../../access/caller.ts';
import { name } from '../../api/fields.ts';
import type { App } from '../../app.ts';
import { transact } from '../../database/transact.ts';
import { refuse } from '../../errors.ts';
import { deleteKeysOfIntegration } from '../api-keys/change.ts';
import { recordChange } from '../events/record.ts';
import { description, type Integration, showIntegration } from './integration.ts';
import { lockIntegration, removeIntegration, updateIntegration } from './store.ts';

export const integrationChange = z.strictObject({ name, description }).partial().meta({ id: 'IntegrationChange' });

export async function changeIntegration(
  app: App,
  caller: Caller,
  id: string,
  change: z.infer<typeof integrationChange>,
): Promise<Integration> {
  const project = projectOf(caller);
  return transact(app, async (app) => {
    const row = await lockIntegration(app.database, project.id, id);
    if (!row) throw refuse.notFound();
    const before = showIntegration(row);
    if (Object.values(change).every((value) => value === undefined)) return before;
    const data = showIntegration(await updateIntegration(app.database, project.id, id, change));
    await recordChange(app, caller, { type: 'integration.updated', target_id: id, data, before });
    return data;
  });
}

/** Ends its keys, and with them the sessions they made. */
export async function deleteIntegration(app: App, caller: Caller, id: string): Promise<void> {
  const project = projectOf(caller);
  await transact(app, async (app) => {
    // The keys first: who changes one of them holds it and then looks at its integration.
    await deleteKeysOfIntegration(app, caller, id);
    const row = await removeIntegration(app.database, project.id, id);
    if (!row) throw refuse.notFound();
    await recordChange(app, caller, { type: 'integration.deleted', target_id: id, data: showIntegration(row) });
    app.changes.add(project.id);
  });
}
