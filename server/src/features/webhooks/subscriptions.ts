// Which kinds of events any webhook of a project hears, on or off: remembered, so that what nobody hears costs nothing.

import type { App } from '../../app.ts';
import { selectFilters } from './store.ts';

type Subscriptions = { filters: ReadonlySet<string> };

/** From the cache alone; undefined when the cache does not know. Never a promise, so it can be compared. */
export function isSubscribedCached(app: App, project_id: string, type: string): boolean | undefined {
  const known = app.cache.get<Subscriptions>('subscriptions', project_id);
  return known && passes(known, type);
}

/** Asks the database if the cache does not know: this rejects when the database is away. */
export async function isSubscribed(app: App, project_id: string, type: string): Promise<boolean> {
  const found = await app.cache.getOrLoad<Subscriptions>('subscriptions', project_id, async () => ({
    project_id,
    value: { filters: new Set(await selectFilters(app.database, project_id)) },
  }));
  return found !== null && passes(found, type);
}

function passes({ filters }: Subscriptions, type: string): boolean {
  return filters.has('*') || filters.has(type) || filters.has(`${type.split('.')[0]}.*`);
}
