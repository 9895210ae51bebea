// The subscription filter: which event types a webhook receives. A filter is `*` (all types), `api_key.*` (all types of one
// resource) or `api_key.created` (one type). SQL gets the result of this rule as a parameter; it has no copy of it.

import { type EventTypeName, eventTypes } from './rules.ts';

/** A ping is sent to the webhook that was asked to ping; no webhook subscribes to it. */
export const subscribableTypes = eventTypes.filter((type) => type !== 'ping');

type GroupFilter<Type extends string> = Type extends `${infer Resource}.${string}` ? `${Resource}.*` : never;

export const subscriptionFilters: readonly ('*' | GroupFilter<EventTypeName> | (typeof subscribableTypes)[number])[] = [
  '*',
  ...new Set(subscribableTypes.map((type) => groupFilter(type))),
  ...subscribableTypes,
];

/** The filters that match this event type. */
export const filtersMatching = (type: string): string[] => ['*', groupFilter(type), type];

export function matchesFilters(filters: readonly string[], type: string): boolean {
  return filtersMatching(type).some((filter) => filters.includes(filter));
}

/** The event types that these filters match. */
export const subscribedTypes = (filters: readonly string[]): string[] =>
  subscribableTypes.filter((type) => matchesFilters(filters, type));

function groupFilter<Type extends string>(type: Type): GroupFilter<Type> {
  // The type is what `split` does, which the compiler does not know.
  return `${type.split('.')[0]}.*` as GroupFilter<Type>;
}
