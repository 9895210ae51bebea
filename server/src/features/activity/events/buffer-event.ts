// Events of the hot path. No request waits for them: they are buffered and written in batches. A crash can lose the last
// quarter of a second of them (docs/design/webhooks.md).

import { matchesFilters } from '@toolgate/contract/events/subscription-filter.ts';
import { sql } from 'kysely';
import type { App } from '../../../app.ts';
import type { Batch } from '../../../database/batch-writer.ts';
import { openDatabase } from '../../../database/connection.ts';
import { isSubscribed, isSubscribedCached, selectSubscriptions } from './is-subscribed.ts';
import { type NewEvent, recordEvents } from './record.ts';
import { type RecordedEvent, selectNear } from './store.ts';

const HOUR_MS = 3_600_000;
const HOURLY_EVENTS_LOCK = 7_406_813; // any constant that no other lock has

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
  write: (pool, events) =>
    openDatabase(pool)
      .transaction()
      .execute(async (database) => {
        // Otherwise two processes could both find no event yet, and both record one.
        await sql`select pg_advisory_xact_lock(${HOURLY_EVENTS_LOCK})`.execute(database);
        const recorded: RecordedEvent[] = await selectNear(database, events, HOUR_MS);
        const missing: NewEvent[] = [];
        for (const event of events) {
          if (recorded.some((other) => isInSameHour(event, other))) continue;
          missing.push(event);
          recorded.push(event);
        }
        if (missing.length > 0) await recordEvents(database, missing);
      }),
};

function isInSameHour(one: RecordedEvent, other: RecordedEvent): boolean {
  const distance_ms = Math.abs(Date.parse(one.created_at) - Date.parse(other.created_at));
  return one.project_id === other.project_id && one.type === other.type && distance_ms < HOUR_MS;
}

/** For an event that is recorded whether a webhook subscribes to it or not. */
export function bufferEvent(app: App, event: NewEvent): void {
  app.batch_writer.add(bufferedEvents, event);
}

/** For types of which a project has at most one event an hour, subscribed or not. */
export function bufferHourlyEvent(app: App, event: NewEvent): void {
  app.batch_writer.add(hourlyEvents, event);
}
