// Deletes a client: nobody can be sent here by it any more.

import type { Caller } from '../../../access/caller.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { showClient } from './client.ts';
import { recordChange } from './events.ts';
import { deleteClientRow, lockClient } from './store.ts';

export async function deleteClient(app: App, caller: Caller, id: string): Promise<void> {
  await withLockedRow(app, caller, id, lockClient, async (app, row) => {
    await deleteClientRow(app.database, row.project_id, id);
    const data = showClient(row, app.now());
    await recordChange(app, caller, { type: 'oauth_client.deleted', target_id: id, data });
  });
}
