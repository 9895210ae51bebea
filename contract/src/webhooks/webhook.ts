// A webhook, and what is sent to create, change, try and recover one.

import { z } from 'zod';
import { certificateId as certificate_id } from '../certificates/field.ts';
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
  .meta({ description: 'What the webhook is for; up to 1,024 characters' });
const is_enabled = z.boolean().meta({ description: 'Whether events are sent to it' });

const webhookHeaders = z.record(z.string(), z.string()).meta({
  description:
    'Headers sent with every delivery, such as an Authorization header for a gateway. At most 10; names of up to 64 characters, values of up to 1,024 visible ASCII characters. Stored encrypted; only the names are shown. Headers that toolgate sets itself are refused',
  example: { Authorization: 'Bearer the-token-of-your-gateway' },
});

export const webhook = z
  .strictObject({
    id: z.string(),
    object: z.literal('webhook'),
    project_id: z.string(),
    url: z
      .string()
      .meta({ description: 'The URL that events are sent to', example: 'https://example.com/hooks/toolgate' }),
    events: z.array(z.string()).meta({
      description: 'Which event types it receives; `*` for all, `api_key.*` for all of one resource',
      example: ['*'],
    }),
    description,
    is_enabled,
    disabled_reason: z
      .enum(webhookDisabledReasons)
      .nullable()
      .meta({ description: 'Why it was disabled: it returned 410, or failed for five days' }),
    failing_since: timestamp
      .nullable()
      .meta({ description: 'Every attempt since this time has failed; null if the last attempt succeeded' }),
    previous_secret_ends_at: timestamp
      .nullable()
      .meta({ description: 'The previous secret also signs requests until this time' }),
    header_names: z.array(z.string()).meta({
      description: 'Names of the headers sent with every delivery. Their values are not shown',
      example: ['Authorization'],
    }),
    certificate_id,
    ...resourceHistory,
  })
  .meta({ id: 'Webhook' });

export type Webhook = z.infer<typeof webhook>;

export const newWebhook = webhook
  .extend({
    secret: z.string().meta({ description: 'The secret that signs deliveries. Shown only once', example: 'whsec_…' }),
  })
  .meta({ id: 'NewWebhook' });

export type NewWebhook = z.infer<typeof newWebhook>;

/** The server refuses addresses of private networks besides. */
const url = limitedText(MAX_URL, `must have at most ${MAX_URL} characters`).meta({
  description: 'HTTPS URL outside of private networks; can have a path and a query',
  example: 'https://example.com/hooks/toolgate',
});

const events = z
  .array(z.enum(subscriptionFilters))
  .min(1)
  .max(MAX_FILTERS, { abort: true })
  .refine((given) => new Set(given).size === given.length, 'must not list a filter twice')
  .meta({
    description: 'Event types, such as `api_key.created`, `api_key.*`, or `*` for all',
    example: ['api_key.*'],
  });

export const webhookRequest = z
  .strictObject({
    url,
    events,
    headers: webhookHeaders.default({}),
    certificate_id: certificate_id.default(null),
    description: description.default(null),
    is_enabled: is_enabled.default(true),
  })
  .meta({ id: 'WebhookRequest' });

export type WebhookRequest = z.infer<typeof webhookRequest>;

export const webhookChange = z
  .strictObject({ url, events, headers: webhookHeaders, certificate_id, description, is_enabled })
  .partial()
  .meta({ id: 'WebhookChange' });

export type WebhookChange = z.infer<typeof webhookChange>;

export const webhookSecretRotation = z
  .strictObject({ overlap_seconds: secretOverlap('How long the old secret also signs requests; one day by default') })
  .meta({ id: 'WebhookSecretRotation' });

export type WebhookSecretRotation = z.infer<typeof webhookSecretRotation>;

export const webhookTestEvent = z
  .strictObject({
    type: z
      .enum(subscribableTypes)
      .meta({ description: 'An event type that webhooks can subscribe to', example: 'custom_tool.created' }),
  })
  .meta({ id: 'WebhookTestEvent' });

export type WebhookTestEvent = z.infer<typeof webhookTestEvent>;

export const webhookRecovery = z
  .strictObject({ since: timestampInput.meta({ description: 'Only events at or after this time' }) })
  .meta({ id: 'WebhookRecovery' });

export type WebhookRecovery = z.infer<typeof webhookRecovery>;

export const webhookRecovered = z
  .strictObject({
    recovered: z.int().meta({ description: 'How many deliveries were restarted' }),
    has_more: z.boolean().meta({ description: 'Whether there are more: call it again' }),
  })
  .meta({ id: 'WebhookRecovered' });

export type WebhookRecovered = z.infer<typeof webhookRecovered>;
