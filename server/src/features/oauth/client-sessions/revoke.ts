// Ends a session of a client.

import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import type { ClientSession } from './find.ts';
import { revokeClientSession } from './store.ts';

export async function endClientSession(app: App, { id, project_id }: ClientSession): Promise<void> {
  await transact(app, async (app) => {
    await revokeClientSession(app.database, project_id, id, new Date(app.now()).toISOString());
    app.changes.add(project_id);
  });
}
