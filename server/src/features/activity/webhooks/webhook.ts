// A webhook as it is stored and as the API shows it. Its secret is only in the response that created it, and of its
// headers only the names are shown.

import { pingEvents, webhookEvents } from '@toolgate/contract/webhooks/events.ts';
import type { Webhook } from '@toolgate/contract/webhooks/webhook.ts';
import type { Row } from '../../../database/tables.ts';
import { recorderOf } from '../events/record.ts';

export const webhookColumns = [
  'id',
  'project_id',
  'url',
  'events',
  'description',
  'is_enabled',
  'disabled_reason',
  'failing_since',
  'previous_secret_ends_at',
  'header_names',
  'certificate_id',
  'created_by',
  'created_at',
  'updated_at',
] as const;

export type WebhookRow = Pick<Row<'webhooks'>, (typeof webhookColumns)[number]>;

export function showWebhook(row: WebhookRow, now: number): Webhook {
  const { previous_secret_ends_at: ends } = row;
  return { object: 'webhook', ...row, previous_secret_ends_at: ends !== null && Date.parse(ends) > now ? ends : null };
}

/** As its certificate is checked. */
export const certificateUser = ({ certificate_id, url }: Pick<WebhookRow, 'certificate_id' | 'url'>) => ({
  certificate_id,
  hosts: { url },
});

/** The events of webhooks, and the changes to webhooks that have an audit entry only: a webhook would receive the event of its own change. */
const kinds = { ...webhookEvents, ...pingEvents };

type AuditOnly =
  | 'webhook.created'
  | 'webhook.updated'
  | 'webhook.secret_rotated'
  | 'webhook.deleted'
  | 'webhook.recovered';

export const { newEvent, recordChange } = recorderOf<typeof kinds, AuditOnly>(kinds);
