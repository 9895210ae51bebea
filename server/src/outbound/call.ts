// One outbound call, from waiting for its slot to the last byte of the response. No stream, AbortController or closure per call.
// The slot is released only after the connection. The request is dropped as soon as it has been sent.

import { BodyBuffer } from './body-buffer.ts';
import type { Destination, Received, Sent, State, Terms } from './call-state.ts';
import { beginningOf, stagesOf, termsOf } from './call-state.ts';
import { describeError } from './connection-failure.ts';
import { decode, encodingOf, isKnownEncoding } from './decode.ts';
import { freeMemory } from './free-memory.ts';
import type { Connection, Exchange, ResponseHead } from './http1/client.ts';
import type { ConnectionFailure, Message, OutboundRequest, OutboundResponse, SendErrorKind } from './messages.ts';
import { SendError } from './messages.ts';
import { deliverPaced } from './paced.ts';
import type { Requester } from './requester.ts';
import type { Waiter } from './slots.ts';
import { Spill } from './spill.ts';

/** A body that goes on although a watcher has seen enough of it: most end by themselves, so that the connection can be reused. */
const REST_OF_BODY_MS = 250;
const CALL_ENDED = new Error('the call is already finished');
const EMPTY = Buffer.alloc(0);

export class Call implements Exchange, Waiter {
  readonly #destination: Destination;
  readonly #now: () => number;
  readonly #resolve: (response: OutboundResponse) => void;
  readonly #reject: (error: unknown) => void;
  readonly #started_at: number;
  readonly #terms: Terms;
  #requester: Requester | undefined;
  #timer: NodeJS.Timeout | undefined;
  #state: State;

  constructor(
    request: OutboundRequest,
    destination: Destination,
    now: () => number,
    resolve: (response: OutboundResponse) => void,
    reject: (error: unknown) => void,
  ) {
    this.#state = { at: 'waiting', source: request };
    this.#requester = request.requester;
    this.#terms = termsOf(request);
    this.#destination = destination;
    this.#now = now;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#started_at = now();
    destination.last_used = this.#started_at;
  }

  /** Throws if the requester is gone already. After that, all errors go to the promise. */
  begin(): void {
    const { slots, queue } = this.#destination;
    if (this.#requester?.is_gone) throw new SendError('aborted', 'aborted before it started');
    this.#timer = setTimeout(expire, this.#terms.timeout_ms, this);
    this.#requester?.calls.add(this);
    const outcome = slots.acquire(queue, this);
    if (outcome === 'acquired') this.#build(false);
    else if (outcome === 'full') this.#fail('overloaded', 'too many calls of this group are waiting');
  }

  /** Called when the call has its slot, after it waited for it. */
  start(): void {
    this.#build(true);
  }

  #build(has_waited: boolean): void {
    const state = this.#state;
    try {
      if (state.at !== 'waiting') throw CALL_ENDED;
      const { source } = state;
      this.#state = { at: 'building', slot_at: this.#now() };
      const message = 'build' in source ? source.build(has_waited) : source;
      if (message instanceof Promise) {
        message.then((built) => this.#send(built)).catch((error: unknown) => this.#failBeforeSend(error));
      } else this.#send(message);
    } catch (error) {
      this.#failBeforeSend(error);
    }
  }

  #send(message: Message): void {
    const { client, breaker } = this.#destination;
    const state = this.#state;
    // The call may have timed out or been aborted while the message was being built.
    if (state.at !== 'building') throw CALL_ENDED;
    const { body } = message;
    const streamed = typeof body === 'object' && 'read' in body ? body : undefined;
    const encoded = client.encode(this.#terms.method, message);
    this.#state = { at: 'connecting', slot_at: state.slot_at, encoded, streamed };
    if (!breaker.admits(this.#now()))
      throw new SendError('circuit_open', 'the origin could not be reached several times in a row', breaker.failure);
    client.connect(this);
  }

  /** Nothing was sent, and no connection is in use. */
  #failBeforeSend(error: unknown): void {
    if (this.#state.at !== 'settled') {
      this.#settle();
      this.#reject(error);
    }
    this.#releaseSlot();
  }

  /** Ends the call from our side, in any state. */
  stop(kind: SendErrorKind, reason: string): void {
    const state = this.#state;
    this.#fail(kind, reason);
    this.#destination.slots.cancel(this.#destination.queue, this);
    if (state.at === 'sent' || state.at === 'receiving') state.sent.connection.fail(CALL_ENDED);
  }

  requesterGone(): void {
    this.stop('aborted', 'the caller aborted the call');
  }

  expire(): void {
    this.stop('timeout', 'received' in this.#state ? 'no complete response in time' : 'no status line in time');
  }

  onConnection(connection: Connection): void {
    const state = this.#state;
    this.#destination.breaker.connected();
    if (state.at !== 'connecting') {
      // It ended while connecting: nothing is sent, and the next call can use the connection.
      connection.release();
      this.#releaseSlot();
      return;
    }
    const { slot_at, encoded, streamed } = state;
    const sent = { slot_at, connected_at: this.#now(), connection, has_new_connection: connection.is_new };
    this.#state = { at: 'sent', sent };
    if (this.#terms.headers_timeout_ms < this.#terms.timeout_ms) this.#setTimer(this.#terms.headers_timeout_ms);
    connection.send(encoded, this.#terms.method, this, streamed);
  }

  onHead(head: ResponseHead): void {
    const state = this.#state;
    if (state.at !== 'sent') return;
    const { sent } = state;
    if (this.#terms.headers_timeout_ms < this.#terms.timeout_ms) this.#setTimer(this.#terms.timeout_ms);
    const received: Received = { head, encoding: undefined, body: new BodyBuffer(this.#terms.max_response_bytes) };
    this.#state = { at: 'receiving', sent, received };
    const encoding = encodingOf(head.content_encoding);
    if (encoding === 'identity') return;
    if (isKnownEncoding(encoding)) received.encoding = encoding;
    else {
      this.#fail('connection', `content-encoding ${encoding}`, 'malformed_response');
      sent.connection.fail(CALL_ENDED);
    }
  }

  onBody(bytes: Buffer, start: number, end: number): void {
    const state = this.#state;
    if (state.at !== 'receiving') return;
    const { sent, received } = state;
    if (
      received.spill ||
      (!received.body.hasRoomFor(end - start) &&
        this.#beginSpill(sent, received, beginningOf(received, bytes.subarray(start, end))))
    ) {
      received.spill?.add(bytes.subarray(start, end));
      return;
    }
    const fits = received.body.add(bytes, start, end);
    if (fits && !this.#isEnough(bytes, start, end, received)) return;
    this.#finishBody(state, !fits);
    if (fits) this.#timer = setTimeout(endConnection, REST_OF_BODY_MS, sent.connection);
    else sent.connection.fail(CALL_ENDED);
  }

  #isEnough(bytes: Buffer, start: number, end: number, { head, encoding }: Received): boolean {
    return (
      this.#terms.watch !== undefined && encoding === undefined && this.#terms.watch(bytes.subarray(start, end), head)
    );
  }

  whenRoom(resume: () => void): void {
    const spill = this.#state.at === 'receiving' && this.#state.received.spill;
    spill ? spill.whenRoom(resume) : resume();
  }

  /** The whole body goes elsewhere. Returns false if nothing takes it. */
  #beginSpill(sent: Sent, received: Received, beginning: Buffer): boolean {
    const receive = this.#terms.overflow?.(received.head, beginning);
    if (!receive) return false;
    received.spill = new Spill(receive, received.encoding, (error) => this.#endSpill(sent, received.head, error));
    const raw = received.body.bytes();
    received.spill.add(raw);
    freeMemory(raw);
    received.body = new BodyBuffer(0);
    return true;
  }

  /** Null: it was received completely. */
  #endSpill(sent: Sent, head: ResponseHead, error: Error | null): void {
    const { at } = this.#state;
    if (error === null && at === 'decoding') this.#succeed(sent, head, EMPTY, false);
    else if (at !== 'settled') {
      this.#settle();
      this.#reject(error ?? new SendError('invalid', 'the body was not received to its end'));
      if (at === 'receiving') sent.connection.fail(CALL_ENDED);
    }
  }

  onEnd(): void {
    if (this.#state.at === 'receiving') this.#finishBody(this.#state, false);
    this.#releaseSlot();
  }

  onError(error: Error): void {
    const state = this.#state;
    const { kind, reason, failure } = error instanceof SendError ? error : describeError(error);
    if (state.at === 'connecting' || (state.at === 'settled' && !state.has_connected)) {
      const { breaker } = this.#destination;
      if (kind === 'connection') breaker.failedToConnect(this.#now(), failure);
      else breaker.probeInconclusive();
    }
    if (state.at !== 'decoding') this.#fail(kind, reason, failure);
    this.#releaseSlot();
  }

  #releaseSlot(): void {
    if (this.#state.at !== 'decoding') clearTimeout(this.#timer); // to decode and store a body counts toward it too
    this.#destination.slots.release(this.#destination.queue);
  }

  /** Expires after `ms`, but not later than the timeout of the whole call. */
  #setTimer(ms: number): void {
    const elapsed = this.#now() - this.#started_at;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(expire, Math.max(1, Math.min(ms, this.#terms.timeout_ms - elapsed)), this);
  }

  #finishBody({ sent, received }: State & { at: 'receiving' }, is_truncated: boolean): void {
    const { head, encoding, spill } = received;
    const raw = received.body.bytes();
    if (spill) {
      this.#state = { at: 'decoding', sent, received };
      spill.end();
    } else if (encoding === undefined || raw.length === 0) this.#succeed(sent, head, raw, is_truncated);
    else {
      this.#state = { at: 'decoding', sent, received };
      decode(raw, encoding, this.#terms.max_response_bytes, is_truncated).then(
        ({ body, truncated }) => {
          if (truncated && !is_truncated && this.#beginSpill(sent, received, body)) received.spill?.end();
          else this.#succeed(sent, head, body, truncated);
        },
        (error: Error) => this.#fail('connection', `undecodable body: ${error.message}`, 'malformed_response'),
      );
    }
  }

  #succeed(sent: Sent, { status, headers, text: head }: ResponseHead, body: Buffer, truncated: boolean): void {
    if (this.#state.at === 'settled') return;
    this.#settle();
    const duration_ms = Math.round(this.#now() - this.#started_at);
    const stages = stagesOf(sent, this.#started_at, this.#now());
    const response = { status, headers, head, body, truncated, duration_ms, stages };
    deliverPaced(this.#destination.queue.part.group.share, body.length, () => this.#resolve(response));
  }

  #fail(kind: SendErrorKind, reason: string, failure?: ConnectionFailure): void {
    const state = this.#state;
    if (state.at === 'settled') return;
    // A response of 300 and above is reported by its status, even if its body is incomplete.
    if ('received' in state && state.received.head.status >= 300 && (kind === 'timeout' || kind === 'connection')) {
      const { head, encoding, body } = state.received;
      this.#succeed(state.sent, head, encoding === undefined ? body.bytes() : EMPTY, true);
      return;
    }
    this.#settle();
    this.#reject(
      new SendError(
        kind,
        reason,
        failure,
        'sent' in state ? stagesOf(state.sent, this.#started_at, this.#now()) : null,
      ),
    );
  }

  /** A connection attempt may outlive the call and refers to it, so the request is dropped here. */
  #settle(): void {
    if ('received' in this.#state) this.#state.received.spill?.stop();
    this.#state = { at: 'settled', has_connected: 'sent' in this.#state };
    clearTimeout(this.#timer);
    this.#requester?.calls.delete(this);
    this.#requester = undefined;
  }
}

function expire(call: Call): void {
  call.expire();
}

function endConnection(connection: Connection): void {
  connection.fail(CALL_ENDED);
}
