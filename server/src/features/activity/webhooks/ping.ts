// Sends a ping event to one webhook, also to one that is not enabled: that is how a webhook is tried.

import type { Delivery } from '@toolgate/contract/webhooks/delivery.ts';
import type { Caller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { newEvent } from './events.ts';
import { findWebhook } from './find.ts';
import { sendToOne } from './send-to-one.ts';

export async function pingWebhook(app: App, caller: Caller, webhook_id: string): Promise<Delivery> {
  return transact(app, async (app) => {
    const { project_id } = await findWebhook(app, caller, webhook_id);
    return sendToOne(app, webhook_id, newEvent(app, project_id, 'ping', { webhook_id }, webhook_id));
  });
}
