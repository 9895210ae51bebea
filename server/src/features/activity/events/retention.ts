// Deletes events by age. Their deliveries are deleted with them.

import type { App } from '../../../app.ts';
import { deleteEventsBefore } from './store.ts';

const DAY_MS = 86_400_000;
const BATCH_SIZE = 1000;

/** Returns whether there may be more to delete. */
export async function applyEventRetention(app: App): Promise<boolean> {
  const before = new Date(app.now() - app.config.retention.event_days * DAY_MS).toISOString();
  return (await deleteEventsBefore(app.database, before, BATCH_SIZE)) === BATCH_SIZE;
}
