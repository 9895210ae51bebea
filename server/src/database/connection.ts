// Connections to PostgreSQL: pools, timestamps as RFC 3339 text, and which errors mean that the database is unavailable or busy.

import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { remainingWait } from './deadline.ts';
import type { Hosts } from './hosts.ts';
import { createPooledStatements, type PooledStatements, type Statement } from './pooled-statements.ts';
import { preparingPool } from './prepared-statement.ts';
import { applicationName } from './schema-version.ts';
import { type SettingsOptions, type StatementTimeouts, setForPooler, setForSession } from './session-settings.ts';
import { notAllowed, type Sockets } from './sockets.ts';
import type { Tables } from './tables.ts';

export type Connection = Pick<
  pg.ClientConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'
> & {
  /** It leads to a pooler in transaction mode. */
  is_pooled?: boolean;
  /** If its URL names several. */
  hosts?: Hosts;
};

const TIMESTAMPTZ = 1184;
const BIGINT = 20;

const types = new pg.TypeOverrides();
types.setTypeParser(TIMESTAMPTZ, (text: string) => `${text.replace(' ', 'T').replace(/\+00$/, '')}Z`);
types.setTypeParser(BIGINT, Number);

const CONNECT_TIMEOUT_MS = 1_500;
/** No request waits for a start, and one that fails is worse than a slow one: a busy database or machine needs seconds. */
export const START_TIMEOUT_MS = 15_000;

/** No startup parameters: poolers refuse them. See session-settings.ts. */
export function clientConfig(
  { is_pooled = false, hosts, ...connection }: Connection,
  sockets?: Sockets,
): pg.ClientConfig {
  return {
    ...connection,
    ...hosts?.current,
    types,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    // A statement and the transaction around it are sent together.
    ...(is_pooled ? { pipeline: true } : {}),
    ...(sockets ? { stream: sockets.stream } : {}),
  };
}

type ClientOptions = Pick<pg.ClientConfig, 'connectionTimeoutMillis' | 'query_timeout'> & {
  sockets?: Sockets;
  /** Nothing is set: it may lead to a pooler, and the setting to another client of that. */
  is_unknown?: boolean;
};

/** Opens a connection of its own, with the settings of every session. */
export async function connectClient(connection: Connection, options: ClientOptions = {}): Promise<pg.Client> {
  const { sockets, is_unknown = false, ...config } = options;
  const client = new pg.Client({ ...clientConfig(connection, sockets), ...config });
  // A broken connection rejects its query; an 'error' without a listener would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    if (!is_unknown) await setForSession(client);
    return client;
  } catch (error) {
    client.end().catch(() => {});
    throw error;
  }
}

/** For a start or a command: the message is for the operator. */
export function refuseUnreachable(error: Error & { code?: string }): never {
  throw new Error(`the database cannot be reached: ${error.message || error.code}`, { cause: error });
}

/** For requests: a client waits, and a connection that waits is missing for other requests. */
export const requestTimeouts: StatementTimeouts = {
  lock_timeout: 4_000,
  statement_timeout: 10_000,
};

/** A statement outside of a transaction has no timeout behind a pooler: PostgreSQL would have ended it before. */
const PAST_TIMEOUT_MS = 1_000;

export type PoolOptions = SettingsOptions & {
  size: number;
  sockets?: Sockets;
  /** For a pool of requests: a request waits for a connection until its deadline. */
  has_deadlines?: boolean;
  /** For a pool without deadlines: how long a query waits for a connection. */
  connect_timeout_ms?: number;
};

export function openPool(connection: Connection, options: PoolOptions): pg.Pool {
  const { size, timeouts, sockets, has_deadlines = false } = options;
  const { is_pooled = false } = connection;
  const ofClient = (): pg.ClientConfig => ({
    ...clientConfig(connection, sockets),
    ...(options.connect_timeout_ms === undefined ? {} : { connectionTimeoutMillis: options.connect_timeout_ms }),
    ...(is_pooled && timeouts ? { query_timeout: timeouts.statement_timeout + PAST_TIMEOUT_MS } : {}),
  });
  const config: pg.PoolConfig = { ...ofClient(), max: size, idleTimeoutMillis: 60_000 };
  if (connection.hosts) config.Client = clientOf(ofClient);
  // pg waits for it, which its type does not say. An error closes the new connection.
  const onConnect = async (client: pg.ClientBase): Promise<void> => {
    if (is_pooled) return setForPooler(client);
    const state = await setForSession(client, options);
    sockets?.admit(state);
  };
  Object.assign(config, { onConnect });
  const pool = new pg.Pool(config);
  // A broken idle connection is replaced; without a listener the error would end the process.
  pool.on('error', () => {});
  // A connection that breaks in use rejects its query; the listener is needed for the same reason.
  pool.on('connect', (client) => client.on('error', () => {}));
  if (has_deadlines) limitWaits(pool, sockets);
  if (is_pooled) poolStatements(pool, createPooledStatements(options));
  return pool;
}

/** Connects to the host of that moment. */
const clientOf = (config: () => pg.ClientConfig) =>
  class extends pg.Client {
    constructor() {
      super(config());
    }
  };

/** By pool, if it leads to a pooler in transaction mode. */
const pooledStatements = new WeakMap<pg.Pool, PooledStatements>();

function poolStatements(pool: pg.Pool, statements: PooledStatements): void {
  pooledStatements.set(pool, statements);
  const query = async (given: string | Statement, values?: unknown[]) => {
    const client = await pool.connect();
    try {
      return await statements.single(client, typeof given === 'string' ? { text: given, values } : given);
    } finally {
      client.release();
    }
  };
  pool.query = query as typeof pool.query;
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
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: preparingPool(pool, pooledStatements.get(pool)) }),
  });
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
  /^Connection terminated|timeout exceeded when trying to connect|connection error and is not queryable|Client was closed|^Query read timeout/;

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
