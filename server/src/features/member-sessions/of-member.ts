// The sessions of one member: how many there are, and their end.

import type { App } from '../../app.ts';
import { transact } from '../../database/transact.ts';
import { countActive, markRevoked } from './store.ts';

export async function countSessions(app: App, project_id: string, member_id: string): Promise<number> {
  return countActive(app.database, project_id, member_id, new Date(app.now()).toISOString());
}

/** Every replica refuses them from now on; a new assertion makes a new one. */
export async function revokeSessions(app: App, project_id: string, member_id: string): Promise<void> {
  await transact(app, async (app) => {
    await markRevoked(app.database, project_id, member_id, new Date(app.now()).toISOString());
    app.changes.add(project_id);
  });
}
