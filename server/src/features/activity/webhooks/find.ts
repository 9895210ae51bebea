// Finds a webhook for an operation: to read it, to change it, or to send to it.

import { type Caller, projectOf } from '../../../access/caller.ts';
import { getRow } from '../../../api/get-row.ts';
import type { App } from '../../../app.ts';
import type { Row } from '../../../database/tables.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { refuseUnreadableEvents } from './event-filters.ts';
import { lockWebhook, selectWebhook } from './store.ts';
import type { WebhookRow } from './webhook.ts';

export const findWebhook = (app: App, caller: Caller, webhook_id: string): Promise<WebhookRow> =>
  getRow(app, caller, webhook_id, selectWebhook);

/** For operations that send events to it once more. */
export async function findEnabledWebhook(app: App, caller: Caller, webhook_id: string): Promise<WebhookRow> {
  const webhook = await findWebhook(app, caller, webhook_id);
  refuseUnreadableEvents(caller, webhook.events);
  if (!webhook.is_enabled) throw refuse.webhookDisabled();
  return webhook;
}

type Sealed = Pick<Row<'webhooks'>, 'secret' | 'headers'>;

/** Runs `change` in a transaction that has locked the webhook. All replicas are notified when it commits. */
export async function withLockedWebhook<T>(
  app: App,
  caller: Caller,
  webhook_id: string,
  change: (app: App, row: WebhookRow, sealed: Sealed) => Promise<T>,
): Promise<T> {
  const project = projectOf(caller);
  return transact(app, async (app) => {
    const locked = await lockWebhook(app.database, project.id, webhook_id);
    if (!locked) throw refuse.notFound();
    const { secret, headers, ...row } = locked;
    refuseUnreadableEvents(caller, row.events);
    app.changes.add(project.id);
    return change(app, row, { secret, headers });
  });
}
