// The delivery log goes by age; what is still to be delivered stays.

import type { App } from '../../app.ts';
import { removeDeliveriesBefore } from './delivery-store.ts';

const DAY_MS = 86_400_000;
const REMOVED_AT_ONCE = 1000;

export async function removeOldDeliveries(app: App): Promise<boolean> {
  const before = new Date(app.now() - app.config.retention.delivery_days * DAY_MS).toISOString();
  return (await removeDeliveriesBefore(app.database, before, REMOVED_AT_ONCE)) === REMOVED_AT_ONCE;
}
