// Counts the sessions of members that are neither expired nor ended.

import type { App } from '../../../app.ts';
import { countActive } from './store.ts';

/** By the id of the member. A member without an active session is left out. */
export async function countActiveSessions(
  app: App,
  project_id: string,
  member_ids: readonly string[],
): Promise<Map<string, number>> {
  if (member_ids.length === 0) return new Map();
  const rows = await countActive(app.database, project_id, member_ids, new Date(app.now()).toISOString());
  return new Map(rows.map(({ member_id, count }) => [member_id, count]));
}
