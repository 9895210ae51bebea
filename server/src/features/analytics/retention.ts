// Deletes rows of the call log by age.

import type { App } from '../../app.ts';
import { deleteCallsBefore } from './store.ts';

const DAY_MS = 86_400_000;
const BATCH_SIZE = 5000;

/** Returns whether there may be more to delete. */
export async function applyCallRetention(app: App): Promise<boolean> {
  const before = new Date(app.now() - app.config.retention.call_log_days * DAY_MS).toISOString();
  return (await deleteCallsBefore(app.database, before, BATCH_SIZE)) === BATCH_SIZE;
}
