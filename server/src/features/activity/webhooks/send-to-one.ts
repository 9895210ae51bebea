// Records an event that goes to one webhook only, and returns its delivery.

import type { Delivery } from '@toolgate/contract/webhooks/delivery.ts';
import type { App } from '../../../app.ts';
import { type NewEvent, recordEvent } from '../events/record.ts';
import { type DeliveryRow, showDelivery } from './delivery.ts';
import { pageOfDeliveries } from './delivery-store.ts';

export async function sendToOne(app: App, webhook_id: string, event: NewEvent): Promise<Delivery> {
  const { project_id, id: event_id } = event;
  await recordEvent(app, event);
  const { rows } = await pageOfDeliveries(app.database, project_id, webhook_id, { event_id }, { limit: 1 });
  return showDelivery(rows[0] as DeliveryRow);
}
