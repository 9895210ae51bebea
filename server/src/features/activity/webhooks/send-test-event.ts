// Sends the example of an event type to one webhook, also to one that is not enabled or does not subscribe to the type. The event
// is marked as a test, and so is each request that delivers it.

import type { Delivery } from '@toolgate/contract/webhooks/delivery.ts';
import type { WebhookTestEvent } from '@toolgate/contract/webhooks/webhook.ts';
import type { Caller } from '../../../access/caller.ts';
import { lacksPermission } from '../../../access/lacks-permission.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { mayRead } from '../events/readable.ts';
import { newTestEvent } from '../events/record.ts';
import { findWebhook } from './find.ts';
import { sendToOne } from './send-to-one.ts';

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
