// An event as the API shows it: the payload that its receivers got, and whether it was a test.

import { z } from 'zod';
import { timestamp } from '../../api/fields.ts';
import type { Row } from '../../database/tables.ts';

export const eventSchema = z
  .strictObject({
    id: z.string(),
    object: z.literal('event'),
    type: z.string().meta({ description: 'What happened', example: 'api_key.created' }),
    timestamp: timestamp.meta({ description: 'When it happened' }),
    project_id: z.string(),
    data: z.record(z.string(), z.unknown()).meta({
      description:
        'What it happened to; its fields depend on `type` and are in the `webhooks` section of this document',
    }),
    is_test: z.literal(true).optional().meta({
      description: 'Only of an event that was sent to try a webhook: nothing happened, and `data` is an example',
    }),
  })
  .meta({ id: 'Event' });

export type Event = z.infer<typeof eventSchema>;

export function showEvent({ payload, is_test }: Pick<Row<'events'>, 'payload' | 'is_test'>): Event {
  return { object: 'event', ...(JSON.parse(payload) as Omit<Event, 'object'>), ...(is_test && { is_test }) };
}
