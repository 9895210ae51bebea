// Events of the hot path: nobody waits for them, and those that nobody hears are not even written. They are gathered and
// written in batches; a crash can lose the last quarter of a second of them (decision 0042).

import type { App } from '../../app.ts';
import { openDatabase } from '../../database/connection.ts';
import type { Batch } from '../../database/write-behind.ts';
import { isHeard } from '../webhooks/subscriptions.ts';
import type { EventData, EventType } from './catalogue.ts';
import { type NewEvent, newEvent, recordEvents } from './record.ts';

const notedEvents: Batch<NewEvent> = {
  name: 'events',
  write: (pool, events) => recordEvents(openDatabase(pool), events),
};

/** Too many of these happen to keep those that no webhook asks for. */
type Frequent = 'tool_call.succeeded' | 'tool_call.failed' | 'member_session.created';

export function noteEvent<T extends Frequent>(app: App, project_id: string, type: T, data: EventData<T>): void {
  const heard = isHeard(app, project_id, type);
  if (heard === false) return;
  const event = newEvent(app, project_id, type, data);
  if (heard === true) return app.behind.add(notedEvents, event);
  heard.then(
    (isTrue) => isTrue && app.behind.add(notedEvents, event),
    (error: unknown) => app.log.warn({ err: error, type: type satisfies EventType }, 'an event was not recorded'),
  );
}

/** Heard or not: there is one an hour at most. */
export function noteRateLimit(app: App, project_id: string, data: EventData<'rate_limit.exceeded'>): void {
  app.behind.add(notedEvents, newEvent(app, project_id, 'rate_limit.exceeded', data));
}
