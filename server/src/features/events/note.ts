// Events of the hot path: nobody waits for them, and those that nobody hears are not even written. They are gathered and
// written in batches; a crash can lose the last quarter of a second of them (decision 0042).

import type { App } from '../../app.ts';
import { openDatabase } from '../../database/connection.ts';
import type { Batch } from '../../database/write-behind.ts';
import { isHeard } from '../webhooks/subscriptions.ts';
import type { EventData } from './catalogue.ts';
import { type NewEvent, newEvent, recordEvents } from './record.ts';
import { selectToldOfLimit } from './store.ts';

const HOUR_MS = 3_600_000;

const notedEvents: Batch<NewEvent> = {
  name: 'events',
  write: (pool, events) => recordEvents(openDatabase(pool), events),
};

/** Too many of these happen to keep those that no webhook asks for. */
type Frequent = 'tool_call.succeeded' | 'tool_call.failed';

export function noteEvent<T extends Frequent>(app: App, project_id: string, type: T, data: EventData<T>): void {
  const heard = isHeard(app, project_id, type);
  if (heard === false) return;
  const event = newEvent(app, project_id, type, data);
  const note = (isHeard: boolean) => {
    if (isHeard) app.behind.add(notedEvents, event);
  };
  if (heard === true) note(true);
  else heard.then(note, (error: unknown) => app.log.warn({ err: error, type }, 'an event was not recorded'));
}

const notedLimits: Batch<NewEvent> = {
  name: 'rate limit events',
  async write(pool, events) {
    const database = openDatabase(pool);
    const since = Math.min(...events.map(({ created_at }) => Date.parse(created_at))) - HOUR_MS;
    const project_ids = events.map(({ project_id }) => project_id);
    // Another replica may have told already.
    const told = await selectToldOfLimit(database, project_ids, new Date(since).toISOString());
    const news = events.filter(({ project_id }) => !told.has(project_id));
    if (news.length > 0) await recordEvents(database, news);
  },
};

/** Heard or not: there is one an hour at most. */
export function noteRateLimit(app: App, project_id: string, data: EventData<'rate_limit.exceeded'>): void {
  app.behind.add(notedLimits, newEvent(app, project_id, 'rate_limit.exceeded', data));
}
