// Reads one webhook.

import type { Caller } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { findWebhook } from './find.ts';
import { showWebhook, type Webhook } from './webhook.ts';

export async function readWebhook(app: App, caller: Caller, webhook_id: string): Promise<Webhook> {
  return showWebhook(await findWebhook(app, caller, webhook_id), app.now());
}
