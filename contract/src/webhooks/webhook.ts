// A webhook, and what is sent to create, change, try and recover one.

import { z } from 'zod';
import { subscribableTypes, subscriptionFilters } from '../events/subscription-filter.ts';
import { limitedText, resourceHistory, secretOverlap, text, timestamp, timestampInput } from '../fields.ts';
import { MAX_DESCRIPTION_LENGTH } from '../text-limits.ts';
import { webhookDisabledReasons } from './rules.ts';

/** In one project. */
export const MAX_WEBHOOKS = 50;
const MAX_URL = 2_048;
const MAX_FILTERS = 50;

const description = text(0, MAX_DESCRIPTION_LENGTH)
  .nullable()
  .meta({ description: 'What it is for; up to 1,024 characters' });
const is_enabled = z.boolean().meta({ description: 'Nothing is sent to one that is not enabled' });

const webhookHeaders = z.record(z.string(), z.string()).meta({
  description:
    'Sent with every delivery, such as an Authorization header for a gateway. At most 10; names of up to 64 characters, values of up to 1,024 visible ASCII characters. Stored encrypted; only the names are shown. Headers that the service sets itself are refused',
  example: { Authorization: 'Bearer the-token-of-your-gateway' },
});

export const webhook = z
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
      .enum(webhookDisabledReasons)
      .nullable()
      .meta({ description: 'Why the service switched it off: it returned 410, or failed for five days' }),
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
    ...resourceHistory,
  })
  .meta({ id: 'Webhook' });

export type Webhook = z.infer<typeof webhook>;

export const newWebhook = webhook
  .extend({ secret: z.string().meta({ description: 'Signs what is sent. Shown this once', example: 'whsec_…' }) })
  .meta({ id: 'NewWebhook' });

export type NewWebhook = z.infer<typeof newWebhook>;

/** The server refuses addresses of private networks besides. */
const url = limitedText(MAX_URL, `must have at most ${MAX_URL} characters`).meta({
  description: 'HTTPS, outside of private networks; a path and a query are allowed',
  example: 'https://example.com/hooks/toolgate',
});

const events = z
  .array(z.enum(subscriptionFilters))
  .min(1)
  .max(MAX_FILTERS, { abort: true })
  .refine((given) => new Set(given).size === given.length, 'must not name a filter twice')
  .meta({
    description: 'Kinds of events, such as `api_key.created`, `api_key.*`, or `*` for all',
    example: ['api_key.*'],
  });

export const webhookRequest = z
  .strictObject({
    url,
    events,
    headers: webhookHeaders.default({}),
    description: description.default(null),
    is_enabled: is_enabled.default(true),
  })
  .meta({ id: 'WebhookRequest' });

export type WebhookRequest = z.infer<typeof webhookRequest>;

export const webhookChange = z
  .strictObject({ url, events, headers: webhookHeaders, description, is_enabled })
  .partial()
  .meta({ id: 'WebhookChange' });

export type WebhookChange = z.infer<typeof webhookChange>;

export const webhookSecretRotation = z
  .strictObject({ overlap_seconds: secretOverlap('How long the old secret signs too; one day by default') })
  .meta({ id: 'WebhookSecretRotation' });

export type WebhookSecretRotation = z.infer<typeof webhookSecretRotation>;

export const webhookTestEvent = z
  .strictObject({
    type: z
      .enum(subscribableTypes)
      .meta({ description: 'A type that webhooks can subscribe to', example: 'custom_tool.created' }),
  })
  .meta({ id: 'WebhookTestEvent' });

export type WebhookTestEvent = z.infer<typeof webhookTestEvent>;

export const webhookRecovery = z
  .strictObject({ since: timestampInput.meta({ description: 'Events from then on' }) })
  .meta({ id: 'WebhookRecovery' });

export type WebhookRecovery = z.infer<typeof webhookRecovery>;

export const webhookRecovered = z
  .strictObject({
    recovered: z.int().meta({ description: 'Deliveries that are on their way again' }),
    has_more: z.boolean().meta({ description: 'There is more: call again' }),
  })
  .meta({ id: 'WebhookRecovered' });

export type WebhookRecovered = z.infer<typeof webhookRecovered>;
