// An event and its type in responses: the payload that receivers got, and whether it was a test.

import type { Event, EventType } from '@toolgate/contract/events/event.ts';
import { eventTypes } from '@toolgate/contract/events/rules.ts';
import { exampleTime } from '@toolgate/contract/examples.ts';
import { exampleIds } from '@toolgate/contract/ids.ts';
import { eventKinds } from '@toolgate/contract/resources.ts';
import type { Page } from '../../../database/page.ts';
import type { Row } from '../../../database/tables.ts';

export function showEvent({ payload, is_test }: Pick<Row<'events'>, 'payload' | 'is_test'>): Event {
  return { object: 'event', ...(JSON.parse(payload) as Omit<Event, 'object'>), ...(is_test && { is_test }) };
}

const EXAMPLE_ID = 'evt_3kWm8nQzXv5tRb1YcL7pHd';

/** All of them on one page: they are part of the program. */
export function listEventTypes(): Page<EventType> {
  const data = eventTypes.map((type) => {
    const { description, readable_with, example } = eventKinds[type];
    const { project_id } = exampleIds;
    const event = { id: EXAMPLE_ID, object: 'event' as const, type, timestamp: exampleTime, project_id };
    const shown = { ...event, data: { ...example } };
    return { object: 'event_type' as const, type, description, readable_with, example: shown };
  });
  return { object: 'list', data, has_more: false, next_cursor: null };
}
