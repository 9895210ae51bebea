// Whether any webhook of a project subscribes to an event type, enabled or not: a recovery delivers later what a disabled
// webhook missed. Cached, because every tool call asks.

import { sql } from 'kysely';
import type { App } from '../../app.ts';
import { matchesFilters } from './subscription-filter.ts';

type Subscriptions = { filters: string[] };

/** Undefined if the filters are not cached. */
export function isSubscribedCached(app: App, project_id: string, type: string): boolean | undefined {
  const cached = app.cache.get<Subscriptions>('subscriptions', project_id);
  return cached && matchesFilters(cached.filters, type);
}

/** Loads the filters if they are not cached. Rejects if the database is unreachable. */
export async function isSubscribed(app: App, project_id: string, type: string): Promise<boolean> {
  const loaded = await app.cache.getOrLoad<Subscriptions>('subscriptions', project_id, async () => ({
    project_id,
    value: { filters: await selectFilters(app, project_id) },
  }));
  return loaded !== null && matchesFilters(loaded.filters, type);
}

async function selectFilters({ database }: App, project_id: string): Promise<string[]> {
  const { rows } = await sql<{ filter: string }>`
    select distinct unnest(events) as filter from webhooks where project_id = ${project_id}`.execute(database);
  return rows.map(({ filter }) => filter);
}
