// Sends the example of an event type to one webhook, also to one that is not enabled or does not subscribe to the type. The event
// is marked as a test, and so is each request that delivers it.

import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { lacksPermission } from '../../access/lacks-permission.ts';
import type { EventKinds } from '../../api/event-kind.ts';
import type { App } from '../../app.ts';
import { transact } from '../../database/transact.ts';
import { mayRead } from '../events/readable.ts';
import { newTestEvent } from '../events/record.ts';
import type { Delivery } from './delivery.ts';
import { eventType } from './event-filters.ts';
import { findWebhook } from './find.ts';
import { sendToOne } from './send-to-one.ts';

export const testEvent = (kinds: EventKinds) =>
  z.strictObject({ type: eventType(kinds) }).meta({ id: 'WebhookTestEvent' });

export async function sendTestEvent(
  app: App,
  caller: Caller,
  webhook_id: string,
  { type }: z.infer<ReturnType<typeof testEvent>>,
): Promise<Delivery> {
  return transact(app, async (app) => {
    const { project_id } = await findWebhook(app, caller, webhook_id);
    if (!mayRead(app, caller, type)) throw lacksPermission(caller, 'admin', { field: 'type', value: type });
    return sendToOne(app, webhook_id, newTestEvent(app, project_id, type, webhook_id));
  });
}
