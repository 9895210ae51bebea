// Sends one event to one webhook, even if it is disabled or does not subscribe to the type: a ping, or the example of a type. An
// example is marked as a test, and so is each request that delivers it.

import type { Delivery } from '@toolgate/contract/webhooks/delivery.ts';
import type { WebhookTestEvent } from '@toolgate/contract/webhooks/webhook.ts';
import type { Caller } from '../../../access/caller.ts';
import { lacksPermission } from '../../../access/lacks-permission.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { mayRead } from '../events/readable.ts';
import { type NewEvent, newTestEvent, recordEvent } from '../events/record.ts';
import { type DeliveryRow, showDelivery } from './delivery.ts';
import { pageOfDeliveries } from './delivery-store.ts';
import { findWebhook } from './find.ts';
import { newEvent } from './webhook.ts';

export async function sendTestEvent(
  app: App,
  caller: Caller,
  webhook_id: string,
  { type }: WebhookTestEvent,
): Promise<Delivery> {
  return transact(app, async (app) => {
    const { project_id } = await findWebhook(app, caller, webhook_id);
    if (!mayRead(caller, type)) throw lacksPermission(caller, 'admin', { field: 'type', value: type });
    return sendToOne(app, webhook_id, newTestEvent(app, project_id, type, webhook_id));
  });
}

export async function pingWebhook(app: App, caller: Caller, webhook_id: string): Promise<Delivery> {
  return transact(app, async (app) => {
    const { project_id } = await findWebhook(app, caller, webhook_id);
    return sendToOne(app, webhook_id, newEvent(app, project_id, 'ping', { webhook_id }, webhook_id));
  });
}

async function sendToOne(app: App, webhook_id: string, event: NewEvent): Promise<Delivery> {
  const { project_id, id: event_id } = event;
  await recordEvent(app, event);
  const { rows } = await pageOfDeliveries(app.database, project_id, webhook_id, { event_id }, { limit: 1 });
  return showDelivery(rows[0] as DeliveryRow);
}
