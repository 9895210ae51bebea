// A webhook as it is stored and as the API shows it. Its secret is only in the response that created it, and of its
// headers only the names are shown.

import type { Webhook } from '@toolgate/contract/webhooks/webhook.ts';
import type { Row } from '../../../database/tables.ts';

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
  'created_by',
  'created_at',
  'updated_at',
] as const;

export type WebhookRow = Pick<Row<'webhooks'>, (typeof webhookColumns)[number]>;

export function showWebhook(row: WebhookRow, now: number): Webhook {
  const { previous_secret_ends_at: ends } = row;
  return { object: 'webhook', ...row, previous_secret_ends_at: ends !== null && Date.parse(ends) > now ? ends : null };
}
