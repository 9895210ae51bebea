// What was sent to a webhook, and sending it again.

import { z } from 'zod';
import { type Caller, projectOf } from '../../access/caller.ts';
import { givenTimestamp } from '../../api/fields.ts';
import type { App } from '../../app.ts';
import type { Page, PageQuery } from '../../database/page.ts';
import { transact } from '../../database/transact.ts';
import { refuse } from '../../errors.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { newEvent, recordChange, recordEvent } from '../events/record.ts';
import { isHidden } from '../events/visible.ts';
import { type Delivery, type DeliveryWithAttempts, showDelivery } from './delivery.ts';
import {
  type DeliveryFilter,
  deliverMissed,
  pageOfDeliveries,
  restartDelivery,
  restartFailed,
  selectAttempts,
  selectDelivery,
} from './delivery-store.ts';
import { refuseHiddenEvents } from './event-filter.ts';
import { DELIVERY } from './fan-out.ts';
import { selectWebhook } from './store.ts';

const RECOVERED_AT_ONCE = 10_000;
const DAY_MS = 86_400_000;

export const recovery = z
  .strictObject({ since: givenTimestamp.meta({ description: 'Events from then on' }) })
  .meta({ id: 'WebhookRecovery' });

export const recovered = z
  .strictObject({
    recovered: z.int().meta({ description: 'Deliveries that are on their way again' }),
    has_more: z.boolean().meta({ description: 'There is more: call again' }),
  })
  .meta({ id: 'WebhookRecovered' });

export async function listDeliveries(
  app: App,
  caller: Caller,
  webhook_id: string,
  { status, event_type, event_id, ...page }: DeliveryFilter & PageQuery,
): Promise<Page<Delivery>> {
  const webhook = await findWebhook(app, caller, webhook_id);
  const filter = { status, event_type, event_id };
  const found = await pageOfDeliveries(app.database, webhook.project_id, webhook.id, filter, page);
  return { ...found, data: found.data.map(showDelivery) };
}

export async function readDelivery(
  app: App,
  caller: Caller,
  webhook_id: string,
  id: string,
): Promise<DeliveryWithAttempts> {
  const project = projectOf(caller);
  const row = await selectDelivery(app.database, project.id, webhook_id, id);
  if (!row) throw refuse.notFound();
  const { request_body, ...delivery } = row;
  const attempts = await selectAttempts(app.database, project.id, id);
  const shown = { ...showDelivery(delivery), request_body, attempts } as DeliveryWithAttempts;
  if (!isHidden(caller, delivery.event_type)) return shown;
  // A receiver may repeat in its answer what it was sent.
  return { ...shown, request_body: null, attempts: shown.attempts.map((each) => ({ ...each, response_body: null })) };
}

/** From the beginning of the schedule, whatever became of it before. */
export async function redeliver(app: App, caller: Caller, webhook_id: string, id: string): Promise<Delivery> {
  return transact(app, async (app) => {
    const webhook = await findEnabled(app, caller, webhook_id);
    const { event_type } = await findDelivery(app, webhook, id);
    if (isHidden(caller, event_type))
      throw refuse.insufficientPermissions({ details: { field: 'event_type', value: event_type } });
    const now = new Date(app.now()).toISOString();
    const fairness_key = projectOf(caller).quota_group_id;
    const job = { kind: DELIVERY, subject: id, fairness_key, lane: webhook_id, run_at: now };
    const isQueued = await enqueue(app, [job]);
    if (!isQueued) throw refuse.deliveryUnderWay();
    await restartDelivery(app.database, { project_id: webhook.project_id, webhook_id }, id, now);
    return findDelivery(app, webhook, id);
  });
}

export async function recover(
  app: App,
  caller: Caller,
  webhook_id: string,
  { since }: z.infer<typeof recovery>,
): Promise<z.infer<typeof recovered>> {
  return transact(app, async (app) => {
    const { project_id } = await findEnabled(app, caller, webhook_id);
    const now = app.now();
    const recovery = { since, now: new Date(now).toISOString(), limit: RECOVERED_AT_ONCE };
    const not_before = new Date(now - app.config.retention.delivery_days * DAY_MS).toISOString();
    const failed = await restartFailed(app.database, { project_id, webhook_id }, recovery);
    const missed = await deliverMissed(app.database, { project_id, webhook_id }, { ...recovery, not_before });
    app.job_notifier.notify();
    const data = { since, recovered: failed + missed };
    await recordChange(app, caller, { type: 'webhook.recovered', target_id: webhook_id, data });
    return { recovered: failed + missed, has_more: Math.max(failed, missed) >= RECOVERED_AT_ONCE };
  });
}

/** Sends an event that nobody else gets; also to a webhook that is not enabled yet. */
export async function ping(app: App, caller: Caller, webhook_id: string): Promise<Delivery> {
  return transact(app, async (app) => {
    const webhook = await findWebhook(app, caller, webhook_id);
    const event = newEvent(app, webhook.project_id, 'ping', { webhook_id }, webhook_id);
    await recordEvent(app, event);
    const page = await pageOfDeliveries(
      app.database,
      webhook.project_id,
      webhook_id,
      { event_id: event.id },
      { limit: 1 },
    );
    return showDelivery(page.data[0] as Delivery);
  });
}

async function findWebhook(app: App, caller: Caller, webhook_id: string) {
  const webhook = await selectWebhook(app.database, projectOf(caller).id, webhook_id);
  if (!webhook) throw refuse.notFound();
  return webhook;
}

async function findEnabled(app: App, caller: Caller, webhook_id: string) {
  const webhook = await findWebhook(app, caller, webhook_id);
  refuseHiddenEvents(caller, webhook.events);
  if (!webhook.is_enabled) throw refuse.webhookDisabled();
  return webhook;
}

async function findDelivery(app: App, webhook: { id: string; project_id: string }, id: string): Promise<Delivery> {
  const found = await selectDelivery(app.database, webhook.project_id, webhook.id, id);
  if (!found) throw refuse.notFound();
  const { request_body: _, ...delivery } = found;
  return showDelivery(delivery);
}
