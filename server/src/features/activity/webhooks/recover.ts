// Recovers a webhook: sends again what failed since a time, and what was recorded while it was disabled.

import { subscribedTypes } from '@toolgate/contract/events/subscription-filter.ts';
import type { WebhookRecovered, WebhookRecovery } from '@toolgate/contract/webhooks/webhook.ts';
import type { Caller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { DELIVERY } from '../events/record.ts';
import { deliverMissed, restartFailed } from './delivery-store.ts';
import { findEnabledWebhook } from './find.ts';
import { recordChange } from './webhook.ts';

const BATCH_SIZE = 10_000;
const DAY_MS = 86_400_000;

export async function recoverDeliveries(
  app: App,
  caller: Caller,
  webhook_id: string,
  { since }: WebhookRecovery,
): Promise<WebhookRecovered> {
  return transact(app, async (app) => {
    const { project_id, events } = await findEnabledWebhook(app, caller, webhook_id);
    const now = app.now();
    const recovery = { since, now: new Date(now).toISOString(), limit: BATCH_SIZE };
    const not_before = new Date(now - app.config.retention.delivery_days * DAY_MS).toISOString();
    const failed = await restartFailed(app.database, { project_id, webhook_id }, recovery);
    const event_types = subscribedTypes(events);
    const missed = await deliverMissed(
      app.database,
      { project_id, webhook_id },
      { ...recovery, not_before, event_types },
    );
    app.job_notifier.notify(DELIVERY);
    const data = { since, recovered: failed + missed };
    await recordChange(app, caller, { type: 'webhook.recovered', target_id: webhook_id, data });
    return { recovered: failed + missed, has_more: Math.max(failed, missed) >= BATCH_SIZE };
  });
}
