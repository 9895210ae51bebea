// A webhook as it is stored and as the API shows it. Its secret is only in the response that created it, and of its
// headers only the names are shown.

import { z } from 'zod';
import { text, timestamp } from '../../api/fields.ts';
import type { Row } from '../../database/tables.ts';

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

export const description = text(0, 1024).nullable().meta({ description: 'What it is for; up to 1,024 characters' });
export const is_enabled = z.boolean().meta({ description: 'Nothing is sent to one that is not enabled' });

export const webhookSchema = z
  .strictObject({
    id: z.string(),
    object: z.literal('webhook'),
    project_id: z.string(),
    url: z.string().meta({ description: 'Where events are sent to', example: 'https://example.com/hooks/toolgate' }),
    events: z.array(z.string()).meta({
      description: 'Which types of events are sent to it; `*` is all, `api_key.*` all of one resource',
      example: ['*'],
    }),
    description,
    is_enabled,
    disabled_reason: z
      .enum(['gone', 'failing'])
      .nullable()
      .meta({ description: 'Why the service switched it off: it answered 410, or failed for five days' }),
    failing_since: timestamp
      .nullable()
      .meta({ description: 'Since when every attempt has failed; null: the last attempt succeeded' }),
    previous_secret_ends_at: timestamp
      .nullable()
      .meta({ description: 'Until then the secret before the last rotation signs too' }),
    header_names: z.array(z.string()).meta({
      description: 'Names of the headers that are sent with every delivery. Their values are not shown',
      example: ['Authorization'],
    }),
    created_at: timestamp,
    created_by: z.string().meta({ description: 'Id of the key that made it, or `root`' }),
    updated_at: timestamp,
  })
  .meta({ id: 'Webhook' });

export const newWebhookSchema = webhookSchema
  .extend({ secret: z.string().meta({ description: 'Signs what is sent. Shown this once', example: 'whsec_…' }) })
  .meta({ id: 'NewWebhook' });

export type Webhook = z.infer<typeof webhookSchema>;
export type NewWebhook = z.infer<typeof newWebhookSchema>;

export function showWebhook(row: WebhookRow, now: number): Webhook {
  const { previous_secret_ends_at: ends } = row;
  return { object: 'webhook', ...row, previous_secret_ends_at: ends !== null && Date.parse(ends) > now ? ends : null };
}
