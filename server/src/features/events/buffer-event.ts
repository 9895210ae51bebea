// Events of the hot path: nobody waits for them, and those that nobody hears are not even written. They are gathered and
// written in batches; a crash can lose the last quarter of a second of them (decision 0042).

import type { App } from '../../app.ts';
import type { Batch } from '../../database/batch-writer.ts';
import { openDatabase } from '../../database/connection.ts';
import { isSubscribed, isSubscribedCached } from '../webhooks/subscriptions.ts';
import type { EventData } from './catalogue.ts';
import { type NewEvent, newEvent, recordEvents } from './record.ts';
import { selectProjectsWithLimitEvent } from './store.ts';

const HOUR_MS = 3_600_000;

const bufferedEvents: Batch<NewEvent> = {
  name: 'events',
  write: (pool, events) => recordEvents(openDatabase(pool), events),
};

/** Too many of these happen to keep those that no webhook asks for. */
type Frequent = 'tool_call.succeeded' | 'tool_call.failed';

export function bufferEvent<T extends Frequent>(app: App, project_id: string, type: T, data: EventData<T>): void {
  const cached = isSubscribedCached(app, project_id, type);
  if (cached === false) return;
  const event = newEvent(app, project_id, type, data);
  if (cached) app.batch_writer.add(bufferedEvents, event);
  else
    bufferIfSubscribed(app, event, type).catch((error: unknown) =>
      app.log.warn({ err: error, project_id, type }, 'an event was not recorded'),
    );
}

async function bufferIfSubscribed(app: App, event: NewEvent, type: Frequent): Promise<void> {
  if (await isSubscribed(app, event.project_id, type)) app.batch_writer.add(bufferedEvents, event);
}

const bufferedLimitEvents: Batch<NewEvent> = {
  name: 'rate limit events',
  async write(pool, events) {
    const database = openDatabase(pool);
    const since = Math.min(...events.map(({ created_at }) => Date.parse(created_at))) - HOUR_MS;
    const project_ids = events.map(({ project_id }) => project_id);
    // Another replica may have told already.
    const told = await selectProjectsWithLimitEvent(database, project_ids, new Date(since).toISOString());
    const news = events.filter(({ project_id }) => !told.has(project_id));
    if (news.length > 0) await recordEvents(database, news);
  },
};

/** Heard or not: there is one an hour at most. */
export function bufferRateLimitEvent(app: App, project_id: string, data: EventData<'rate_limit.exceeded'>): void {
  app.batch_writer.add(bufferedLimitEvents, newEvent(app, project_id, 'rate_limit.exceeded', data));
}
