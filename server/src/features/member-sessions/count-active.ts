// Counts the sessions of a member that are neither expired nor ended.

import type { App } from '../../app.ts';
import { countActive } from './store.ts';

export async function countActiveSessions(app: App, project_id: string, member_id: string): Promise<number> {
  return countActive(app.database, project_id, member_id, new Date(app.now()).toISOString());
}
