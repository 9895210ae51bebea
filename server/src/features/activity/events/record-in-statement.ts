// Records events as part of a larger SQL statement: one round trip with their change. The names of the CTEs stay in here and in
// record.ts; the statement says after which of its own CTEs the events are recorded.

import type { Placeholders } from '../../../database/prepared-statement.ts';
import { insertEventRows, type NewEvent } from './record.ts';

/** The columns of an event, each as an SQL expression. */
type EventColumns = Placeholders<Pick<NewEvent, 'id' | 'project_id' | 'type' | 'payload' | 'created_at' | 'filters'>>;

/** One event for each row of `from`, a CTE of the statement; the expressions may name its columns. */
export function recordingEvents(from: string, event: EventColumns): { ctes: string; has_jobs: string } {
  return {
    ctes: `event_rows (id, project_id, type, payload, created_at, webhook_id, filters, is_test) as (
  select ${event.id}::text, ${event.project_id}::text, ${event.type}::text, ${event.payload}::text,
    ${event.created_at}::timestamptz, null::text, ${event.filters}::text[], false
  from ${from}
), ${insertEventRows}`,
    has_jobs: 'exists (select from queued)',
  };
}

export type EventParams = {
  project_id: string;
  event_id: string;
  event_type: string;
  event_payload: string;
  event_created_at: string;
  event_filters: string[];
};

export const eventParams = ({ id, project_id, type, payload, created_at, filters }: NewEvent): EventParams => ({
  project_id,
  event_id: id,
  event_type: type,
  event_payload: payload,
  event_created_at: created_at,
  event_filters: filters,
});

/** The same for one event whose columns are parameters of the statement, if `from` has a row. */
export const recordingEvent = (from: string, param: Placeholders<EventParams>) =>
  recordingEvents(from, {
    id: param.event_id,
    project_id: param.project_id,
    type: param.event_type,
    payload: param.event_payload,
    created_at: param.event_created_at,
    filters: param.event_filters,
  });
