// The TLS connections of one route: each carries one call at a time and is then kept for the next one, for a while.

import type { TLSSocket } from 'node:tls';
import { AnswerReader, type Receiver } from './answer-reader.ts';
import type { Abandon, Connect } from './connect.ts';
import { SendError } from './messages.ts';

/** An address that DNS no longer gives must not live on in a busy connection. */
const LONGEST_LIFE_MS = 60_000;
const LOOK_FOR_OLD_EVERY_MS = 5_000;
const NOT_KEPT = new Error('the connection is not kept');
const CLOSED = new SendError('aborted', 'closed');

/** A call as its connection sees it. */
export interface Exchange extends Receiver {
  /** It may send now. */
  onConnection(connection: Connection): void;
  /** The answer is complete, and the connection no longer this call's. */
  onEnd(): void;
  /** There is no connection, or no more: nothing will come. */
  onError(error: Error): void;
}

export class Connection {
  readonly #socket: TLSSocket;
  readonly #reader = new AnswerReader();
  readonly #owner: Connections;
  #exchange: Exchange | null = null;
  /** The answer has come, and the call does not know yet. */
  #is_complete = false;
  /** By the owner's clock. */
  readonly dies_at: number;
  good_until: number;

  constructor(socket: TLSSocket, owner: Connections, now: number) {
    this.#socket = socket;
    this.#owner = owner;
    this.dies_at = now + LONGEST_LIFE_MS;
    this.good_until = this.dies_at;
    socket.on('error', (error) => this.#break(error));
    socket.on('end', () => this.#end());
    socket.on('close', () => this.#break(new Error('the connection is closed')));
    // What comes is handed to `receive`; this lets its end be noticed, too.
    socket.resume();
  }

  send(text: string, method: string, exchange: Exchange): void {
    this.#exchange = exchange;
    this.#reader.begin(method, exchange);
    this.#socket.write(text);
  }

  receive(bytes: Buffer): void {
    try {
      if (this.#reader.read(bytes)) this.#complete();
    } catch (error) {
      this.#break(error as Error);
    }
  }

  /** Ends the connection, and the call it carries with this error. */
  fail(error: Error): void {
    const exchange = this.#exchange;
    this.#exchange = null;
    this.#is_complete = false;
    this.#reader.stop();
    this.#owner.forget(this);
    this.#socket.destroy();
    exchange?.onError(error);
  }

  /** The call needs it no more: the next one may. */
  release(): void {
    this.#exchange = null;
    const { keep_alive_ms } = this.#reader;
    // An answer to a request that is not all sent: what is left of it would be taken for the next one.
    // (Asked here and not when the answer came: TLS says that a write is done only at the end of a turn of the event loop.)
    if (keep_alive_ms === 0 || this.#socket.writableLength > 0) this.fail(NOT_KEPT);
    else this.#owner.keep(this, keep_alive_ms);
  }

  #end(): void {
    if (this.#reader.close()) this.#complete();
    else this.#break(new Error('the other side closed the connection'));
  }

  /** It is good for nothing more, but an answer that was complete before stands. */
  #break(error: Error): void {
    if (this.#is_complete) this.#reader.keep_alive_ms = 0;
    else this.fail(error);
  }

  /**
   * Whatever arrived together with the answer is looked at first: bytes behind it would otherwise be read as the answer to
   * the next request, and a connection that is closed already would fail it.
   */
  #complete(): void {
    this.#is_complete = true;
    if (completed.push(this) === 1) setImmediate(settleCompleted);
  }

  settle(): void {
    if (!this.#is_complete) return; // our side ended it meanwhile
    this.#is_complete = false;
    const exchange = this.#exchange;
    this.release();
    exchange?.onEnd();
  }
}

/** Of all routes: one look at the end of a turn of the event loop is enough for all answers that came in it. */
let completed: Connection[] = [];

function settleCompleted(): void {
  const due = completed;
  completed = [];
  for (const connection of due) connection.settle();
}

/** A call that is about to use a kept connection. */
type Reuse = { connections: Connections; connection: Connection; exchange: Exchange };
let reuses: Reuse[] = [];

/**
 * A byte too many, or the end of the connection, may have arrived while it was idle without having been read yet: with the
 * request sent at once, that byte would begin the answer to it. So one whole turn of the event loop comes first, in which
 * everything that has arrived is read: the first setImmediate ends the turn that has begun, the second the whole one.
 */
function reuseWhenQuiet(reuse: Reuse): void {
  if (reuses.push(reuse) === 1) setImmediate(beginQuietTurn);
}

function beginQuietTurn(): void {
  const due = reuses;
  reuses = [];
  setImmediate(endQuietTurn, due);
}

function endQuietTurn(due: Reuse[]): void {
  for (const { connections, connection, exchange } of due) connections.reuse(connection, exchange);
}

export class Connections {
  readonly #connect: Connect;
  readonly #now: () => number;
  readonly #open = new Set<Connection>();
  readonly #connecting = new Set<Abandon>();
  /** The one used last is used next, so that the others can end. */
  readonly #idle: Connection[] = [];
  #looking: NodeJS.Timeout | undefined;
  #is_destroyed = false;

  constructor(connect: Connect, now: () => number) {
    this.#connect = connect;
    this.#now = now;
  }

  /** Gives the call a connection. How many calls there are at a time is the lane's affair. */
  give(exchange: Exchange): void {
    const idle = this.#takeIdle();
    if (this.#is_destroyed) exchange.onError(CLOSED);
    else if (idle) reuseWhenQuiet({ connections: this, connection: idle, exchange });
    else this.#openFor(exchange);
  }

  /** After a quiet turn; a connection that a byte came over, or that was closed, is no longer open. */
  reuse(connection: Connection, exchange: Exchange): void {
    if (this.#open.has(connection)) exchange.onConnection(connection);
    else this.give(exchange);
  }

  #takeIdle(): Connection | undefined {
    const now = this.#now();
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (now < idle.good_until) return idle;
      idle.fail(NOT_KEPT);
    }
    return undefined;
  }

  #openFor(exchange: Exchange): void {
    let connection: Connection | undefined;
    const abandon = this.#connect(
      (bytes) => connection?.receive(bytes),
      (error, socket) => {
        this.#connecting.delete(abandon);
        if (error) return exchange.onError(error);
        connection = new Connection(socket, this, this.#now());
        this.#open.add(connection);
        exchange.onConnection(connection);
      },
    );
    this.#connecting.add(abandon);
  }

  keep(connection: Connection, keep_alive_ms: number): void {
    connection.good_until = Math.min(connection.dies_at, this.#now() + keep_alive_ms);
    this.#idle.push(connection);
    this.#looking ??= setTimeout(() => this.#closeOld(), LOOK_FOR_OLD_EVERY_MS).unref();
  }

  forget(connection: Connection): void {
    if (!this.#open.delete(connection)) return;
    const at = this.#idle.indexOf(connection);
    if (at !== -1) this.#idle.splice(at, 1);
  }

  #closeOld(): void {
    const now = this.#now();
    this.#looking = undefined;
    for (const connection of [...this.#idle]) if (connection.good_until <= now) connection.fail(NOT_KEPT);
    if (this.#idle.length > 0) this.#looking = setTimeout(() => this.#closeOld(), LOOK_FOR_OLD_EVERY_MS).unref();
  }

  /** Whatever is under way ends as aborted, and whatever comes. */
  destroy(): void {
    this.#is_destroyed = true;
    clearTimeout(this.#looking);
    for (const connection of [...this.#open]) connection.fail(CLOSED);
    for (const abandon of [...this.#connecting]) abandon(CLOSED);
  }
}
