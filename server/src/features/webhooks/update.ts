// Changes a webhook, or switches it off or on.

import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import type { EventKinds } from '../../api/event-kind.ts';
import type { App } from '../../app.ts';
import { url } from './create.ts';
import { eventFilters, refuseUnreadableEvents } from './event-filters.ts';
import { recordChange } from './events.ts';
import { withLockedWebhook } from './find.ts';
import { updateWebhookRow } from './store.ts';
import { refuseUrl } from './url.ts';
import { description, is_enabled, showWebhook, type Webhook } from './webhook.ts';

export const webhookChange = (kinds: EventKinds) =>
  z
    .strictObject({ url, events: eventFilters(kinds), description, is_enabled })
    .partial()
    .meta({ id: 'WebhookChange' });

export async function updateWebhook(
  app: App,
  caller: Caller,
  id: string,
  change: z.infer<ReturnType<typeof webhookChange>>,
): Promise<Webhook> {
  if (change.events !== undefined) refuseUnreadableEvents(app, caller, change.events);
  if (change.url !== undefined) refuseUrl(change.url, app.config.egress_allow);
  return withLockedWebhook(app, caller, id, async (app, row) => {
    const before = showWebhook(row, app.now());
    if (Object.values(change).every((value) => value === undefined)) return before;
    // A webhook that is switched on again starts anew: its earlier days of failure do not count.
    const reset = change.is_enabled ? { disabled_reason: null, failing_since: null, last_failed_at: null } : {};
    const changed = await updateWebhookRow(app.database, row.project_id, id, { ...change, ...reset });
    const after = showWebhook(changed, app.now());
    await recordChange(app, caller, { type: 'webhook.updated', target_id: id, data: after, before });
    return after;
  });
}
