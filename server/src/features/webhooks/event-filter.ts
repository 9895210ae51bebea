// What a webhook hears: everything (`*`), all kinds of one thing (`api_key.*`), or one kind (`api_key.created`).

import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { refuse } from '../../errors.ts';
import { eventTypes } from '../events/catalogue.ts';
import { isHidden } from '../events/visible.ts';

const groups = new Set(eventTypes.filter((type) => type.includes('.')).map((type) => `${type.split('.')[0]}.*`));
/** A ping goes to the webhook it is asked of; nobody subscribes to it. */
const filters = ['*', ...groups, ...eventTypes.filter((type) => type !== 'ping')];
const MOST = 50;

export const eventFilters = z
  .array(z.enum(filters as [string, ...string[]]))
  .min(1)
  .max(MOST, { abort: true })
  .refine((given) => new Set(given).size === given.length, 'must not name a filter twice')
  .meta({
    description: 'Kinds of events, such as `api_key.created`, `api_key.*`, or `*` for all',
    example: ['api_key.*'],
  });

/**
 * A key subscribes only to what it could read, and changes no webhook that gets more than that: with another URL, or by
 * sending something again, it would read it all the same (contract 8).
 */
export function refuseHiddenEvents(caller: Caller, events: readonly string[]): void {
  const filter = events.find((filter) => coveredBy(filter).some((type) => isHidden(caller, type)));
  if (filter !== undefined) throw refuse.insufficientPermissions({ details: { field: 'events', value: filter } });
}

export const covers = (events: readonly string[], type: string) =>
  events.some((filter) => coveredBy(filter).includes(type));

function coveredBy(filter: string): readonly string[] {
  if (filter === '*') return eventTypes;
  return eventTypes.filter((type) => type === filter || `${type.split('.')[0]}.*` === filter);
}
