// Deletes the delivery log by age. Pending deliveries stay.

import type { App } from '../../../app.ts';
import { deleteDeliveriesBefore } from './delivery-store.ts';

const DAY_MS = 86_400_000;
const BATCH_SIZE = 1000;

/** Returns whether there may be more to delete. */
export async function applyDeliveryRetention(app: App): Promise<boolean> {
  const before = new Date(app.now() - app.config.retention.delivery_days * DAY_MS).toISOString();
  return (await deleteDeliveriesBefore(app.database, before, BATCH_SIZE)) === BATCH_SIZE;
}
