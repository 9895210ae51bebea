// Events of the hot path. No request waits for them: they are buffered and written in batches. A crash can lose the last
// quarter of a second of them (decision 0042).

import type { App } from '../../app.ts';
import type { Batch } from '../../database/batch-writer.ts';
import { openDatabase } from '../../database/connection.ts';
import { isSubscribed, isSubscribedCached, selectSubscriptions } from './is-subscribed.ts';
import { type NewEvent, recordEvents } from './record.ts';
import { selectRecordedSince } from './store.ts';
import { matchesFilters } from './subscription-filter.ts';

const HOUR_MS = 3_600_000;

const bufferedEvents: Batch<NewEvent> = {
  name: 'events',
  write: (pool, events) => recordEvents(openDatabase(pool), events),
};

/** Events of which it is not known whether a webhook subscribes to them: the database was unavailable when they happened. */
const uncheckedEvents: Batch<NewEvent> = {
  name: 'unchecked events',
  async write(pool, events) {
    const database = openDatabase(pool);
    const filters = await selectSubscriptions(database, [...new Set(events.map(({ project_id }) => project_id))]);
    const subscribed = events.filter(({ project_id, type }) => matchesFilters(filters.get(project_id) ?? [], type));
    if (subscribed.length > 0) await recordEvents(database, subscribed);
  },
};

/** For types with too many events to keep those that no webhook subscribes to: `makeEvent` is called for the others only. */
export function bufferIfSubscribed(app: App, project_id: string, type: string, makeEvent: () => NewEvent): void {
  const cached = isSubscribedCached(app, project_id, type);
  if (cached === false) return;
  const event = makeEvent();
  if (cached) app.batch_writer.add(bufferedEvents, event);
  else bufferOnceLoaded(app, event).catch(() => app.batch_writer.add(uncheckedEvents, event));
}

async function bufferOnceLoaded(app: App, event: NewEvent): Promise<void> {
  if (await isSubscribed(app, event.project_id, event.type)) app.batch_writer.add(bufferedEvents, event);
}

const hourlyEvents: Batch<NewEvent> = {
  name: 'hourly events',
  async write(pool, events) {
    const database = openDatabase(pool);
    const since = Math.min(...events.map(({ created_at }) => Date.parse(created_at))) - HOUR_MS;
    // Another replica may have recorded it.
    const recorded = await selectRecordedSince(database, events, new Date(since).toISOString());
    const missing = events.filter(
      (event) => !recorded.some(({ project_id, type }) => project_id === event.project_id && type === event.type),
    );
    if (missing.length > 0) await recordEvents(database, missing);
  },
};

/** For types of which a project has at most one event an hour, subscribed or not. */
export function bufferHourlyEvent(app: App, event: NewEvent): void {
  app.batch_writer.add(hourlyEvents, event);
}
