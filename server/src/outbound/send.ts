// Sends outbound requests. Every connection this server opens to another machine goes through here.
// HTTP/1.1 over TLS only (or plain, to what the operator allows), no redirects, no proxy but the operator's, no retries: one call is at most one request. The one exception is an API that
// this process itself serves: it is reached without the network, and only by requests that say so.

import { type AddressPorts, type CheckedOrigin, checkOrigin } from './address-guard.ts';
import type { AllowList } from './allow-list.ts';
import { type BuiltIn, connectInProcess } from './built-in.ts';
import { Call } from './call.ts';
import type { Destination } from './call-state.ts';
import { createSecureContexts } from './certificate.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { type ConnectOptions, guardedConnect, type Lookup } from './connect.ts';
import { createDestinations } from './destinations.ts';
import type { EgressProxy } from './egress-proxy.ts';
import { type Connect, Http1Client } from './http1/client.ts';
import { type Inspected, type InspectRequest, inspectHost } from './inspect-host.ts';
import { type Certificate, type OutboundRequest, type OutboundResponse, SendError } from './messages.ts';
import { connectPaced, resumePaced } from './paced.ts';
import { proxiedConnect } from './proxied-connect.ts';
import { createLookup } from './resolve-name.ts';
import { shareLookups } from './share-lookups.ts';
import { OriginQueue, type Part, Slots } from './slots.ts';

/** Resolves with the response, whatever its status. Rejects with a SendError if there was no complete response. */
export type Send = (request: OutboundRequest) => Promise<OutboundResponse>;

export type SendOptions = {
  /** What the operator allows beside public addresses (TOOLGATE_EGRESS_ALLOW). */
  allow: AllowList;
  /** The listen addresses of this server. */
  deny?: AddressPorts;
  /** PEM certificates trusted in addition to Node's own list and NODE_EXTRA_CA_CERTS. */
  ca?: readonly string[];
  /** Through which connections are made, except to what it leaves out. */
  proxy?: EgressProxy | null;
  /** The API that this process itself serves. Its name is never looked up. */
  built_in?: BuiltIn;
  lookup?: Lookup;
  /** Returns milliseconds that never decrease. */
  now?: () => number;
  connect_timeout_ms?: number;
  /** Running calls of all groups. */
  max_total?: number;
  max_per_group?: number;
  max_per_part?: number;
  max_per_origin?: number;
  /** Calls of one group that may wait for a slot. */
  max_waiting?: number;
  /** When a group has more destinations, its idle ones are closed. */
  max_destinations_per_group?: number;
  /** When there are more destinations in total, idle ones of all groups are closed. */
  max_destinations?: number;
};

const MAX_LOOKUPS_PER_GROUP = 2;
const CLOSE_UNUSED_EVERY_MS = 60_000;

export type Sender = Send & {
  /** Connections that were made under the list before are not used again; calls in progress end as they would have. */
  setAllow(list: AllowList): void;
  /** Connects, and returns what the host presents, trusted or not. Nothing is sent. Rejects with a SendError. */
  inspect(request: InspectRequest): Promise<Inspected>;
  close(): Promise<void>;
};

export function createSend(options: SendOptions): Sender {
  const { ca = [], now = () => performance.now(), lookup = createLookup(), built_in, proxy = null } = options;
  const slots = createSlots(options);
  let allowed = options.allow;
  const connect_options = {
    allow: () => allowed,
    deny: options.deny ?? new Set<string>(),
    timeout_ms: options.connect_timeout_ms ?? 3_000,
  };
  const secure_contexts = createSecureContexts(ca, now);
  const destinations = createDestinations({
    now,
    max_destinations: options.max_destinations ?? 2_000,
    max_destinations_per_group: options.max_destinations_per_group ?? 200,
    createGroupLookup: () =>
      shareLookups(lookup, { max_at_once: MAX_LOOKUPS_PER_GROUP, max_wait_ms: connect_options.timeout_ms }),
    createDestination,
  });
  let is_closed = false;

  const tidying = setInterval(() => {
    destinations.closeUnused();
    secure_contexts.removeUnused();
  }, CLOSE_UNUSED_EVERY_MS).unref();

  function createDestination(origin: string, part: Part, lookup: Lookup, certificate: Certificate | null): Destination {
    const checked = checkOrigin(origin, allowed);
    if ('problem' in checked) throw new SendError('blocked', `${origin}: ${checked.problem}`);
    const { share } = part.group;
    const host = checked.origin.slice(`${checked.scheme}://`.length);
    const connect =
      origin === built_in?.origin
        ? connectInProcess(built_in)
        : connectPaced(share, connectTo(checked, optionsFor(lookup, certificate)));
    return {
      slots,
      queue: new OriginQueue(part),
      client: new Http1Client(host, connect, now, resumePaced(share)),
      breaker: new CircuitBreaker(),
      has_certificate: certificate !== null,
      last_used: 0,
    };
  }

  const optionsFor = (lookup: Lookup, certificate: Certificate | null): ConnectOptions => ({
    ...connect_options,
    lookup,
    secure_context: secure_contexts.contextFor(certificate),
  });

  /** Every connection is made here, also one that is only looked at. */
  function connectTo({ origin, ...target }: CheckedOrigin, options: ConnectOptions): Connect {
    return proxy === null ? guardedConnect(origin, target, options) : proxiedConnect(origin, target, options, proxy);
  }

  function send(request: OutboundRequest): Promise<OutboundResponse> {
    return new Promise((resolve, reject) => {
      if (is_closed) throw new SendError('aborted', 'closed');
      if (request.origin === built_in?.origin && !request.may_use_built_in)
        throw new SendError('blocked', `${request.origin} is the built-in API`);
      new Call(request, destinations.findOrCreate(request), now, resolve, reject).begin();
    });
  }

  async function inspect({ origin, certificate }: InspectRequest): Promise<Inspected> {
    const checked = checkOrigin(origin, allowed);
    if ('problem' in checked) throw new SendError('blocked', `${origin}: ${checked.problem}`);
    const options = optionsFor(lookup, certificate);
    return inspectHost(checked, connectTo(checked, { ...options, accepts_any_certificate: true }));
  }

  function setAllow(list: AllowList): void {
    allowed = list;
    destinations.retireConnections();
  }

  /** Calls that have not ended fail as aborted. */
  async function close(): Promise<void> {
    is_closed = true;
    clearInterval(tidying);
    destinations.closeAll();
  }

  return Object.assign(send, { setAllow, inspect, close });
}

const createSlots = (options: SendOptions): Slots =>
  new Slots({
    // Twice as many as the webhook worker sends at once: webhooks alone cannot use them up.
    max_total: options.max_total ?? 2_000,
    // A tenth: a group may have any number of parts, such as OAuth providers.
    max_per_group: options.max_per_group ?? 200,
    max_per_part: options.max_per_part ?? 20,
    max_per_origin: options.max_per_origin ?? 10,
    max_waiting: options.max_waiting ?? 2_000,
  });
