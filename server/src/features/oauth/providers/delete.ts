// Deletes a provider with the connections of members to it. Nobody can sign in there any more.

import type { Caller } from '../../../access/caller.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { recordChange } from './events.ts';
import { showProvider } from './provider.ts';
import { deleteProviderRow, lockProvider } from './store.ts';

export async function deleteProvider(app: App, caller: Caller, id: string): Promise<void> {
  await withLockedRow(app, caller, id, lockProvider, async (app, row) => {
    await deleteProviderRow(app.database, row.project_id, id);
    const data = showProvider(row, app.config.public_url);
    await recordChange(app, caller, { type: 'oauth_provider.deleted', target_id: id, data });
  });
}
