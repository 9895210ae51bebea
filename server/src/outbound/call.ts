// One outgoing request from its first wait to its last byte: no stream, no AbortController and no closure per call.
// Its turn is given back only when the connection has been let go.

import type { AnswerHead } from './answer-head.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { Connection, Connections, Exchange } from './connections.ts';
import { decode, type Encoding, isKnownEncoding } from './decode.ts';
import { handOver } from './hand-over.ts';
import {
  type AnswerHeaders,
  type Message,
  type OutboundAnswer,
  type OutboundRequest,
  SendError,
  type SendErrorKind,
} from './messages.ts';
import { requestText } from './request-text.ts';
import type { Lane, Slots, Waiter } from './slots.ts';

/** The way of one part of a group to one origin. */
export type Route = {
  /** As in the Host header. */
  readonly host: string;
  readonly turns: Slots;
  readonly lane: Lane;
  readonly connections: Connections;
  readonly breaker: CircuitBreaker;
  last_used: number;
};

const HEADERS_TIMEOUT_MS = 10_000;
const STOPPED = new Error('the call is over');
const EMPTY = Buffer.alloc(0);

export class Call implements Exchange, Waiter {
  readonly #request: OutboundRequest;
  readonly #route: Route;
  readonly #now: () => number;
  readonly #resolve: (answer: OutboundAnswer) => void;
  readonly #reject: (error: unknown) => void;
  readonly #started_at: number;
  /** Empty until the call has its slot. */
  #text = '';
  #has_waited = false;
  #timer: NodeJS.Timeout | undefined;
  #connection: Connection | null = null;
  #is_connected = false;
  /** The body is complete or cut; what happens to the connection no longer matters. */
  #has_body = false;
  #is_settled = false;
  #status = 0;
  #headers: AnswerHeaders = {};
  #encoding: Encoding | undefined;
  /** Its first `#size` bytes have come; mostly it is as long as that. */
  #body: Buffer = EMPTY;
  #size = 0;

  constructor(
    request: OutboundRequest,
    route: Route,
    now: () => number,
    resolve: (answer: OutboundAnswer) => void,
    reject: (error: unknown) => void,
  ) {
    this.#request = request;
    this.#route = route;
    this.#now = now;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#started_at = now();
    route.last_used = this.#started_at;
  }

  /** Throws where the caller is gone already; from then on the promise tells. */
  begin(): void {
    const { signal, timeout_ms } = this.#request;
    if (signal?.aborted) throw new SendError('aborted', 'aborted before it began');
    this.#timer = setTimeout(expire, timeout_ms, this);
    signal?.addEventListener('abort', this);
    const turn = this.#route.turns.take(this.#route.lane, this);
    this.#has_waited = turn === 'wait';
    if (turn === 'go') this.start();
    else if (turn === 'full') this.#fail('overloaded', 'too many calls of this group are waiting');
  }

  /** It has its slot. */
  start(): void {
    const request = this.#request;
    try {
      const message = 'build' in request ? request.build(this.#has_waited) : request;
      if (message instanceof Promise) {
        message.then((built) => this.#send(built)).catch((error: unknown) => this.#abandon(error));
      } else this.#send(message);
    } catch (error) {
      this.#abandon(error);
    }
  }

  #send(message: Message): void {
    const { host, connections, breaker } = this.#route;
    // Its time may have run out, or its caller gone away, while the message was being built.
    if (this.#is_settled) throw STOPPED;
    this.#text = requestText(this.#request.method, host, message);
    if (!breaker.admits(this.#now()))
      throw new SendError('circuit_open', 'the origin could not be reached several times in a row');
    connections.give(this);
  }

  /** Nothing was sent: the slot is free for the next call. */
  #abandon(error: unknown): void {
    if (!this.#is_settled) {
      this.#settle();
      this.#reject(error);
    }
    this.#route.turns.giveBack(this.#route.lane);
  }

  /** Ends the call from our side, wherever it stands. */
  stop(kind: SendErrorKind, reason: string): void {
    this.#fail(kind, reason);
    this.#route.turns.leave(this.#route.lane, this);
    this.#connection?.fail(STOPPED);
  }

  /** The request's signal fired. */
  handleEvent(): void {
    this.stop('aborted', 'the caller went away');
  }

  expire(): void {
    this.stop('timeout', this.#status === 0 ? 'no status line in time' : 'no complete answer in time');
  }

  onConnection(connection: Connection): void {
    const { turns, lane, breaker } = this.#route;
    this.#is_connected = true;
    breaker.connected();
    if (this.#is_settled) {
      // It ended while connecting: nothing is sent, and the connection is good for the next one.
      connection.release();
      turns.giveBack(lane);
      return;
    }
    this.#connection = connection;
    const { timeout_ms, headers_timeout_ms = HEADERS_TIMEOUT_MS } = this.#request;
    if (headers_timeout_ms < timeout_ms) this.#setTimer(headers_timeout_ms);
    connection.send(this.#text, this.#request.method, this);
  }

  onHead({ status, headers, content_encoding }: AnswerHead): void {
    const { timeout_ms, headers_timeout_ms = HEADERS_TIMEOUT_MS } = this.#request;
    if (headers_timeout_ms < timeout_ms) this.#setTimer(timeout_ms);
    this.#status = status;
    this.#headers = headers;
    const encoding = content_encoding?.toLowerCase().replace(/^x-gzip$/, 'gzip') || 'identity'; // one thing, RFC 9110 8.4.1.3
    if (encoding === 'identity') return;
    if (isKnownEncoding(encoding)) this.#encoding = encoding;
    else {
      this.#fail('connection', `content-encoding ${encoding}`);
      this.#connection?.fail(STOPPED);
    }
  }

  onBody(part: Buffer): void {
    const { max_response_bytes } = this.#request;
    const size = Math.min(this.#size + part.length, max_response_bytes);
    if (size > this.#body.length) {
      // Twice as much each time: a body may come in a million parts.
      const larger = Buffer.allocUnsafe(Math.min(Math.max(size, this.#body.length * 2), max_response_bytes));
      this.#body.copy(larger, 0, 0, this.#size);
      this.#body = larger;
    }
    const isCut = this.#size + part.length > size;
    part.copy(this.#body, this.#size, 0, size - this.#size);
    this.#size = size;
    if (!isCut) return;
    this.#finishBody(true);
    this.#connection?.fail(STOPPED);
  }

  onEnd(): void {
    this.#connection = null;
    this.#finishBody(false);
    this.#route.turns.giveBack(this.#route.lane);
  }

  onError(error: Error): void {
    this.#connection = null;
    const { kind, reason } = error instanceof SendError ? error : describe(error);
    const { turns, lane, breaker } = this.#route;
    if (!this.#is_connected) {
      if (kind === 'connection') breaker.failedToConnect(this.#now());
      else breaker.probeInconclusive();
    }
    if (!this.#has_body) this.#fail(kind, reason);
    turns.giveBack(lane);
  }

  /** So long from now, but not beyond the time of the whole call. */
  #setTimer(ms: number): void {
    const { timeout_ms } = this.#request;
    const elapsed = this.#now() - this.#started_at;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(expire, Math.max(1, Math.min(ms, timeout_ms - elapsed)), this);
  }

  #finishBody(is_cut: boolean): void {
    this.#has_body = true;
    const raw = this.#body.subarray(0, this.#size);
    if (this.#encoding === undefined || raw.length === 0) this.#answer(raw, is_cut);
    else {
      decode(raw, this.#encoding, this.#request.max_response_bytes, is_cut).then(
        ({ body, truncated }) => this.#answer(body, truncated),
        (error: Error) => this.#fail('connection', `undecodable body: ${error.message}`),
      );
    }
  }

  #answer(body: Buffer, truncated: boolean): void {
    if (this.#is_settled) return;
    this.#settle();
    const duration_ms = Math.round(this.#now() - this.#started_at);
    const answer = { status: this.#status, headers: this.#headers, body, truncated, duration_ms };
    handOver(body.length, () => this.#resolve(answer));
  }

  #fail(kind: SendErrorKind, reason: string): void {
    if (this.#is_settled) return;
    // An error is told by its status: what is missing of its body changes nothing.
    if (this.#status >= 300 && (kind === 'timeout' || kind === 'connection')) {
      this.#answer(this.#encoding === undefined ? this.#body.subarray(0, this.#size) : EMPTY, true);
      return;
    }
    this.#settle();
    this.#reject(new SendError(kind, reason));
  }

  #settle(): void {
    this.#is_settled = true;
    clearTimeout(this.#timer);
    this.#request.signal?.removeEventListener('abort', this);
  }
}

function expire(call: Call): void {
  call.expire();
}

function describe(error: Error & { code?: string }): { kind: SendErrorKind; reason: string } {
  return { kind: 'connection', reason: error.code ? `${error.code}: ${error.message}` : error.message };
}
