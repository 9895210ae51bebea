// One connection. It carries one exchange at a time and then goes back to its pool.
// It keeps a reference to the exchange only until the exchange ends: a pooled connection holds no request.

import type { Duplex } from 'node:stream';
import type { BodyStream } from '../messages.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { ResponseReader, type ResponseReceiver } from './response-reader.ts';
import { streamBody } from './stream-body.ts';

/** Opens a connection. The listener is called later, never before this returns. */
export type Connect = (listener: ConnectListener) => CancelConnect;
/** Until the listener has been called: ends the attempt with this error. */
type CancelConnect = (error: Error) => void;

export interface ConnectListener {
  /** Either this or `onConnectError` is called, once. */
  onConnect(socket: Duplex): void;
  onConnectError(error: Error): void;
  /** The memory of `bytes` is reused after this returns. False: the connection pauses; it is resumed later. */
  onBytes(bytes: Buffer): boolean;
}

/** A call, as its connection sees it. */
export interface Exchange extends ResponseReceiver {
  /** The request may be sent now. */
  onConnection(connection: Connection): void;
  /** The response is complete, and the connection is back in its pool. */
  onEnd(): void;
  /** No connection could be opened, or it was lost: there will be no more of the response. */
  onError(error: Error): void;
  /** Calls back, perhaps before this returns, when there is room for more of the body. */
  whenRoom(resume: () => void): void;
}

/** Calls back when the connection may read on, never before this returns. */
export type ResumeLater = (resume: () => void) => void;

/** So much of a response is read as it comes. */
export const READ_AT_ONCE_BYTES = 64 * 1024;
/** A busy connection is not reused longer than this, so that an address removed from DNS is left in time. */
const MAX_AGE_MS = 60_000;
const NOT_REUSABLE = new Error('the connection is not reusable');

export class Connection implements ConnectListener {
  readonly #pool: ConnectionPool;
  readonly #now: () => number;
  readonly #resumeLater: ResumeLater;
  readonly #reader = new ResponseReader();
  #socket: Duplex | null = null;
  #cancelConnect: CancelConnect | null = null;
  #exchange: Exchange | null;
  /** The response is complete, and the exchange has not been notified yet. */
  #is_complete = false;
  /** It waits until it may read on. */
  #is_paused = false;
  /** A streamed request is not sent completely. */
  #is_streaming = false;
  #expires_at = 0;
  #reusable_until = 0;
  /** It was opened for the current exchange. */
  is_new = true;
  /** It is not used for another exchange. */
  is_retired = false;

  constructor(pool: ConnectionPool, now: () => number, resumeLater: ResumeLater, exchange: Exchange) {
    this.#pool = pool;
    this.#now = now;
    this.#resumeLater = resumeLater;
    this.#exchange = exchange;
  }

  open(connect: Connect): void {
    this.#cancelConnect = connect(this);
  }

  onConnect(socket: Duplex): void {
    this.#cancelConnect = null;
    this.#socket = socket;
    this.#expires_at = this.#now() + MAX_AGE_MS;
    socket.on('error', (error) => this.#lose(error));
    socket.on('end', () => this.#end());
    socket.on('close', () => this.#lose(new Error('the connection is closed')));
    // Bytes go to `onBytes`. Without resume() the `end` event would not be emitted.
    socket.resume();
    this.#exchange?.onConnection(this);
  }

  onConnectError(error: Error): void {
    this.#cancelConnect = null;
    this.fail(error);
  }

  onBytes(bytes: Buffer): boolean {
    try {
      if (this.#reader.read(bytes)) this.#complete();
    } catch (error) {
      this.#lose(error as Error);
    }
    const is_large = this.#exchange !== null && !this.#is_complete && this.#reader.body_bytes >= READ_AT_ONCE_BYTES;
    if (is_large && !this.#is_paused) {
      this.#is_paused = true;
      this.#resumeLater(() => this.#resume());
    }
    return !is_large;
  }

  #resume(): void {
    if (this.#exchange) this.#exchange.whenRoom(() => this.#readOn());
    else this.#readOn();
  }

  #readOn(): void {
    this.#is_paused = false;
    this.#socket?.resume();
  }

  /** `body`: what follows `request`. */
  send(request: string | Buffer, method: string, exchange: Exchange, body?: BodyStream): void {
    this.#exchange = exchange;
    this.#reader.begin(method, exchange);
    this.#socket?.write(request);
    if (body) this.#stream(body, exchange);
  }

  #stream(body: BodyStream, exchange: Exchange): void {
    this.#is_streaming = true;
    const isCurrent = () => this.#exchange === exchange;
    streamBody(this.#socket as Duplex, body, isCurrent)
      .then((is_sent) => {
        this.#is_streaming = !is_sent;
      })
      .catch((error: Error) => {
        if (isCurrent()) this.fail(error);
      });
  }

  /** Closes the connection. Its exchange, if any, ends with this error. */
  fail(error: Error): void {
    if (this.#cancelConnect) {
      this.#cancelConnect(error); // calls onConnectError
      return;
    }
    const exchange = this.#exchange;
    this.#exchange = null;
    this.#is_complete = false;
    this.#reader.stop();
    this.#pool.remove(this);
    this.#socket?.destroy();
    exchange?.onError(error);
  }

  /** The exchange no longer needs the connection. */
  release(): void {
    this.#exchange = null;
    this.is_new = false;
    const { keep_alive_ms } = this.#reader;
    // If the response came before the request was sent completely, the rest would be read as the next request.
    // (Checked here and not when the response came: TLS reports a finished write only at the end of the event loop iteration.)
    const is_sent = !this.#is_streaming && (this.#socket?.writableLength ?? 0) === 0;
    if (keep_alive_ms === 0 || this.is_retired || !is_sent) this.fail(NOT_REUSABLE);
    else {
      this.#reusable_until = Math.min(this.#expires_at, this.#now() + keep_alive_ms);
      this.#pool.addIdle(this);
    }
  }

  /** Closes an idle connection that may no longer be reused. Returns whether it did. */
  closeIfExpired(): boolean {
    const isExpired = this.#now() >= this.#reusable_until;
    if (isExpired) this.fail(NOT_REUSABLE);
    return isExpired;
  }

  /** Closes a connection that has no exchange. Returns whether it did. */
  closeIfRetired(): boolean {
    if (this.is_retired) this.fail(NOT_REUSABLE);
    return this.is_retired;
  }

  #end(): void {
    if (this.#reader.close()) this.#complete();
    else this.#lose(new Error('the other side closed the connection'));
  }

  /** The connection is lost; a response that is complete already stays valid. */
  #lose(error: Error): void {
    if (this.#is_complete) this.#reader.keep_alive_ms = 0;
    else this.fail(error);
  }

  /**
   * The exchange is notified only after everything that arrived together with the response has been read: extra bytes would
   * otherwise be read as the response to the next request, and a connection that is already closed would fail it.
   */
  #complete(): void {
    this.#is_complete = true;
    if (completed.push(this) === 1) setImmediate(finishCompleted);
  }

  finish(): void {
    if (!this.#is_complete) return; // it was closed from our side meanwhile
    this.#is_complete = false;
    const exchange = this.#exchange;
    this.release();
    exchange?.onEnd();
  }
}

/** For all pools: one setImmediate serves all responses that were completed in the same event loop iteration. */
let completed: Connection[] = [];

function finishCompleted(): void {
  const due = completed;
  completed = [];
  for (const connection of due) connection.finish();
}
