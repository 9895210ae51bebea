// Events go by age, and their deliveries with them.

import type { App } from '../../app.ts';
import { removeEventsBefore } from './store.ts';

const DAY_MS = 86_400_000;
const REMOVED_AT_ONCE = 1000;

export async function removeOldEvents(app: App): Promise<boolean> {
  const before = new Date(app.now() - app.config.retention.event_days * DAY_MS).toISOString();
  return (await removeEventsBefore(app.database, before, REMOVED_AT_ONCE)) === REMOVED_AT_ONCE;
}
