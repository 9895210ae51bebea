// The connections to one destination. Idle ones are kept for the next exchange for a limited time.

import { SendError } from '../messages.ts';
import { type Connect, Connection, type Exchange, type ResumeLater } from './connection.ts';

const CLOSE_EXPIRED_EVERY_MS = 5_000;
const CLOSED = new SendError('aborted', 'closed');

/** An exchange that is about to use an idle connection. */
type Reuse = { pool: ConnectionPool; connection: Connection; exchange: Exchange };
let reuses: Reuse[] = [];

/**
 * An extra byte, or the end of the connection, may have arrived without having been read yet. If the request were sent at
 * once, that byte would be read as the start of its response. So the connection is used only after one complete iteration of
 * the event loop, in which everything that has arrived is read: the first setImmediate ends the current iteration, the
 * second the complete one.
 */
function reuseAfterRead(reuse: Reuse): void {
  if (reuses.push(reuse) === 1) setImmediate(waitOneIteration);
}

function waitOneIteration(): void {
  const due = reuses;
  reuses = [];
  setImmediate(reuseAll, due);
}

function reuseAll(due: Reuse[]): void {
  for (const { pool, connection, exchange } of due) pool.reuse(connection, exchange);
}

export class ConnectionPool {
  readonly #connect: Connect;
  readonly #now: () => number;
  readonly #resumeLater: ResumeLater;
  /** Connecting, busy and idle. */
  readonly #connections = new Set<Connection>();
  /** A stack: the connection used last is used next, so that the others expire. */
  readonly #idle: Connection[] = [];
  #expiry_timer: NodeJS.Timeout | undefined;
  #is_closed = false;

  constructor(connect: Connect, now: () => number, resumeLater: ResumeLater) {
    this.#connect = connect;
    this.#now = now;
    this.#resumeLater = resumeLater;
  }

  acquire(exchange: Exchange): void {
    const idle = this.#takeIdle();
    if (this.#is_closed) exchange.onError(CLOSED);
    else if (idle) reuseAfterRead({ pool: this, connection: idle, exchange });
    else this.#open(exchange);
  }

  /** A connection that was closed, or that received a byte while it was idle, is no longer in the pool. */
  reuse(connection: Connection, exchange: Exchange): void {
    if (this.#connections.has(connection) && !connection.closeIfRetired()) exchange.onConnection(connection);
    else this.acquire(exchange);
  }

  #takeIdle(): Connection | undefined {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop())
      if (!idle.closeIfExpired()) return idle;
    return undefined;
  }

  #open(exchange: Exchange): void {
    const connection = new Connection(this, this.#now, this.#resumeLater, exchange);
    this.#connections.add(connection);
    connection.open(this.#connect);
  }

  addIdle(connection: Connection): void {
    this.#idle.push(connection);
    this.#expiry_timer ??= setTimeout(() => this.#closeExpired(), CLOSE_EXPIRED_EVERY_MS).unref();
  }

  remove(connection: Connection): void {
    if (!this.#connections.delete(connection)) return;
    const at = this.#idle.indexOf(connection);
    if (at !== -1) this.#idle.splice(at, 1);
  }

  #closeExpired(): void {
    this.#expiry_timer = undefined;
    for (const connection of [...this.#idle]) connection.closeIfExpired();
    if (this.#idle.length > 0)
      this.#expiry_timer = setTimeout(() => this.#closeExpired(), CLOSE_EXPIRED_EVERY_MS).unref();
  }

  /** Idle connections are closed now, the others when their exchange has ended. */
  retire(): void {
    for (const connection of this.#connections) connection.is_retired = true;
    for (const connection of [...this.#idle]) connection.closeIfRetired();
  }

  close(): void {
    this.#is_closed = true;
    clearTimeout(this.#expiry_timer);
    for (const connection of [...this.#connections]) connection.fail(CLOSED);
  }
}
