// An event as the API shows it: the payload that its receivers got.

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
  })
  .meta({ id: 'Event' });

export type Event = z.infer<typeof eventSchema>;

export function showEvent({ payload }: Pick<Row<'events'>, 'payload'>): Event {
  return { object: 'event', ...(JSON.parse(payload) as Omit<Event, 'object'>) };
}
