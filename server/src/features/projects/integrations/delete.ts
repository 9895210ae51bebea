// Deletes an integration with its keys. The member sessions that those keys created end with them.

import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { deleteKeysOfIntegration } from '../api-keys/delete.ts';
import { recordChange, showIntegration } from './integration.ts';
import { deleteIntegrationRow } from './store.ts';

export async function deleteIntegration(app: App, caller: Caller, id: string): Promise<void> {
  const project = projectOf(caller);
  await transact(app, async (app) => {
    // Keys before the integration: a rotation locks the key and then its integration. The other order could deadlock.
    await deleteKeysOfIntegration(app, caller, id);
    const row = await deleteIntegrationRow(app.database, project.id, id);
    if (!row) throw refuse.notFound();
    await recordChange(app, caller, { type: 'integration.deleted', target_id: id, data: showIntegration(row) });
    app.changes.add(project.id);
  });
}
