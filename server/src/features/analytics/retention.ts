// The log of calls goes by age, and with its project. It has no foreign key, so nothing takes it away by itself.

import type { App } from '../../app.ts';
import { removeCallsBefore, removeCallsOf } from './store.ts';

const DAY_MS = 86_400_000;
const REMOVED_AT_ONCE = 5000;

export async function removeOldCalls(app: App): Promise<boolean> {
  const before = new Date(app.now() - app.config.retention.call_log_days * DAY_MS).toISOString();
  return (await removeCallsBefore(app.database, before, REMOVED_AT_ONCE)) === REMOVED_AT_ONCE;
}

/** Some of a project's calls; answers whether there may be more. */
export async function removeCallsOfProject(app: App, project_id: string): Promise<boolean> {
  return (await removeCallsOf(app.database, project_id, REMOVED_AT_ONCE)) === REMOVED_AT_ONCE;
}
