// An event, and the types of events that there are.

import { z } from 'zod';
import { timestamp } from '../fields.ts';

export const event = z
  .strictObject({
    id: z.string(),
    object: z.literal('event'),
    type: z.string().meta({ description: 'What happened', example: 'api_key.created' }),
    timestamp: timestamp.meta({ description: 'When it happened' }),
    project_id: z.string(),
    data: z.record(z.string(), z.unknown()).meta({
      description:
        'The resource it happened to; its fields depend on `type` and are described in the `webhooks` section of this document',
    }),
    is_test: z.literal(true).optional().meta({
      description: 'Present only if the event was sent to test a webhook: nothing happened, and `data` is an example',
    }),
  })
  .meta({ id: 'Event' });

export type Event = z.infer<typeof event>;

/** A type as the API describes it, so that people can choose what a webhook receives. */
export const eventType = z
  .strictObject({
    object: z.literal('event_type'),
    type: z.string().meta({ description: 'Its name, as in `events` of a webhook', example: 'api_key.created' }),
    description: z.string().meta({ description: 'When such an event is recorded' }),
    readable_with: z
      .enum(['read', 'admin'])
      .meta({ description: 'The permission required to read such an event or to subscribe a webhook to it' }),
    example: event.meta({ description: 'An event of this type, as a webhook receives it' }),
  })
  .meta({ id: 'EventType' });

export type EventType = z.infer<typeof eventType>;
