// The types of an outbound request, its response and its errors.

import type { Requester } from './requester.ts';

export type OutboundRequest = RequestOptions & (Message | { build: BuildMessage });

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type Message = {
  /** Path and query exactly as they are sent. */
  path: string;
  /** Without `host`, `accept-encoding` and the others that the client sets itself. */
  headers: Readonly<Record<string, string>>;
  /** Headers that many requests share, encoded once. None may be in `headers` too. */
  fixed_headers?: HeaderLines;
  body?: string | Buffer | BodyStream;
};

/** What a TLS connection is made with. */
export type Certificate = {
  /** Of all of it. Connections and TLS sessions are shared only under the same one. */
  readonly fingerprint: string;
  /** PEM. They replace the authorities of the system. */
  readonly ca: string | null;
  readonly client: { readonly certificate: string; readonly key: string } | null;
};

/** A body that is read while it is sent, so that it is never in memory as a whole. */
export type BodyStream = {
  /** In bytes. A call whose stream turns out to be longer or shorter fails. */
  length: number;
  read(): AsyncIterable<Uint8Array>;
};

/**
 * Builds the message when the call has its slot: a queued call holds no text, and the message is current when it is sent.
 * `has_waited` is false if the slot was free at once. The call fails with whatever this throws or rejects with.
 */
export type BuildMessage = (has_waited: boolean) => Message | Promise<Message>;

/** Where the message goes, and the limits of the call. */
type RequestOptions = {
  /** `https://host[:port]` or an allowed `http://host:port`; checked before each connection even if it was checked when it was saved. */
  origin: string;
  method: Method;
  /** For the whole call: waiting for a slot, connecting, sending, receiving. */
  timeout_ms: number;
  /** Time from the connection to the status line; 10 s by default, and never more than timeout_ms. */
  headers_timeout_ms?: number;
  /** Counted after decoding; a longer body is truncated, unless `overflow` takes it. */
  max_response_bytes: number;
  /** Asked when the body turns out to be longer than max_response_bytes. */
  overflow?: Overflow | undefined;
  /** Calls with different keys share no slots, connections, circuit breakers or DNS queries: the fairness key of a project. */
  isolation_key: string;
  /** A part of it with its own slots, connections and circuit breakers: the id of a webhook. */
  isolation_part?: string;
  /** What the connection is made with; null or left out: the system's authorities, and no client certificate. */
  certificate?: Certificate | null;
  /** Whether the request may go to the API that this process itself serves. */
  may_use_built_in?: boolean;
  /** The call ends when it is gone. */
  requester?: Requester | undefined;
  /** Sees the body while it arrives: a stream of events need not end. */
  watch?: WatchBody | undefined;
};

/**
 * Returns what receives the whole body instead of memory, decoded; null: the body is truncated. The call ends when the receiver has: with
 * an empty body, or with the error that the receiver rejects with. The iterable throws if the body is not complete.
 * `beginning`: at least the first KiB of the body, decoded; empty if it was compressed and is not decoded yet.
 */
export type Overflow = (head: ReceivedHead, beginning: Buffer) => ReceiveBody | null;
export type ReceiveBody = (body: AsyncIterable<Buffer>) => Promise<void>;

export type ReceivedHead = { status: number; headers: ResponseHeaders };

/**
 * Called with each part of a body that is not compressed; its memory is reused after this returns. True: there is all that is wanted, and
 * the call ends with what has arrived. It must not throw.
 */
export type WatchBody = (part: Buffer, head: ReceivedHead) => boolean;

/** Header lines that were validated and encoded by `headerLines`. */
export type HeaderLines = string & { readonly validated: unique symbol };

export type OutboundResponse = {
  status: number;
  headers: ResponseHeaders;
  /** The status line and all header lines, for those who show them. */
  head: string;
  body: Buffer;
  /** True if the body was longer than max_response_bytes. */
  truncated: boolean;
  duration_ms: number;
  stages: Stages;
};

/** Where the time of a call went, in whole milliseconds. */
export type Stages = {
  /** Waiting for a slot. */
  queue_ms: number;
  /** 0 for a connection that was open already. */
  connect_ms: number;
  /** From sending the request to the end of the response. */
  upstream_ms: number;
};

/** The headers that callers use, names in lower case. The others are only in `head`. */
export type ResponseHeaders = {
  'content-type'?: string;
  'content-disposition'?: string;
  'retry-after'?: string;
  location?: string;
  'cache-control'?: string;
  'mcp-session-id'?: string;
  'www-authenticate'?: string;
};

export type SendErrorKind =
  | 'timeout'
  /** Refused, unreachable, reset, bad certificate, malformed response, unsupported content encoding. */
  | 'connection'
  /** The address guard forbids the address. */
  | 'blocked'
  /** Several connection attempts failed in a row; nothing was tried. */
  | 'circuit_open'
  /** Too many calls with this isolation key are waiting already. */
  | 'overloaded'
  /** The requester is gone, or the server is closing. */
  | 'aborted'
  /** The request cannot be sent, such as one with a line break in a header. */
  | 'invalid';

/** What happened to a connection, without addresses and error codes. */
export type ConnectionFailure =
  | 'host_not_resolved'
  | 'host_unreachable'
  | 'connection_refused'
  | 'connect_timed_out'
  | 'connection_closed'
  | 'certificate_not_accepted'
  | 'client_certificate_refused'
  | 'tls_failed'
  | 'malformed_response'
  | 'refused_by_egress_proxy'
  | 'egress_proxy_unreachable';

export class SendError extends Error {
  readonly kind: SendErrorKind;
  /** For the server's log only: it may contain addresses. */
  readonly reason: string;
  /** For the kind `connection`, if known; of the kind `circuit_open`, that of the last attempt. */
  readonly failure: ConnectionFailure | undefined;
  /** Null: no request was sent. */
  readonly stages: Stages | null;

  constructor(kind: SendErrorKind, reason: string, failure?: ConnectionFailure, stages: Stages | null = null) {
    super(`outbound call failed: ${kind}`);
    this.kind = kind;
    this.reason = reason;
    this.failure = failure;
    this.stages = stages;
  }
}
