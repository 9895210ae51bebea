// The destinations in use, by isolation key, part and origin. Groups share no slots, connections or circuit breakers. A group
// that calls many origins closes its own idle destinations first.

import type { Destination } from './call-state.ts';
import type { Lookup } from './connect.ts';
import type { OutboundRequest } from './messages.ts';
import { shareOf } from './pace.ts';
import { Group, Part } from './slots.ts';

export type DestinationsOptions = {
  now(): number;
  max_destinations: number;
  max_destinations_per_group: number;
  /** Called once per group. */
  createGroupLookup(): Lookup;
  /** Throws if the address guard forbids the origin. */
  createDestination(origin: string, part: Part, lookup: Lookup): Destination;
};

type PartEntry = { part: Part; by_origin: Map<string, Destination> };
type GroupEntry = { key: string; group: Group; lookup: Lookup; parts: Map<string, PartEntry>; count: number };

export function createDestinations(options: DestinationsOptions) {
  const { now, max_destinations, max_destinations_per_group, createGroupLookup, createDestination } = options;
  const groups = new Map<string, GroupEntry>();
  let count = 0;

  function findOrCreate({ isolation_key, isolation_part = '', origin }: OutboundRequest): Destination {
    const found = groups.get(isolation_key)?.parts.get(isolation_part)?.by_origin.get(origin);
    return found ?? add(isolation_key, isolation_part, origin);
  }

  function add(key: string, part_name: string, origin: string): Destination {
    makeRoom(groups.get(key));
    const group = groups.get(key) ?? createGroup(key);
    const entry = group.parts.get(part_name) ?? { part: new Part(group.group), by_origin: new Map() };
    const destination = createDestination(origin, entry.part, group.lookup);
    groups.set(key, group);
    group.parts.set(part_name, entry);
    entry.by_origin.set(origin, destination);
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
    const idle = [...candidates].flatMap((group) =>
      [...group.parts].flatMap(([part_name, { by_origin }]) =>
        [...by_origin]
          .filter(([, { queue, breaker }]) => queue.is_idle && !breaker.isOpen(now()))
          .map(([origin, destination]) => ({ group, part_name, by_origin, origin, destination })),
      ),
    );
    idle.sort((a, b) => a.destination.last_used - b.destination.last_used);
    for (const { group, part_name, by_origin, origin, destination } of idle.slice(0, Math.ceil(idle.length / 2))) {
      by_origin.delete(origin);
      if (by_origin.size === 0) group.parts.delete(part_name);
      group.count -= 1;
      if (group.count === 0) groups.delete(group.key);
      count -= 1;
      destination.client.close();
    }
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

  return { findOrCreate, retireConnections, closeAll };
}
