// The one way out: every connection this service opens to somebody else's machine goes through here.
// HTTPS/1.1 only, no redirects, no proxy variables, no retries: what the customer sees twice was asked for twice.

import { createSecureContext, getCACertificates } from 'node:tls';
import { type AddressPorts, checkOrigin } from './address-guard.ts';
import { Call, type Route } from './call.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { guardedConnector, type Lookup } from './connect.ts';
import { Connections } from './connections.ts';
import { type OutboundAnswer, type OutboundRequest, SendError } from './messages.ts';
import { createLookup } from './resolve-name.ts';
import { createRouteTable } from './route-table.ts';
import { shareLookups } from './share-lookups.ts';
import { Lane, type Part, Slots } from './slots.ts';

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
  /** Calls under way, over all groups. */
  max_total?: number;
  max_per_part?: number;
  max_per_origin?: number;
  /** Calls of one group that may wait for a slot. */
  max_waiting?: number;
  /** Routes that one group has before its own idle ones are closed. */
  max_routes_per_group?: number;
  /** Routes over all groups before idle ones are closed. */
  max_routes?: number;
};

const MAX_LOOKUPS_PER_GROUP = 2;

export function createSend(options: SendOptions): Send & { close(): Promise<void> } {
  const { ca = [], now = () => performance.now(), lookup = createLookup() } = options;
  const slots = new Slots({
    // Twice as many as the webhook worker sends at once: webhooks alone cannot use them up.
    max_total: options.max_total ?? 2_000,
    max_per_part: options.max_per_part ?? 20,
    max_per_origin: options.max_per_origin ?? 10,
    max_waiting: options.max_waiting ?? 2_000,
  });
  const connecting = {
    allow: options.allow,
    deny: options.deny ?? new Set<string>(),
    timeout_ms: options.connect_timeout_ms ?? 3_000,
    // One for all connections: reading the whole list of authorities costs milliseconds.
    secure_context: createSecureContext(ca.length > 0 ? { ca: [...getCACertificates('default'), ...ca] } : {}),
  };
  const routes = createRouteTable({
    now,
    max_routes: options.max_routes ?? 1_000,
    max_routes_per_group: options.max_routes_per_group ?? 200,
    makeLookup: () => shareLookups(lookup, { max_at_once: MAX_LOOKUPS_PER_GROUP, max_wait_ms: connecting.timeout_ms }),
    openRoute,
  });
  let is_closed = false;

  function openRoute(given: string, part: Part, lookup: Lookup): Route {
    const checked = checkOrigin(given, connecting.allow);
    if ('problem' in checked) throw new SendError('blocked', `${given}: ${checked.problem}`);
    return {
      host: checked.origin.slice('https://'.length),
      turns: slots,
      lane: new Lane(part),
      connections: new Connections(guardedConnector(checked, { ...connecting, lookup }), now),
      breaker: new CircuitBreaker(),
      last_used: 0,
    };
  }

  function send(request: OutboundRequest): Promise<OutboundAnswer> {
    return new Promise((resolve, reject) => {
      if (is_closed) throw new SendError('aborted', 'closed');
      new Call(request, routes.find(request), now, resolve, reject).begin();
    });
  }

  /** Whatever is still under way ends as aborted. */
  async function close(): Promise<void> {
    is_closed = true;
    routes.closeAll();
  }

  return Object.assign(send, { close });
}
