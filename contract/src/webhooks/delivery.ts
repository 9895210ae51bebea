// A delivery: one event for one webhook, with its attempts.

import { z } from 'zod';
import { pageQuery, timestamp, timestampInput } from '../fields.ts';
import { attemptErrors, deliveryStatuses } from './rules.ts';

const status = z.enum(deliveryStatuses).meta({
  description:
    'pending: waiting for its first or next attempt. failed: the last attempt failed, or sending it is no longer allowed',
});

const attemptStatus = z
  .int()
  .nullable()
  .meta({ description: 'HTTP status of the receiver; null if it did not respond' });
const attemptError = z.enum(attemptErrors).nullable().meta({
  description:
    'Why there was no response: none within 15 seconds, no connection, an unreadable secret, or an internal error',
});
const attemptDuration = z.int().meta({ description: 'How long it took, in milliseconds' });

export const delivery = z
  .strictObject({
    id: z.string(),
    object: z.literal('delivery'),
    project_id: z.string(),
    webhook_id: z.string().meta({ description: 'Id of the receiving webhook' }),
    event_id: z.string().meta({ description: 'The same for every attempt: receivers use it to recognize duplicates' }),
    event_type: z.string().meta({ description: 'Type of the event', example: 'api_key.created' }),
    is_test: z.boolean().meta({
      description: 'Whether it only tests the webhook; it has the header `x-webhook-test: true`, and nothing happened',
    }),
    status,
    attempt_count: z.int().meta({ description: 'How many attempts were made' }),
    next_attempt_at: timestamp.nullable().meta({ description: 'When the next attempt is; null: never' }),
    created_at: timestamp,
    finished_at: timestamp
      .nullable()
      .meta({ description: 'When it succeeded or finally failed; null while it is pending' }),
    last_attempt: z
      .strictObject({ status: attemptStatus, error: attemptError, duration_ms: attemptDuration })
      .nullable()
      .meta({ description: 'The result of the newest attempt; null before the first' }),
  })
  .meta({ id: 'Delivery' });

export type Delivery = z.infer<typeof delivery>;

const deliveryAttempt = z
  .strictObject({
    number: z.int().meta({ description: 'Number of the attempt, from 1' }),
    started_at: timestamp.meta({ description: 'When it was made' }),
    duration_ms: attemptDuration,
    request_headers: z.record(z.string(), z.string()).meta({
      description: "The headers that were sent, without the values of the webhook's own headers (`header_names`)",
    }),
    status: attemptStatus,
    error: attemptError,
    response_headers: z.record(z.string(), z.string()).nullable().meta({
      description:
        'The response headers, without cookie values; null if the receiver did not respond, or if the caller cannot read such events',
    }),
    response_body: z
      .string()
      .nullable()
      .meta({ description: 'The first 20,000 bytes; null if the caller cannot read such events' }),
    truncated: z.boolean().meta({ description: 'Whether the response was longer' }),
    next_attempt_at: timestamp
      .nullable()
      .meta({ description: 'When the next attempt was scheduled after this one; null: none' }),
  })
  .meta({ id: 'DeliveryAttempt' });

export const deliveryWithAttempts = delivery
  .extend({
    request_body: z
      .string()
      .nullable()
      .meta({ description: 'The exact bytes that are sent and signed; null if the caller cannot read such events' }),
    attempts: z.array(deliveryAttempt).meta({ description: 'The latest 100, newest first' }),
  })
  .meta({ id: 'DeliveryWithAttempts' });

export type DeliveryWithAttempts = z.infer<typeof deliveryWithAttempts>;

export const deliveryQuery = pageQuery.extend({
  status: status.optional().meta({ description: 'Only deliveries with this status' }),
  event_type: z
    .string()
    .max(64)
    .optional()
    .meta({ description: 'Only events of this type', example: 'api_key.created' }),
  event_id: z.string().max(64).optional().meta({ description: 'Only deliveries of this event' }),
  from: timestampInput.optional().meta({ description: 'Only deliveries of events at or after this time' }),
  to: timestampInput.optional().meta({ description: 'Only deliveries of events before this time' }),
});
