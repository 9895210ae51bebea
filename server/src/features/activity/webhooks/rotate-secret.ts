// Gives a webhook a new secret. During the overlap both secrets sign, so that a receiver need not switch at one moment.

import type { NewWebhook, WebhookSecretRotation } from '@toolgate/contract/webhooks/webhook.ts';
import type { Caller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { withLockedWebhook } from './find.ts';
import { secretContext } from './secret-context.ts';
import { makeSecret } from './signature.ts';
import { updateWebhookRow } from './store.ts';
import { recordChange, showWebhook } from './webhook.ts';

export async function rotateSecret(
  app: App,
  caller: Caller,
  id: string,
  { overlap_seconds }: WebhookSecretRotation,
): Promise<NewWebhook> {
  return withLockedWebhook(app, caller, id, async (app, { project_id }, sealed) => {
    const old = await app.secrets.open(app.database, project_id, secretContext(id, 'secret'), sealed.secret);
    const secret = makeSecret();
    const hasOverlap = overlap_seconds > 0;
    const row = await updateWebhookRow(app.database, project_id, id, {
      secret: await app.secrets.seal(app.database, project_id, secretContext(id, 'secret'), secret),
      previous_secret: hasOverlap
        ? await app.secrets.seal(app.database, project_id, secretContext(id, 'previous_secret'), old)
        : null,
      previous_secret_ends_at: hasOverlap ? new Date(app.now() + overlap_seconds * 1000).toISOString() : null,
    });
    const webhook = showWebhook(row, app.now());
    const data = { previous_secret_ends_at: webhook.previous_secret_ends_at };
    await recordChange(app, caller, { type: 'webhook.secret_rotated', target_id: id, data });
    return { ...webhook, secret };
  });
}
