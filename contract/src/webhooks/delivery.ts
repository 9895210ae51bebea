// A delivery: one event for one webhook, with its attempts.

import { z } from 'zod';
import { pageQuery, timestamp, timestampInput } from '../fields.ts';
import { attemptErrors, deliveryStatuses } from './rules.ts';

const status = z.enum(deliveryStatuses).meta({
  description: 'pending: it will be tried (again). failed: the last attempt failed, or it may not be sent any more',
});

const attemptStatus = z
  .int()
  .nullable()
  .meta({ description: 'HTTP status of the receiver; null if it did not respond' });
const attemptError = z.enum(attemptErrors).nullable().meta({
  description:
    'Why there was no response: none in 15 s, no connection, the secret cannot be read, or an error of our own',
});
const attemptDuration = z.int().meta({ description: 'How long it took, in milliseconds' });

export const delivery = z
  .strictObject({
    id: z.string(),
    object: z.literal('delivery'),
    project_id: z.string(),
    webhook_id: z.string().meta({ description: 'Id of the webhook it is sent to' }),
    event_id: z.string().meta({ description: 'The same at every attempt: receivers know a repetition by it' }),
    event_type: z.string().meta({ description: 'Type of the event', example: 'api_key.created' }),
    is_test: z.boolean().meta({
      description: 'It was sent to try the webhook and nothing happened; it has the header `x-webhook-test: true`',
    }),
    status,
    attempt_count: z.int().meta({ description: 'How many attempts were made' }),
    next_attempt_at: timestamp.nullable().meta({ description: 'When it is tried next; null: never' }),
    created_at: timestamp,
    finished_at: timestamp
      .nullable()
      .meta({ description: 'When it succeeded or finally failed; null while it is pending' }),
    last_attempt: z
      .strictObject({ status: attemptStatus, error: attemptError, duration_ms: attemptDuration })
      .nullable()
      .meta({ description: 'How the newest attempt ended; null before the first' }),
  })
  .meta({ id: 'Delivery' });

export type Delivery = z.infer<typeof delivery>;

const deliveryAttempt = z
  .strictObject({
    number: z.int().meta({ description: 'Number of the attempt, from 1' }),
    started_at: timestamp.meta({ description: 'When it was made' }),
    duration_ms: attemptDuration,
    request_headers: z.record(z.string(), z.string()).meta({
      description: 'The headers that were sent, without the values of those in `header_names` of the webhook',
    }),
    status: attemptStatus,
    error: attemptError,
    response_headers: z.record(z.string(), z.string()).nullable().meta({
      description:
        'The headers of the response, without the values of cookies; null if the receiver did not respond, and for a caller that may not read such an event',
    }),
    response_body: z
      .string()
      .nullable()
      .meta({ description: 'The first 20,000 bytes; null for who may not read such an event' }),
    truncated: z.boolean().meta({ description: 'The response was longer' }),
    next_attempt_at: timestamp
      .nullable()
      .meta({ description: 'When the next attempt was planned for after this one; null: none' }),
  })
  .meta({ id: 'DeliveryAttempt' });

export const deliveryWithAttempts = delivery
  .extend({
    request_body: z
      .string()
      .nullable()
      .meta({ description: 'The very bytes that are sent and signed; null for who may not read such an event' }),
    attempts: z.array(deliveryAttempt).meta({ description: 'Newest first, the last 100' }),
  })
  .meta({ id: 'DeliveryWithAttempts' });

export type DeliveryWithAttempts = z.infer<typeof deliveryWithAttempts>;

export const deliveryQuery = pageQuery.extend({
  status: status.optional().meta({ description: 'Only deliveries with this status' }),
  event_type: z.string().max(64).optional().meta({ description: 'Only this kind', example: 'api_key.created' }),
  event_id: z.string().max(64).optional().meta({ description: 'Only this event' }),
  from: timestampInput.optional().meta({ description: 'Only deliveries of events since then' }),
  to: timestampInput.optional().meta({ description: 'Only deliveries of events before then' }),
});
