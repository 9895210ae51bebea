// Whether any webhook of a project subscribes to an event type, enabled or not: a recovery delivers later what a disabled
// webhook missed. Cached, because every tool call asks.

import { matchesFilters } from '@toolgate/contract/events/subscription-filter.ts';
import { sql } from 'kysely';
import type { App } from '../../../app.ts';
import type { Database } from '../../../database/tables.ts';

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
    value: { filters: (await selectSubscriptions(app.database, [project_id])).get(project_id) ?? [] },
  }));
  return loaded !== null && matchesFilters(loaded.filters, type);
}

/** The filters of all webhooks of each project that has webhooks. */
export async function selectSubscriptions(database: Database, project_ids: string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ project_id: string; filters: string[] }>`
    select project_id, array_agg(distinct filter) as filters from webhooks, unnest(events) as filter
    where project_id = any(${project_ids}::text[]) group by project_id`.execute(database);
  return new Map(rows.map(({ project_id, filters }) => [project_id, filters]));
}
