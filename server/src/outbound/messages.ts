// What goes out, what comes back, and why it did not.

export type OutboundRequest = Envelope & (Message | { build: BuildMessage });

/** What is sent. */
export type Message = {
  /** Path and query exactly as they go on the wire. */
  path: string;
  /** Not `host` and not `accept-encoding`: those are ours. */
  headers: Readonly<Record<string, string>>;
  /** More of them, the same for many requests and so made ready once; none may be in `headers` too. */
  fixed_headers?: HeaderLines;
  body?: string;
};

/**
 * Builds the message once the call has its slot, so that a queued call holds no text and what it says is current.
 * `has_waited` is false when the slot was free at once. The call ends with whatever this throws or rejects with.
 */
export type BuildMessage = (has_waited: boolean) => Message | Promise<Message>;

/** Where it goes, and how long and how large the exchange may be. */
type Envelope = {
  /** `https://host[:port]`; judged again before the first connection, however it was saved. */
  origin: string;
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The whole call: waiting for a turn, connecting, sending, reading. */
  timeout_ms: number;
  /** How long the customer may think before the status line; 10 s unless told, and never more than timeout_ms. */
  headers_timeout_ms?: number;
  /** Counted after decoding; a longer body is cut here. */
  max_response_bytes: number;
  /** Whose slots, connections, circuit breakers and DNS look-ups this uses: the id of a quota group. */
  isolation_key: string;
  /** A part of it with slots, connections and circuit breakers of its own: the id of a webhook. */
  isolation_part?: string;
  /** The caller has gone away: stop. */
  signal?: Signal;
};

/** Headers that were judged and written by `headerLines`, and by nobody else. */
export type HeaderLines = string & { readonly judged: unique symbol };

/** What is used of an AbortSignal. One of those costs more than the rest of a call's bookkeeping, so a door may bring less. */
export type Signal = {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: { handleEvent(): void }): void;
  removeEventListener(type: 'abort', listener: { handleEvent(): void }): void;
};

export type OutboundAnswer = {
  status: number;
  headers: AnswerHeaders;
  body: Buffer;
  /** True where the body was longer than max_response_bytes. */
  truncated: boolean;
  duration_ms: number;
};

/** Lower case, first value of each, and only those somebody needs: nothing else of the customer's headers goes further. */
export type AnswerHeaders = { 'content-type'?: string; 'retry-after'?: string; 'cache-control'?: string };

export type SendErrorKind =
  | 'timeout'
  /** Refused, unreachable, reset, bad certificate, not HTTP, an encoding we cannot read. */
  | 'connection'
  /** The address is not one we may call. */
  | 'blocked'
  /** It could not be reached several times in a row; nothing was tried. */
  | 'circuit_open'
  /** Too many calls of this quota group are waiting already. */
  | 'overloaded'
  /** The request's signal fired, or we are closing. */
  | 'aborted'
  /** The request itself cannot be sent, such as a header with a line break. */
  | 'invalid';

export class SendError extends Error {
  readonly kind: SendErrorKind;
  /** For our log only: it may name addresses. */
  readonly reason: string;

  constructor(kind: SendErrorKind, reason: string) {
    super(`outbound call failed: ${kind}`);
    this.kind = kind;
    this.reason = reason;
  }
}
