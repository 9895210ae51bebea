// One outbound call, from waiting for its slot to the last byte of the response. No stream, AbortController or closure per call.
// The slot is released only after the connection has been released. The request is dropped as soon as it has been sent.

import type { CircuitBreaker } from './circuit-breaker.ts';
import { describeError } from './connection-failure.ts';
import { decode, type Encoding, isKnownEncoding } from './decode.ts';
import type { Connection, Exchange, Http1Client, ResponseHead } from './http1/client.ts';
import {
  type BuildMessage,
  type ConnectionFailure,
  type Message,
  type Method,
  type OutboundRequest,
  type OutboundResponse,
  type ResponseHeaders,
  SendError,
  type SendErrorKind,
  type Signal,
  type Stages,
} from './messages.ts';
import { deliverPaced } from './pace-responses.ts';
import type { OriginQueue, Slots, Waiter } from './slots.ts';

/** One origin as one part of a group reaches it. */
export type Destination = {
  readonly slots: Slots;
  readonly queue: OriginQueue;
  readonly client: Http1Client;
  readonly breaker: CircuitBreaker;
  last_used: number;
};

const HEADERS_TIMEOUT_MS = 10_000;
const CALL_ENDED = new Error('the call has ended');
const EMPTY = Buffer.alloc(0);

export class Call implements Exchange, Waiter {
  readonly #destination: Destination;
  readonly #now: () => number;
  readonly #resolve: (response: OutboundResponse) => void;
  readonly #reject: (error: unknown) => void;
  readonly #started_at: number;
  readonly #method: Method;
  readonly #timeout_ms: number;
  readonly #headers_timeout_ms: number;
  readonly #max_response_bytes: number;
  #signal: Signal | undefined;
  /** Null once the message is encoded, or the call has ended. */
  #source: Message | { build: BuildMessage } | null;
  /** The encoded message; empty before it is built and after it is sent. */
  #encoded = '';
  #has_waited = false;
  /** When the call had its slot, and when it had its connection; 0 before. */
  #slot_at = 0;
  #connected_at = 0;
  #has_new_connection = false;
  #timer: NodeJS.Timeout | undefined;
  #connection: Connection | null = null;
  #is_connected = false;
  /** The body is complete or truncated: the state of the connection no longer matters. */
  #has_body = false;
  #is_settled = false;
  #status = 0;
  #headers: ResponseHeaders = {};
  #head = '';
  #encoding: Encoding | undefined;
  /** The first `#size` bytes of it have been received. */
  #body: Buffer = EMPTY;
  #size = 0;

  constructor(
    request: OutboundRequest,
    destination: Destination,
    now: () => number,
    resolve: (response: OutboundResponse) => void,
    reject: (error: unknown) => void,
  ) {
    this.#source = request;
    this.#signal = request.signal;
    this.#method = request.method;
    this.#timeout_ms = request.timeout_ms;
    this.#headers_timeout_ms = request.headers_timeout_ms ?? HEADERS_TIMEOUT_MS;
    this.#max_response_bytes = request.max_response_bytes;
    this.#destination = destination;
    this.#now = now;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#started_at = now();
    destination.last_used = this.#started_at;
  }

  /** Throws if the signal has fired already. After that, all errors go to the promise. */
  begin(): void {
    const { slots, queue } = this.#destination;
    if (this.#signal?.aborted) throw new SendError('aborted', 'aborted before it began');
    this.#timer = setTimeout(expire, this.#timeout_ms, this);
    this.#signal?.addEventListener('abort', this);
    const outcome = slots.acquire(queue, this);
    this.#has_waited = outcome === 'queued';
    if (outcome === 'acquired') this.start();
    else if (outcome === 'full') this.#fail('overloaded', 'too many calls of this group are waiting');
  }

  /** Called when the call has its slot. */
  start(): void {
    const source = this.#source;
    this.#slot_at = this.#now();
    try {
      if (source === null) throw CALL_ENDED;
      const message = 'build' in source ? source.build(this.#has_waited) : source;
      if (message instanceof Promise) {
        message.then((built) => this.#send(built)).catch((error: unknown) => this.#failBeforeSend(error));
      } else this.#send(message);
    } catch (error) {
      this.#failBeforeSend(error);
    }
  }

  #send(message: Message): void {
    const { client, breaker } = this.#destination;
    // The call may have timed out or been aborted while the message was being built.
    if (this.#is_settled) throw CALL_ENDED;
    this.#encoded = client.encode(this.#method, message);
    this.#source = null;
    if (!breaker.admits(this.#now()))
      throw new SendError('circuit_open', 'the origin could not be reached several times in a row', breaker.failure);
    client.connect(this);
  }

  /** Nothing was sent, and no connection is in use. */
  #failBeforeSend(error: unknown): void {
    if (!this.#is_settled) {
      this.#settle();
      this.#reject(error);
    }
    this.#releaseSlot();
  }

  /** Ends the call from our side, in any state. */
  stop(kind: SendErrorKind, reason: string): void {
    this.#fail(kind, reason);
    this.#destination.slots.cancel(this.#destination.queue, this);
    this.#connection?.fail(CALL_ENDED);
  }

  /** The request's signal fired. */
  handleEvent(): void {
    this.stop('aborted', 'the caller aborted the call');
  }

  expire(): void {
    this.stop('timeout', this.#status === 0 ? 'no status line in time' : 'no complete response in time');
  }

  onConnection(connection: Connection): void {
    this.#is_connected = true;
    this.#destination.breaker.connected();
    if (this.#is_settled) {
      // It ended while connecting: nothing is sent, and the next call can use the connection.
      connection.release();
      this.#releaseSlot();
      return;
    }
    this.#connection = connection;
    this.#connected_at = this.#now();
    this.#has_new_connection = connection.is_new;
    if (this.#headers_timeout_ms < this.#timeout_ms) this.#setTimer(this.#headers_timeout_ms);
    const encoded = this.#encoded;
    this.#encoded = '';
    connection.send(encoded, this.#method, this);
  }

  onHead({ text, status, headers, content_encoding }: ResponseHead): void {
    if (this.#headers_timeout_ms < this.#timeout_ms) this.#setTimer(this.#timeout_ms);
    this.#status = status;
    this.#headers = headers;
    this.#head = text;
    const encoding = content_encoding?.toLowerCase().replace(/^x-gzip$/, 'gzip') || 'identity'; // RFC 9110 8.4.1.3
    if (encoding === 'identity') return;
    if (isKnownEncoding(encoding)) this.#encoding = encoding;
    else {
      this.#fail('connection', `content-encoding ${encoding}`, 'malformed_response');
      this.#connection?.fail(CALL_ENDED);
    }
  }

  onBody(part: Buffer): void {
    const size = Math.min(this.#size + part.length, this.#max_response_bytes);
    if (size > this.#body.length) {
      // The buffer doubles, so that a body in a million parts is not copied a million times.
      const larger = Buffer.allocUnsafe(Math.min(Math.max(size, this.#body.length * 2), this.#max_response_bytes));
      this.#body.copy(larger, 0, 0, this.#size);
      this.#body = larger;
    }
    const isTruncated = this.#size + part.length > size;
    part.copy(this.#body, this.#size, 0, size - this.#size);
    this.#size = size;
    if (!isTruncated) return;
    this.#finishBody(true);
    this.#connection?.fail(CALL_ENDED);
  }

  onEnd(): void {
    this.#connection = null;
    this.#finishBody(false);
    this.#releaseSlot();
  }

  onError(error: Error): void {
    this.#connection = null;
    const { kind, reason, failure } = error instanceof SendError ? error : describeError(error);
    if (!this.#is_connected) {
      const { breaker } = this.#destination;
      if (kind === 'connection') breaker.failedToConnect(this.#now(), failure);
      else breaker.probeInconclusive();
    }
    if (!this.#has_body) this.#fail(kind, reason, failure);
    this.#releaseSlot();
  }

  #releaseSlot(): void {
    this.#destination.slots.release(this.#destination.queue);
  }

  /** Expires after `ms`, but not later than the timeout of the whole call. */
  #setTimer(ms: number): void {
    const elapsed = this.#now() - this.#started_at;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(expire, Math.max(1, Math.min(ms, this.#timeout_ms - elapsed)), this);
  }

  #finishBody(is_truncated: boolean): void {
    this.#has_body = true;
    const raw = this.#body.subarray(0, this.#size);
    if (this.#encoding === undefined || raw.length === 0) this.#succeed(raw, is_truncated);
    else {
      decode(raw, this.#encoding, this.#max_response_bytes, is_truncated).then(
        ({ body, truncated }) => this.#succeed(body, truncated),
        (error: Error) => this.#fail('connection', `undecodable body: ${error.message}`, 'malformed_response'),
      );
    }
  }

  #succeed(body: Buffer, truncated: boolean): void {
    if (this.#is_settled) return;
    this.#settle();
    const duration_ms = Math.round(this.#now() - this.#started_at);
    const stages = this.#stages();
    const [status, headers, head] = [this.#status, this.#headers, this.#head];
    const response = { status, headers, head, body, truncated, duration_ms, stages };
    deliverPaced(body.length, () => this.#resolve(response));
  }

  #fail(kind: SendErrorKind, reason: string, failure?: ConnectionFailure): void {
    if (this.#is_settled) return;
    // A response of 300 and above is reported by its status, even if its body is incomplete.
    if (this.#status >= 300 && (kind === 'timeout' || kind === 'connection')) {
      this.#succeed(this.#encoding === undefined ? this.#body.subarray(0, this.#size) : EMPTY, true);
      return;
    }
    this.#settle();
    const stages = this.#connected_at === 0 ? null : this.#stages();
    this.#reject(new SendError(kind, reason, failure, stages));
  }

  #stages(): Stages {
    return {
      queue_ms: Math.round(this.#slot_at - this.#started_at),
      connect_ms: this.#has_new_connection ? Math.round(this.#connected_at - this.#slot_at) : 0,
      upstream_ms: Math.round(this.#now() - this.#connected_at),
    };
  }

  /** A connection attempt may outlive the call and refers to it, so the request is dropped here. */
  #settle(): void {
    this.#is_settled = true;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this);
    this.#signal = undefined;
    this.#source = null;
    this.#encoded = '';
  }
}

function expire(call: Call): void {
  call.expire();
}
