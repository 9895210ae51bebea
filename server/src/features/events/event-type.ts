// A type of event as the API describes it, so that people can choose what a webhook receives.

import { z } from 'zod';
import { exampleIds, exampleTime, recordedTypes } from '../../api/event-kind.ts';
import type { App } from '../../app.ts';
import type { Page } from '../../database/page.ts';
import { eventSchema } from './event.ts';

export const eventTypeSchema = z
  .strictObject({
    object: z.literal('event_type'),
    type: z.string().meta({ description: 'Its name, as in `events` of a webhook', example: 'api_key.created' }),
    description: z.string().meta({ description: 'When such an event is recorded' }),
    readable_with: z
      .enum(['read', 'admin'])
      .meta({ description: 'The permission that is needed to read such an event or to subscribe a webhook to it' }),
    example: eventSchema.meta({ description: 'An event of this type, as a webhook receives it' }),
  })
  .meta({ id: 'EventType' });

const EXAMPLE_ID = 'evt_3kWm8nQzXv5tRb1YcL7pHd';

type EventType = z.infer<typeof eventTypeSchema>;

/** All of them on one page: they are part of the program. */
export function listEventTypes({ event_catalogue }: Pick<App, 'event_catalogue'>): Page<EventType> {
  const data = recordedTypes(event_catalogue).map((type) => {
    const { description, readable_with, example } = event_catalogue[type] as App['event_catalogue'][string];
    const { project_id } = exampleIds;
    const event = { id: EXAMPLE_ID, object: 'event' as const, type, timestamp: exampleTime, project_id };
    const shown = { ...event, data: { ...example } };
    return { object: 'event_type' as const, type, description, readable_with, example: shown };
  });
  return { object: 'list', data, has_more: false, next_cursor: null };
}
