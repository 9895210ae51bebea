// Sends a ping event to one webhook, also to one that is not enabled: that is how a webhook is tried.

import type { Caller } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { transact } from '../../database/transact.ts';
import { recordEvent } from '../events/record.ts';
import { type Delivery, showDelivery } from './delivery.ts';
import { pageOfDeliveries } from './delivery-store.ts';
import { newEvent } from './events.ts';
import { findWebhook } from './find.ts';

export async function pingWebhook(app: App, caller: Caller, webhook_id: string): Promise<Delivery> {
  return transact(app, async (app) => {
    const { project_id } = await findWebhook(app, caller, webhook_id);
    const event = newEvent(app, project_id, 'ping', { webhook_id }, webhook_id);
    await recordEvent(app, event);
    const page = await pageOfDeliveries(app.database, project_id, webhook_id, { event_id: event.id }, { limit: 1 });
    return showDelivery(page.data[0] as Delivery);
  });
}
