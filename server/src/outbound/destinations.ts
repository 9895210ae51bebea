// The destinations in use, by isolation key, part, origin and certificate. Groups share no slots, connections or circuit breakers. A group
// that calls many origins closes its own idle destinations first.

import type { Destination } from './call-state.ts';
import type { Lookup } from './connect.ts';
import type { Certificate, OutboundRequest } from './messages.ts';
import { shareOf } from './pace.ts';
import { Group, Part } from './slots.ts';

export type DestinationsOptions = {
  now(): number;
  max_destinations: number;
  max_destinations_per_group: number;
  /** Called once per group. */
  createGroupLookup(): Lookup;
  /** Throws if the address guard forbids the origin. */
  createDestination(origin: string, part: Part, lookup: Lookup, certificate: Certificate | null): Destination;
};

/** Of one that has a certificate: the key in it does not stay in memory because it was once used. */
const UNUSED_AFTER_MS = 5 * 60_000;

/** `by_origin`: by origin, and by the certificate if there is one: connections and TLS sessions are those of one certificate. */
type PartEntry = { part: Part; by_origin: Map<string, Destination> };
type GroupEntry = { key: string; group: Group; lookup: Lookup; parts: Map<string, PartEntry>; count: number };

export function createDestinations(options: DestinationsOptions) {
  const { now, max_destinations, max_destinations_per_group, createGroupLookup, createDestination } = options;
  const groups = new Map<string, GroupEntry>();
  let count = 0;

  function findOrCreate(request: OutboundRequest): Destination {
    const { isolation_key, isolation_part = '', origin, certificate } = request;
    const place = certificate ? `${origin} ${certificate.fingerprint}` : origin;
    const found = groups.get(isolation_key)?.parts.get(isolation_part)?.by_origin.get(place);
    return found ?? add(isolation_key, isolation_part, place, request);
  }

  function add(
    key: string,
    part_name: string,
    place: string,
    { origin, certificate = null }: OutboundRequest,
  ): Destination {
    makeRoom(groups.get(key));
    const group = groups.get(key) ?? createGroup(key);
    const entry = group.parts.get(part_name) ?? { part: new Part(group.group), by_origin: new Map() };
    const destination = createDestination(origin, entry.part, group.lookup, certificate);
    groups.set(key, group);
    group.parts.set(part_name, entry);
    entry.by_origin.set(place, destination);
    group.count += 1;
    count += 1;
    return destination;
  }

  function createGroup(key: string): GroupEntry {
    return { key, group: new Group(shareOf(key)), lookup: createGroupLookup(), parts: new Map(), count: 0 };
  }

  function makeRoom(group: GroupEntry | undefined): void {
    if (group && group.count >= max_destinations_per_group) closeIdle([group]);
    if (count >= max_destinations) closeIdle(groups.values());
  }

  /** Closes half of the idle destinations, those used longest ago. */
  function closeIdle(candidates: Iterable<GroupEntry>): void {
    const idle = idleOf(candidates);
    idle.sort((a, b) => a.destination.last_used - b.destination.last_used);
    for (const each of idle.slice(0, Math.ceil(idle.length / 2))) remove(each);
  }

  const idleOf = (candidates: Iterable<GroupEntry>) =>
    [...candidates].flatMap((group) =>
      [...group.parts].flatMap(([part_name, { by_origin }]) =>
        [...by_origin]
          .filter(([, { queue, breaker }]) => queue.is_idle && !breaker.isOpen(now()))
          .map(([place, destination]) => ({ group, part_name, by_origin, place, destination })),
      ),
    );

  function remove({ group, part_name, by_origin, place, destination }: ReturnType<typeof idleOf>[number]): void {
    by_origin.delete(place);
    if (by_origin.size === 0) group.parts.delete(part_name);
    group.count -= 1;
    if (group.count === 0) groups.delete(group.key);
    count -= 1;
    destination.client.close();
  }

  /** Those with a certificate: it may have been replaced or deleted. */
  function closeUnused(): void {
    const before = now() - UNUSED_AFTER_MS;
    for (const each of idleOf(groups.values()))
      if (each.destination.has_certificate && each.destination.last_used < before) remove(each);
  }

  function clients(): Destination['client'][] {
    return [...groups.values()].flatMap(({ parts }) =>
      [...parts.values()].flatMap(({ by_origin }) => [...by_origin.values()].map(({ client }) => client)),
    );
  }

  /** Every further call opens a connection of its own, which is checked then. */
  function retireConnections(): void {
    for (const client of clients()) client.retireConnections();
  }

  /** Calls that have not ended fail as aborted. */
  function closeAll(): void {
    for (const client of clients()) client.close();
  }

  return { findOrCreate, retireConnections, closeUnused, closeAll };
}
