// One outgoing request from its first wait to its last byte. It is undici's dispatch handler itself: no stream,
// no AbortController and no closure per call. The slot is given back only when undici has let go of the connection.

import type { Dispatcher } from 'undici';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { decode, type Encoding, isKnownEncoding } from './decode.ts';
import {
  type AnswerHeaders,
  type OutboundAnswer,
  type OutboundRequest,
  SendError,
  type SendErrorKind,
} from './messages.ts';
import type { Lane, ProjectTurns, Waiter } from './turns.ts';
import { isWirePath, wireHeaders } from './wire-headers.ts';

/** One project's way to one origin. */
export type Route = {
  readonly turns: ProjectTurns;
  readonly lane: Lane;
  readonly pool: Dispatcher;
  readonly breaker: CircuitBreaker;
  last_used: number;
};

type Headers = Record<string, string | string[] | undefined>;

const HEADERS_TIMEOUT_MS = 10_000;
const STOPPED = new Error('the call is over');
const EMPTY = Buffer.alloc(0);

export class Call implements Dispatcher.DispatchHandler, Waiter {
  readonly #request: OutboundRequest;
  readonly #route: Route;
  readonly #now: () => number;
  readonly #resolve: (answer: OutboundAnswer) => void;
  readonly #reject: (error: SendError) => void;
  readonly #started_at: number;
  #wire_headers: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #is_connected = false;
  /** The body is complete or cut; what happens to the connection no longer matters. */
  #has_body = false;
  #is_settled = false;
  #status = 0;
  #headers: AnswerHeaders = {};
  #encoding: Encoding | undefined;
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(
    request: OutboundRequest,
    route: Route,
    now: () => number,
    resolve: (answer: OutboundAnswer) => void,
    reject: (error: SendError) => void,
  ) {
    this.#request = request;
    this.#route = route;
    this.#now = now;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#started_at = now();
    route.last_used = this.#started_at;
  }

  /** Throws where the request cannot be sent at all; from then on the promise tells. */
  begin(): void {
    const { headers, path, signal, timeout_ms } = this.#request;
    if (!isWirePath(path)) throw new SendError('invalid', `path ${JSON.stringify(path)}`);
    if (signal?.aborted) throw new SendError('aborted', 'aborted before it began');
    this.#wire_headers = wireHeaders(headers);
    this.#timer = setTimeout(expire, timeout_ms, this);
    signal?.addEventListener('abort', this);
    const turn = this.#route.turns.take(this.#route.lane, this);
    if (turn === 'go') this.start();
    else if (turn === 'full') this.#fail('overloaded', 'too many calls of this project are waiting');
  }

  /** Its turn has come. */
  start(): void {
    const { turns, lane, pool, breaker } = this.#route;
    if (!breaker.admits(this.#now())) {
      this.#fail('circuit_open', 'the origin could not be reached several times in a row');
      turns.giveBack(lane);
      return;
    }
    const { path, method, body, timeout_ms, headers_timeout_ms = HEADERS_TIMEOUT_MS } = this.#request;
    pool.dispatch(
      {
        path,
        method,
        headers: this.#wire_headers,
        body: body ?? null,
        headersTimeout: Math.min(headers_timeout_ms, timeout_ms),
      },
      this,
    );
  }

  /** Ends the call from our side, wherever it stands. */
  stop(kind: SendErrorKind, reason: string): void {
    this.#fail(kind, reason);
    this.#route.turns.leave(this.#route.lane, this);
    this.#controller?.abort(STOPPED);
  }

  /** The request's signal fired. */
  handleEvent(): void {
    this.stop('aborted', 'the caller went away');
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#is_connected = true;
    this.#route.breaker.connected();
    this.#controller = controller;
    // It ended while connecting: nothing has been written yet, and nothing will be.
    if (this.#is_settled) controller.abort(STOPPED);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = keptHeaders(headers);
    const encoding = first(headers['content-encoding'])?.trim().toLowerCase() || 'identity';
    if (isKnownEncoding(encoding)) this.#encoding = encoding;
    else if (encoding !== 'identity') {
      this.#fail('connection', `content-encoding ${encoding}`);
      controller.abort(STOPPED);
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = this.#request.max_response_bytes - this.#size;
    if (chunk.length <= room) {
      this.#chunks.push(chunk);
      this.#size += chunk.length;
      return;
    }
    this.#chunks.push(chunk.subarray(0, room));
    this.#finishBody(true);
    controller.abort(STOPPED);
  }

  onResponseEnd(): void {
    this.#finishBody(false);
    this.#route.turns.giveBack(this.#route.lane);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    const { kind, reason } = error instanceof SendError ? error : describe(error);
    const { turns, lane, breaker } = this.#route;
    if (!this.#is_connected) {
      if (kind === 'connection') breaker.failedToConnect(this.#now());
      else breaker.learntNothing();
    }
    if (!this.#has_body) this.#fail(kind, reason);
    turns.giveBack(lane);
  }

  #finishBody(is_cut: boolean): void {
    this.#has_body = true;
    const [only = EMPTY] = this.#chunks;
    const raw = this.#chunks.length > 1 ? Buffer.concat(this.#chunks) : only;
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
    this.#resolve({ status: this.#status, headers: this.#headers, body, truncated, duration_ms });
  }

  #fail(kind: SendErrorKind, reason: string): void {
    if (this.#is_settled) return;
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
  call.stop('timeout', 'no complete answer in time');
}

function keptHeaders(headers: Headers): AnswerHeaders {
  const kept: AnswerHeaders = {};
  const type = first(headers['content-type']);
  const retry = first(headers['retry-after']);
  const cache = first(headers['cache-control']);
  if (type !== undefined) kept['content-type'] = type;
  if (retry !== undefined) kept['retry-after'] = retry;
  if (cache !== undefined) kept['cache-control'] = cache;
  return kept;
}

function first(value: string | string[] | undefined): string | undefined {
  return typeof value === 'object' ? value[0] : value;
}

function describe(error: Error & { code?: string }): { kind: SendErrorKind; reason: string } {
  const reason = error.code ? `${error.code}: ${error.message}` : error.message;
  switch (error.code) {
    case 'UND_ERR_HEADERS_TIMEOUT':
      return { kind: 'timeout', reason };
    case 'UND_ERR_DESTROYED':
    case 'UND_ERR_CLOSED':
      return { kind: 'aborted', reason };
    case 'UND_ERR_INVALID_ARG':
    case 'UND_ERR_NOT_SUPPORTED':
      return { kind: 'invalid', reason };
    default:
      return { kind: 'connection', reason };
  }
}
