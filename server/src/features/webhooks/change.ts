// The life of a webhook after it was made: changed, given a new secret, switched off by the service, deleted.

import { z } from 'zod';
import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { transact } from '../../database/transact.ts';
import { refuse } from '../../errors.ts';
import { dropReadyJobs } from '../../queue/jobs.ts';
import { recordChange } from '../events/record.ts';
import { findOwner } from '../projects/find.ts';
import { refuseUrl, url } from './create.ts';
import { eventFilters, refuseHiddenEvents } from './event-filter.ts';
import { DELIVERY } from './fan-out.ts';
import { secretPlace } from './secret-place.ts';
import { makeSecret } from './signature.ts';
import { lockWebhook, removeWebhook, updateWebhook } from './store.ts';
import { description, is_enabled, type NewWebhook, showWebhook, type Webhook, type WebhookRow } from './webhook.ts';

const DAY_S = 86_400;

export const webhookChange = z
  .strictObject({ url, events: eventFilters, description, is_enabled })
  .partial()
  .meta({ id: 'WebhookChange' });

export const secretRotation = z
  .strictObject({
    overlap_seconds: z
      .int()
      .min(0)
      .max(7 * DAY_S)
      .default(DAY_S)
      .meta({ description: 'How long the old secret signs too; a day unless told' }),
  })
  .meta({ id: 'WebhookSecretRotation' });

type Locked = WebhookRow & { secret: string };

export async function changeWebhook(
  app: App,
  caller: Caller,
  id: string,
  change: z.infer<typeof webhookChange>,
): Promise<Webhook> {
  if (change.events !== undefined) refuseHiddenEvents(caller, change.events);
  if (change.url !== undefined) refuseUrl(app, change.url);
  return withWebhook(app, caller, id, async (app, locked) => {
    const { secret: _, ...row } = locked;
    if (Object.values(change).every((value) => value === undefined)) return showWebhook(row, app.now());
    // Switched on again it starts afresh: the days it failed before do not count.
    const fresh = change.is_enabled ? { disabled_reason: null, failing_since: null, last_failed_at: null } : {};
    const changed = await updateWebhook(app.database, row.project_id, id, { ...change, ...fresh });
    const [before, after] = [showWebhook(row, app.now()), showWebhook(changed, app.now())];
    await recordChange(app, caller, { type: 'webhook.updated', target_id: id, data: after, before });
    return after;
  });
}

/** Both secrets sign during the overlap, so that a receiver can change over in its own time. */
export async function rotateSecret(
  app: App,
  caller: Caller,
  id: string,
  { overlap_seconds }: z.infer<typeof secretRotation>,
): Promise<NewWebhook> {
  return withWebhook(app, caller, id, async (app, { project_id, secret: sealed }) => {
    const old = await app.secrets.open(app.database, project_id, secretPlace(id, 'secret'), sealed);
    const secret = makeSecret();
    const keepsOld = overlap_seconds > 0;
    const row = await updateWebhook(app.database, project_id, id, {
      secret: await app.secrets.seal(app.database, project_id, secretPlace(id, 'secret'), secret),
      previous_secret: keepsOld
        ? await app.secrets.seal(app.database, project_id, secretPlace(id, 'previous_secret'), old)
        : null,
      previous_secret_ends_at: keepsOld ? new Date(app.now() + overlap_seconds * 1000).toISOString() : null,
    });
    const webhook = showWebhook(row, app.now());
    const after = { previous_secret_ends_at: webhook.previous_secret_ends_at };
    await recordChange(app, caller, { type: 'webhook.secret_rotated', target_id: id, data: after });
    return { ...webhook, secret };
  });
}

export async function deleteWebhook(app: App, caller: Caller, id: string): Promise<void> {
  await withWebhook(app, caller, id, async (app, { secret: _, ...row }) => {
    await removeWebhook(app.database, row.project_id, id);
    await dropReadyJobs(app.database, { kind: DELIVERY, fairness_key: projectOf(caller).quota_group_id, lane: id });
    await recordChange(app, caller, { type: 'webhook.deleted', target_id: id, data: showWebhook(row, app.now()) });
  });
}

/** By the service itself. The events stay, and what was not delivered can be recovered. */
export async function disableWebhook(
  app: App,
  { id, project_id }: { id: string; project_id: string },
  reason: 'gone' | 'failing',
): Promise<void> {
  const found = await lockWebhook(app.database, project_id, id);
  if (!found?.is_enabled) return;
  const { secret: _, ...row } = found;
  const changed = await updateWebhook(app.database, project_id, id, { is_enabled: false, disabled_reason: reason });
  app.changes.add(project_id);
  const data = showWebhook(changed, app.now());
  const project = await findOwner(app, project_id);
  await recordChange(
    app,
    'system',
    { type: 'webhook.disabled', target_id: id, data, before: showWebhook(row, app.now()), after: data },
    project,
  );
}

/** Every change locks the webhook first and is heard by every replica. */
async function withWebhook<T>(
  app: App,
  caller: Caller,
  id: string,
  change: (app: App, row: Locked) => Promise<T>,
): Promise<T> {
  const project = projectOf(caller);
  return transact(app, async (app) => {
    const row = await lockWebhook(app.database, project.id, id);
    if (!row) throw refuse.notFound();
    refuseHiddenEvents(caller, row.events);
    app.changes.add(project.id);
    return change(app, row);
  });
}
