// The one way out: every connection this service opens to somebody else's machine goes through here.
// HTTPS/1.1 only, no redirects, no proxy variables, no retries: what the customer sees twice was asked for twice.

import { lookup as dnsLookup } from 'node:dns/promises';
import { createSecureContext, getCACertificates } from 'node:tls';
import { type AddressPorts, checkOrigin } from './address-guard.ts';
import { Call, type Route } from './call.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { guardedConnector, type Lookup } from './connect.ts';
import { Connections } from './connections.ts';
import { type OutboundAnswer, type OutboundRequest, SendError } from './messages.ts';
import { shareLookups } from './share-lookups.ts';
import { Lane, ProjectTurns } from './turns.ts';

/** Answers with whatever status the other side gave; rejects with a SendError when there was no whole answer. */
export type Send = (request: OutboundRequest) => Promise<OutboundAnswer>;

export type SendOptions = {
  /** Private addresses the operator lets us reach (TOOLGATE_EGRESS_ALLOW). */
  allow: AddressPorts;
  /** Our own listen addresses. */
  deny?: AddressPorts;
  /** PEM certificates trusted beside Node's own list and NODE_EXTRA_CA_CERTS. */
  ca?: readonly string[];
  lookup?: Lookup;
  /** Milliseconds that only ever grow. */
  now?: () => number;
  connect_timeout_ms?: number;
  max_per_project?: number;
  max_per_origin?: number;
  /** Calls of one project that may wait for their turn. */
  max_waiting?: number;
  /** Ways to origins kept open, over all projects, before idle ones are closed. */
  max_routes?: number;
};

type ProjectRoutes = { turns: ProjectTurns; lookup: Lookup; by_origin: Map<string, Route> };

/** libuv has four threads for these, for files and for zlib; the names of one project must leave some to the others. */
const MAX_LOOKUPS_PER_PROJECT = 2;

const everyAddress: Lookup = (hostname) => dnsLookup(hostname, { all: true });

export function createSend(options: SendOptions): Send & { close(): Promise<void> } {
  const { ca = [], now = () => performance.now(), max_per_origin = 10, max_routes = 1_000 } = options;
  const limits = {
    max_per_project: options.max_per_project ?? 20,
    max_per_origin,
    max_waiting: options.max_waiting ?? 2_000,
  };
  const connecting = {
    allow: options.allow,
    deny: options.deny ?? new Set<string>(),
    timeout_ms: options.connect_timeout_ms ?? 3_000,
    // One for all connections: reading the whole list of authorities costs milliseconds.
    secure_context: createSecureContext(ca.length > 0 ? { ca: [...getCACertificates('default'), ...ca] } : {}),
  };
  const lookupOfProject = shareLookups(options.lookup ?? everyAddress, MAX_LOOKUPS_PER_PROJECT);
  // Routes belong to a project: no project can fill another's slots, open its circuit or share its connections.
  const projects = new Map<string, ProjectRoutes>();
  let route_count = 0;
  let is_closed = false;

  function openRoute(project_id: string, given: string): Route {
    const checked = checkOrigin(given, connecting.allow);
    if ('problem' in checked) throw new SendError('blocked', `${given}: ${checked.problem}`);
    if (route_count >= max_routes) closeIdleRoutes();
    let project = projects.get(project_id);
    if (project === undefined) {
      project = { turns: new ProjectTurns(limits), lookup: lookupOfProject(), by_origin: new Map() };
      projects.set(project_id, project);
    }
    const route = {
      host: checked.origin.slice('https://'.length),
      turns: project.turns,
      lane: new Lane(),
      connections: new Connections(guardedConnector(checked, { ...connecting, lookup: project.lookup }), now),
      breaker: new CircuitBreaker(),
      last_used: 0,
    };
    project.by_origin.set(given, route);
    route_count += 1;
    return route;
  }

  /** Closes the half of the idle routes that has been idle the longest. */
  function closeIdleRoutes(): void {
    const idle = [...projects].flatMap(([project_id, { by_origin }]) =>
      [...by_origin]
        .filter(([, { lane, breaker }]) => lane.is_idle && !breaker.isOpen(now()))
        .map(([origin, route]) => ({ project_id, by_origin, origin, route })),
    );
    idle.sort((a, b) => a.route.last_used - b.route.last_used);
    for (const { project_id, by_origin, origin, route } of idle.slice(0, Math.ceil(idle.length / 2))) {
      by_origin.delete(origin);
      if (by_origin.size === 0) projects.delete(project_id);
      route_count -= 1;
      route.connections.destroy();
    }
  }

  function send(request: OutboundRequest): Promise<OutboundAnswer> {
    return new Promise((resolve, reject) => {
      if (is_closed) throw new SendError('aborted', 'closed');
      const { project_id, origin } = request;
      const route = projects.get(project_id)?.by_origin.get(origin) ?? openRoute(project_id, origin);
      new Call(request, route, now, resolve, reject).begin();
    });
  }

  /** Whatever is still under way ends as aborted. */
  async function close(): Promise<void> {
    is_closed = true;
    for (const { by_origin } of projects.values())
      for (const { connections } of by_origin.values()) connections.destroy();
  }

  return Object.assign(send, { close });
}
