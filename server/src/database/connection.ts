// Connections to PostgreSQL: pools, timestamps as RFC 3339 text, and which errors mean that the database is unavailable or busy.

import { Socket } from 'node:net';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { remainingWait } from './deadline.ts';
import { preparingPool } from './prepared-statement.ts';
import { applicationName } from './schema-version.ts';
import type { Tables } from './tables.ts';

export type Connection = Pick<pg.ClientConfig, 'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'>;

const TIMESTAMPTZ = 1184;
const BIGINT = 20;

const types = new pg.TypeOverrides();
types.setTypeParser(TIMESTAMPTZ, (text: string) => `${text.replace(' ', 'T').replace(/\+00$/, '')}Z`);
types.setTypeParser(BIGINT, Number);

/** The open sockets of some connections, so that all of them can be destroyed. */
export type Sockets = {
  /** pg's `stream` option: makes the socket of a new connection. */
  stream(): Socket;
  /** Makes every query in progress fail at once, instead of when TCP times out. */
  destroyAll(): void;
  /** Until it is true again, new connections fail at once too, instead of when they time out. */
  setAllowed(is_allowed: boolean): void;
  isAllowed(): boolean;
};

export function createSockets(): Sockets {
  const open = new Set<Socket>();
  let is_allowed = true;
  return {
    stream() {
      const socket = new Socket();
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      // After pg has called connect() on it, which would open a destroyed socket again.
      if (!is_allowed) setImmediate(() => socket.destroy(notAllowed()));
      return socket;
    },
    destroyAll() {
      for (const socket of open) socket.destroy();
    },
    setAllowed(given) {
      is_allowed = given;
    },
    isAllowed: () => is_allowed,
  };
}

const notAllowed = () => Object.assign(new Error('the database is unavailable'), { code: 'ECONNREFUSED' });

/**
 * After this time PostgreSQL ends a transaction that does nothing. Its process may be gone without closing the connection
 * (power failure, partition, half-open connection), and its locks would be held until TCP times out, which takes hours.
 */
const IDLE_IN_TRANSACTION_MS = 3_000;

const CONNECT_TIMEOUT_MS = 1_500;

/**
 * The settings of every connection. The time zone makes `+00` the only offset that the parser above gets. With the keepalives
 * PostgreSQL ends the sessions, and with them the session locks, of a machine that is gone.
 */
export function clientConfig(connection: Connection, sockets?: Sockets): pg.ClientConfig {
  return {
    ...connection,
    types,
    options: '-c timezone=UTC -c datestyle=ISO -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2',
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    ...(sockets ? { stream: sockets.stream } : {}),
  };
}

/** How long PostgreSQL lets a statement wait for a lock or run, in milliseconds. */
export type StatementTimeouts = Required<Pick<pg.ClientConfig, 'lock_timeout' | 'statement_timeout'>>;

/** For requests: a client waits, and a connection that waits is missing for other requests. */
export const requestTimeouts: StatementTimeouts = {
  lock_timeout: 4_000,
  statement_timeout: 10_000,
};

export type PoolOptions = {
  size: number;
  timeouts?: StatementTimeouts;
  sockets?: Sockets;
  /** For rows that a crash of PostgreSQL may lose: a commit does not wait until it is on disk. */
  is_commit_asynchronous?: boolean;
  /** For a pool of requests: a request waits for a connection until its deadline. */
  has_deadlines?: boolean;
  /** For a pool without deadlines: how long a query waits for a connection. */
  connect_timeout_ms?: number;
};

export function openPool(connection: Connection, options: PoolOptions): pg.Pool {
  const { size, timeouts, sockets, is_commit_asynchronous = false, has_deadlines = false } = options;
  const config = { ...clientConfig(connection, sockets), ...timeouts, max: size, idleTimeoutMillis: 60_000 };
  if (options.connect_timeout_ms !== undefined) config.connectionTimeoutMillis = options.connect_timeout_ms;
  if (is_commit_asynchronous) config.options = `${config.options} -c synchronous_commit=off`;
  const pool = new pg.Pool(config);
  // A broken idle connection is replaced; without a listener the error would end the process.
  pool.on('error', () => {});
  // A connection that breaks in use rejects its query; the listener is needed for the same reason.
  pool.on('connect', (client) => client.on('error', () => {}));
  if (has_deadlines) limitWaits(pool, sockets);
  return pool;
}

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: pg.PoolClient['release'],
) => void;

/** query() of the pool takes its connection from connect() too. */
function limitWaits(pool: pg.Pool, sockets: Sockets | undefined): void {
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  const connectInTime = () => {
    if (sockets?.isAllowed() === false) return Promise.reject(notAllowed());
    const wait_ms = remainingWait();
    const is_free = pool.idleCount > pool.waitingCount;
    return wait_ms === null || is_free ? connect() : giveUpAfter(wait_ms, connect());
  };
  pool.connect = ((connected?: Connected) => {
    const connecting = connectInTime();
    if (!connected) return connecting;
    return void connecting.then(
      (client) => connected(undefined, client, client.release.bind(client)),
      (error: Error) => connected(error, undefined, () => {}),
    );
  }) as typeof pool.connect;
}

/** A connection that comes later goes back to the pool. */
function giveUpAfter(ms: number, connecting: Promise<pg.PoolClient>): Promise<pg.PoolClient> {
  return new Promise((resolve, reject) => {
    let is_over = false;
    const timer = setTimeout(() => {
      is_over = true;
      reject(new Error('timeout exceeded when trying to connect'));
    }, ms);
    connecting.then(
      (client) => {
        clearTimeout(timer);
        if (is_over) client.release();
        else resolve(client);
      },
      (error: Error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

export function openDatabase(pool: pg.Pool): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: preparingPool(pool) }) });
}

/** `undo`: what closes the app. */
export function openConnections(
  connection: Connection,
  options: PoolOptions,
  undo: (() => Promise<unknown>)[],
): { pool: pg.Pool; database: Kysely<Tables> } {
  const pool = openPool(connection, options);
  const database = openDatabase(pool);
  undo.push(() => database.destroy());
  return { pool, database };
}

const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '25P03',
  '25006',
]);
const unavailableMessage =
  /^Connection terminated|timeout exceeded when trying to connect|connection error and is not queryable|Client was closed/;

export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = sqlState(error);
  return unavailableCodes.has(code) || code.startsWith('08') || unavailableMessage.test(error.message);
}

const LOCK_NOT_AVAILABLE = '55P03';
const CANCELED = '57014';

/** A lock, time or space was not available: the statement is valid, and may succeed later. */
export function isDatabaseBusy(error: unknown): boolean {
  const code = sqlState(error);
  return isLockUnavailable(error) || code === CANCELED || /^(?:40|53)/.test(code) || isDatabaseUnavailable(error);
}

/** The lock timeout has passed. */
export function isLockUnavailable(error: unknown): boolean {
  return sqlState(error) === LOCK_NOT_AVAILABLE;
}

/** By the statement timeout, or by the operator. */
export function isCanceled(error: unknown): boolean {
  return sqlState(error) === CANCELED;
}

/** PostgreSQL aborted this transaction because of a concurrent one: a second run should succeed. */
export function isTransactionRetryable(error: unknown): boolean {
  return ['40P01', '40001'].includes(sqlState(error));
}

function sqlState(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
