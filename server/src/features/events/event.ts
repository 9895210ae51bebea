// An event as the API shows it: the payload that its receivers got.

import { z } from 'zod';
import { timestamp } from '../../api/fields.ts';
import type { Row } from '../../database/tables.ts';

export const eventSchema = z
  .strictObject({
    id: z.string(),
    object: z.literal('event'),
    type: z.string().meta({ example: 'api_key.created' }),
    timestamp,
    project_id: z.string(),
    data: z.record(z.string(), z.unknown()).meta({ description: 'By type, as docs/events.md says' }),
  })
  .meta({ id: 'Event' });

export type Event = z.infer<typeof eventSchema>;

export function showEvent({ payload }: Pick<Row<'events'>, 'payload'>): Event {
  return { object: 'event', ...(JSON.parse(payload) as Omit<Event, 'object'>) };
}
