// Records an event as part of a larger SQL statement: one round trip with its change. The names of the CTEs stay in here and in
// record.ts; the statement gives the parameters of the event and says after which of its own CTEs the event is recorded.

import { randomUUID } from 'node:crypto';
import type { Placeholders } from '../../../database/prepared-statement.ts';
import { insertEventRows, type NewEvent } from './record.ts';

export type EventParams = {
  project_id: string;
  event_id: string;
  event_type: string;
  event_created_at: string;
  event_filters: string[];
};

export const eventParams = ({ id, project_id, type, created_at, filters }: NewEvent): EventParams => ({
  project_id,
  event_id: id,
  event_type: type,
  event_created_at: created_at,
  event_filters: filters,
});

/** The parameters of an event whose payload has a value that only the statement knows. */
export type SplitEventParams = EventParams & { payload_start: string; payload_end: string };

/** `makeEvent` is called with a text that stands for the value. */
export function splitEventParams(makeEvent: (value: string) => NewEvent): SplitEventParams {
  const stand_in = randomUUID();
  const event = makeEvent(stand_in);
  const [payload_start, payload_end, ...others] = event.payload.split(JSON.stringify(stand_in));
  if (payload_start === undefined || payload_end === undefined || others.length > 0)
    throw new Error(`the payload of ${event.type} must have the value once`);
  return { ...eventParams(event), payload_start, payload_end };
}

/** The payload as SQL. `value` is an expression with the text that it lacks. */
export const payloadWith = ({ payload_start, payload_end }: Placeholders<SplitEventParams>, value: string) =>
  `${payload_start}::text || to_json(${value}::text)::text || ${payload_end}::text`;

/** `from` is a CTE with one row if the event is to be recorded, and none otherwise. `payload` is an expression of its columns. */
export function recordingEvent(
  param: Placeholders<EventParams>,
  { from, payload }: { from: string; payload: string },
): { ctes: string; has_jobs: string } {
  return {
    ctes: `event_rows (id, project_id, type, payload, created_at, webhook_id, filters, is_test) as (
  select ${param.event_id}::text, ${param.project_id}::text, ${param.event_type}::text, ${payload},
    ${param.event_created_at}::timestamptz, null::text, ${param.event_filters}::text[], false
  from ${from}
), ${insertEventRows}`,
    has_jobs: 'exists (select from queued)',
  };
}
