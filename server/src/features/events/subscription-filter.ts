// The subscription filter: which event types a webhook receives. A filter is `*` (all types), `api_key.*` (all types of one
// resource) or `api_key.created` (one type). SQL gets the result of this rule as a parameter; it has no copy of it.

/** The filters that match this event type. */
export const filtersMatching = (type: string): string[] => ['*', groupFilter(type), type];

export const groupFilter = (type: string): string => `${type.split('.')[0]}.*`;

export function matchesFilters(filters: readonly string[], type: string): boolean {
  return filtersMatching(type).some((filter) => filters.includes(filter));
}
