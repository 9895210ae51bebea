// Sends a delivery again, from the beginning of the retry schedule, whatever its status is.

import type { Delivery } from '@toolgate/contract/webhooks/delivery.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { lacksPermission } from '../../../access/lacks-permission.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { enqueue } from '../../../queue/enqueue.ts';
import { mayRead } from '../events/readable.ts';
import { DELIVERY } from '../events/record.ts';
import { showDelivery } from './delivery.ts';
import { restartDelivery, selectDelivery } from './delivery-store.ts';
import { findEnabledWebhook } from './find.ts';

export async function redeliver(app: App, caller: Caller, webhook_id: string, id: string): Promise<Delivery> {
  return transact(app, async (app) => {
    const webhook = await findEnabledWebhook(app, caller, webhook_id);
    const { event_type } = await findDelivery(app, webhook, id);
    if (!mayRead(caller, event_type))
      throw lacksPermission(caller, 'admin', { field: 'event_type', value: event_type });
    const now = new Date(app.now()).toISOString();
    const fairness_key = projectOf(caller).fairness_key;
    const job = { kind: DELIVERY, subject: id, fairness_key, concurrency_key: webhook_id, run_at: now };
    const isQueued = await enqueue(app, [job]);
    if (!isQueued) throw refuse.deliveryUnderWay();
    await restartDelivery(app.database, { project_id: webhook.project_id, webhook_id }, id, now);
    return findDelivery(app, webhook, id);
  });
}

async function findDelivery(app: App, webhook: { id: string; project_id: string }, id: string): Promise<Delivery> {
  const found = await selectDelivery(app.database, webhook.project_id, webhook.id, id);
  if (!found) throw refuse.notFound();
  const { request_body: _, ...delivery } = found;
  return showDelivery(delivery);
}
