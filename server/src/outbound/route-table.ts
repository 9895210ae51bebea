// The routes that are open: by isolation key, part and origin. No group can fill another's slots, open its circuit or share
// its connections; and one that calls many origins closes its own idle routes first.

import type { Route } from './call.ts';
import type { Lookup } from './connect.ts';
import type { OutboundRequest } from './messages.ts';
import { Group, Part } from './slots.ts';

export type RouteTableOptions = {
  now(): number;
  max_routes: number;
  max_routes_per_group: number;
  /** A group's own. */
  makeLookup(): Lookup;
  /** Throws where the origin is not one we may call. */
  openRoute(origin: string, part: Part, lookup: Lookup): Route;
};

type PartRoutes = { part: Part; by_origin: Map<string, Route> };
type GroupRoutes = { key: string; group: Group; lookup: Lookup; parts: Map<string, PartRoutes>; count: number };

export function createRouteTable(options: RouteTableOptions) {
  const { now, max_routes, max_routes_per_group, makeLookup, openRoute } = options;
  const groups = new Map<string, GroupRoutes>();
  let count = 0;

  function find({ isolation_key, isolation_part = '', origin }: OutboundRequest): Route {
    const known = groups.get(isolation_key)?.parts.get(isolation_part)?.by_origin.get(origin);
    return known ?? add(isolation_key, isolation_part, origin);
  }

  function add(key: string, part_name: string, origin: string): Route {
    makeRoom(groups.get(key));
    const group = groups.get(key) ?? { key, group: new Group(), lookup: makeLookup(), parts: new Map(), count: 0 };
    const routes = group.parts.get(part_name) ?? { part: new Part(group.group), by_origin: new Map<string, Route>() };
    const route = openRoute(origin, routes.part, group.lookup);
    groups.set(key, group);
    group.parts.set(part_name, routes);
    routes.by_origin.set(origin, route);
    group.count += 1;
    count += 1;
    return route;
  }

  function makeRoom(group: GroupRoutes | undefined): void {
    if (group && group.count >= max_routes_per_group) closeIdle([group]);
    if (count >= max_routes) closeIdle(groups.values());
  }

  /** Closes the half of the idle routes that has been idle the longest. */
  function closeIdle(some: Iterable<GroupRoutes>): void {
    const idle = [...some].flatMap((group) =>
      [...group.parts].flatMap(([part_name, { by_origin }]) =>
        [...by_origin]
          .filter(([, { lane, breaker }]) => lane.is_idle && !breaker.isOpen(now()))
          .map(([origin, route]) => ({ group, part_name, by_origin, origin, route })),
      ),
    );
    idle.sort((a, b) => a.route.last_used - b.route.last_used);
    for (const { group, part_name, by_origin, origin, route } of idle.slice(0, Math.ceil(idle.length / 2))) {
      by_origin.delete(origin);
      if (by_origin.size === 0) group.parts.delete(part_name);
      group.count -= 1;
      if (group.count === 0) groups.delete(group.key);
      count -= 1;
      route.connections.destroy();
    }
  }

  /** Whatever is still under way ends as aborted. */
  function closeAll(): void {
    for (const { parts } of groups.values())
      for (const { by_origin } of parts.values())
        for (const { connections } of by_origin.values()) connections.destroy();
  }

  return { find, closeAll };
}
