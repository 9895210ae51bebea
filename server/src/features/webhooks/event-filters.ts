// The `events` of a webhook: which subscription filters may be given, and by whom.

import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { lacksPermission } from '../../access/lacks-permission.ts';
import { type EventKinds, recordedTypes } from '../../api/event-kind.ts';
import type { App } from '../../app.ts';
import { mayRead } from '../events/readable.ts';
import { groupFilter, matchesFilters } from '../events/subscription-filter.ts';

const MAX_FILTERS = 50;

/** A ping is sent to the webhook that was asked to ping; no webhook subscribes to it. */
const subscribable = (kinds: EventKinds) => Object.keys(kinds).filter((type) => type !== 'ping');

/** Those that the documents mention. */
const documentedTypes = (kinds: EventKinds) => recordedTypes(kinds).filter((type) => type !== 'ping');

/** One type that a webhook can subscribe to. */
export function eventType(kinds: EventKinds) {
  return z.enum(subscribable(kinds)).meta({
    description: 'A type that webhooks can subscribe to',
    example: 'custom_tool.created',
    override: { enum: documentedTypes(kinds) },
  });
}

export function eventFilters(kinds: EventKinds) {
  const filtersOf = (types: string[]): [string, ...string[]] => ['*', ...new Set(types.map(groupFilter)), ...types];
  const documented = filtersOf(documentedTypes(kinds));
  return z
    .array(z.enum(filtersOf(subscribable(kinds))).meta({ override: { enum: documented } }))
    .min(1)
    .max(MAX_FILTERS, { abort: true })
    .refine((given) => new Set(given).size === given.length, 'must not name a filter twice')
    .meta({
      description: 'Kinds of events, such as `api_key.created`, `api_key.*`, or `*` for all',
      example: ['api_key.*'],
    });
}

/** The event types that these filters match. */
export function subscribedTypes({ event_catalogue }: App, filters: readonly string[]): string[] {
  return subscribable(event_catalogue).filter((type) => matchesFilters(filters, type));
}

/**
 * A key subscribes only to events that it may read, and changes no webhook that receives others: with a different URL, or
 * by a redelivery, it would read them (contract 8).
 */
export function refuseUnreadableEvents(app: App, caller: Caller, filters: readonly string[]): void {
  const refused = filters.find((filter) => subscribedTypes(app, [filter]).some((type) => !mayRead(app, caller, type)));
  if (refused !== undefined) throw lacksPermission(caller, 'admin', { field: 'events', value: refused });
}
