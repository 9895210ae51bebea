// The states of an outbound call, and where it goes.

import type { BodyBuffer } from './body-buffer.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { Encoding } from './decode.ts';
import type { Connection, Http1Client, ResponseHead } from './http1/client.ts';
import type { BodyStream, BuildMessage, Message, OutboundRequest, Stages } from './messages.ts';
import type { OriginQueue, Slots } from './slots.ts';
import type { Spill } from './spill.ts';

/** One origin as one part of a group reaches it, with one certificate or none. */
export type Destination = {
  readonly slots: Slots;
  readonly queue: OriginQueue;
  readonly client: Http1Client;
  readonly breaker: CircuitBreaker;
  readonly has_certificate: boolean;
  last_used: number;
};

const HEADERS_TIMEOUT_MS = 10_000;

/** What a call keeps of its request, without the message. */
export type Terms = Required<
  Pick<OutboundRequest, 'method' | 'timeout_ms' | 'headers_timeout_ms' | 'max_response_bytes'>
> &
  Pick<OutboundRequest, 'overflow' | 'watch'>;

export const termsOf = (request: OutboundRequest): Terms => ({
  method: request.method,
  timeout_ms: request.timeout_ms,
  headers_timeout_ms: request.headers_timeout_ms ?? HEADERS_TIMEOUT_MS,
  max_response_bytes: request.max_response_bytes,
  overflow: request.overflow,
  watch: request.watch,
});

/** `slot_at` and `connected_at`: when the call had its slot, and when it had its connection. */
export type Sent = { slot_at: number; connected_at: number; connection: Connection; has_new_connection: boolean };
/** What has arrived of the response. */
export type Received = {
  head: ResponseHead;
  encoding: Encoding | undefined;
  body: BodyBuffer;
  /** Where the body goes since it is longer than memory may take. */
  spill?: Spill;
};

const BEGINNING_BYTES = 1_024;

/** Empty if it cannot be decoded yet. `next` follows on what is there. */
export function beginningOf({ encoding, body }: Received, next: Buffer): Buffer {
  if (encoding !== undefined) return Buffer.alloc(0);
  return Buffer.concat([body.bytes().subarray(0, BEGINNING_BYTES), next.subarray(0, BEGINNING_BYTES)]);
}

/** From top to bottom; `settled` follows on any other. */
export type State =
  /** For a slot. */
  | { at: 'waiting'; source: Message | { build: BuildMessage } }
  /** Has its slot, and builds its message. */
  | { at: 'building'; slot_at: number }
  /** Waits for a connection. `encoded` is the message, without a streamed body. */
  | { at: 'connecting'; slot_at: number; encoded: string | Buffer; streamed: BodyStream | undefined }
  /** Waits for the status line and the headers. */
  | { at: 'sent'; sent: Sent }
  | { at: 'receiving'; sent: Sent; received: Received }
  /** The body is complete or truncated, and is decoded or received elsewhere: the state of the connection no longer matters. */
  | { at: 'decoding'; sent: Sent; received: Received }
  /** The promise is settled. A connection may still be attempted: the slot is released when that has ended. */
  | { at: 'settled'; has_connected: boolean };

/** `now` and `started_at` in milliseconds that never decrease. */
export const stagesOf = (
  { slot_at, connected_at, has_new_connection }: Sent,
  started_at: number,
  now: number,
): Stages => ({
  queue_ms: Math.round(slot_at - started_at),
  connect_ms: has_new_connection ? Math.round(connected_at - slot_at) : 0,
  upstream_ms: Math.round(now - connected_at),
});
