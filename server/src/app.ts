// The context of a running server. Created once, and passed to every operation as its first argument.

import type { KeyObject } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type AppState, createAppState } from './app-state.ts';
import { type Cache, createCache } from './cache/cache.ts';
import type { Config } from './config/config.ts';
import { type BatchWriter, createBatchWriter } from './database/batch-writer.ts';
import { MAX_CLOCK_OFFSET_MS, wallClockOffset } from './database/clock.ts';
import { type Connection, openConnections, requestTimeouts } from './database/connection.ts';
import { createFolder } from './database/data-folder.ts';
import { findConnections } from './database/find-connections.ts';
import { createGroupedCalls, type GroupedCalls } from './database/grouped-calls.ts';
import { createIntervalCounts, type IntervalCounts } from './database/interval-counts.ts';
import { createPermits, type Permits } from './database/permits.ts';
import { poolSizes } from './database/pool-sizes.ts';
import { createSockets, type Sockets } from './database/sockets.ts';
import type { Database } from './database/tables.ts';
import { noChanges } from './database/transact.ts';
import { updateSchema } from './database/update-schema.ts';
import { JOBS_CHANNEL, type Watch, type Watched, watchDatabase } from './database/watch.ts';
import { createValidators, type Validators } from './engines/json-schema/validator.ts';
import { busy } from './errors/errors.ts';
import { version } from './installation.ts';
import type { Failures } from './limits/failures.ts';
import type { Limits } from './limits/limits.ts';
import { createLookupSlots, type LookupSlots } from './limits/lookup-slots.ts';
import { createMinuteLimit, type MinuteLimit } from './limits/minute-limit.ts';
import { openLimits } from './limits/open-limits.ts';
import { createPasswordChecks, type PasswordChecks } from './limits/password-checks.ts';
import { createSessions, type Sessions } from './mcp-client/sessions.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import type { BuiltIn } from './outbound/built-in.ts';
import { createEgress, type Egress } from './outbound/egress.ts';
import { ownAddresses } from './outbound/own-addresses.ts';
import { createTextLookup, type TextLookup } from './outbound/resolve-text.ts';
import { createSend, type Send, type Sender } from './outbound/send.ts';
import { readQueueDepth } from './queue/depth.ts';
import { createJobNotifier, type JobNotifier } from './queue/job-notifier.ts';
import { createSecrets, type Secrets } from './secrets/encryption.ts';
import { loadOrMakeMasterKeys } from './secrets/master-keys.ts';
import { loadRootKey } from './secrets/root-key.ts';
import { openTracing, type Tracing } from './tracing/tracing.ts';

/** Where a request came from, for the audit log. */
export type RequestOrigin = { ip: string; request_id: string };

export type App = AppState & {
  config: Config;
  /** Inside transact() this is the transaction. */
  database: Database;
  /** For the named statements of hot paths. */
  pool: pg.Pool;
  /** Limits how many of the pool's connections the requests with one fairness key use at the same time. */
  permits: Permits;
  /** For statements that many callers run at the same time. */
  grouped_calls: GroupedCalls;
  /** Connections of the background jobs, so that no request waits for them. */
  background: { database: Database; pool: pg.Pool };
  /** Notifies the workers of new jobs. */
  job_notifier: JobNotifier;
  /** The current request, on routes that change something. */
  request_origin: RequestOrigin | null;
  /** Whether the database responds. */
  isUp(): boolean;
  /** Whether Redis responds; null without REDIS_URL. */
  isRedisUp: (() => boolean) | null;
  /** Epoch milliseconds by the database's clock. */
  now(): number;
  /** For rows that no request waits for. */
  batch_writer: BatchWriter;
  cache: Cache;
  /** Projects that the open transaction changes. */
  changes: { add(project_id: string): void };
  /** What follows a change of a project before its response: see transact(). */
  afterChange(app: App, project_id: string): Promise<void>;
  limits: Limits;
  /** Requests that were refused with 429, for analytics. */
  interval_counts: IntervalCounts;
  /** Addresses that failed to authenticate. */
  failures: Failures;
  /** How many traces of refused requests are recorded, by project and code. */
  trace_limit: MinuteLimit;
  /** For credentials that are not cached. */
  lookups: LookupSlots;
  /** For the pages that anyone can open: see api/visitor-permits.ts. */
  visits: LookupSlots;
  /** Checks of passwords, each of which costs much time and memory: round robin by network, or by account. */
  password_checks: PasswordChecks;
  secrets: Secrets;
  /** Sends every request to a customer's API. */
  send: Send;
  /** Looks at the certificates that a host presents. */
  inspect: Sender['inspect'];
  /** Reads TXT records of the DNS. */
  lookupText: TextLookup;
  /** Which private addresses it may reach. */
  egress: Egress;
  root_key_hash: Buffer;
  /** Signs the audit log. */
  audit_key: KeyObject;
  metrics: Metrics;
  validators: Validators;
  /** With MCP servers. */
  mcp_sessions: Sessions;
  /** Null unless OTEL_EXPORTER_OTLP_ENDPOINT is set. */
  tracing: Tracing | null;
  log: Logger;
};

type Given = {
  /** Authorities trusted beside the system's, as PEM; NODE_EXTRA_CA_CERTS is read by Node itself, before any of our code. */
  ca?: readonly string[];
  /** For the embedded PostgreSQL that another process has started; otherwise it is started here. */
  connection?: Connection | null;
  /** Counts in memory although the database is shared, for tests that advance the clock of this process. */
  has_local_limits?: boolean;
  /** The API that this process itself serves to tools of development projects. */
  built_in?: BuiltIn;
  /** What a server does after each change of a project; nothing in a command of the operator. */
  afterChange?: App['afterChange'];
  /** `address:port` of the name servers for TXT records, instead of those of resolv.conf. */
  name_servers?: readonly string[];
};

const TRACES_PER_MINUTE = 60;

/** Opens everything in order; `close` undoes it in reverse. */
export async function openApp(
  config: Config,
  log: Logger,
  given: Given = {},
): Promise<{ app: App; close(): Promise<void> }> {
  const undo: (() => Promise<unknown>)[] = [];
  const close = async () => {
    const problems: unknown[] = [];
    // A failing step must not prevent the others: stopping the embedded PostgreSQL is the last one.
    for (const step of undo.splice(0).reverse()) await step().catch((error: unknown) => problems.push(error));
    if (problems.length > 0) throw problems[0];
  };
  try {
    await createFolder(config.data_dir);
    return { app: await open(config, log, given, undo), close };
  } catch (error) {
    await close().catch(() => {}); // the first error is the one to report
    throw error;
  }
}

async function open(
  config: Config,
  log: Logger,
  { connection: given = null, has_local_limits = false, name_servers, afterChange, ...reachable }: Given,
  undo: (() => Promise<unknown>)[],
): Promise<App> {
  const { connection, direct } = await findConnections(config, given, log, undo);
  await updateSchema(direct, log);

  const sockets = createSockets();
  const { pool, database } = openConnections(
    connection,
    { size: poolSizes.requests, timeouts: requestTimeouts, sockets, has_deadlines: true },
    undo,
  );
  const background = openConnections(connection, { size: poolSizes.background, sockets }, undo);

  const batch_writer = createBatchWriter(background.pool, log);
  undo.push(() => batch_writer.flush());
  const store = { connection, sockets, pool, batch_writer };
  const { limits, failures, isRedisUp } = await openLimits(config, store, { log, has_local_limits, undo });
  undo.push(async () => limits.flush());

  const master_keys = config.master_keys.length > 0 ? config.master_keys : await loadOrMakeMasterKeys(config.data_dir);
  const cache = createCache();
  const secrets = createSecrets({ master_keys, cache });
  await secrets.verifyMasterKeys(database);
  const audit_key = await secrets.findOrCreateAuditKey(database);

  const { job_notifier, wake } = createJobNotifier((kind) =>
    background.pool.query('select pg_notify($1, $2)', [JOBS_CHANNEL, kind]),
  );
  const watch = await openWatch({ direct, connection }, { cache, sockets, onJobs: wake, log }, undo);

  const send = openSend(config, reachable, undo);

  const metrics = openMetrics({ pool, background, cache, batch_writer, isRedisUp, watch }, undo);
  const tracing = await openTracing(config.otlp_endpoint, version, log);
  if (tracing) undo.push(() => tracing.close());

  return {
    config,
    ...createMemory(undo),
    database,
    pool,
    permits: createPermits(watch.respondedAt),
    grouped_calls: createGroupedCalls(),
    background,
    job_notifier,
    request_origin: null,
    isUp: watch.isUp,
    isRedisUp,
    now: watch.now,
    batch_writer,
    cache,
    changes: noChanges,
    afterChange: afterChange ?? (async () => {}),
    limits,
    interval_counts: createIntervalCounts(batch_writer),
    failures,
    trace_limit: createMinuteLimit(TRACES_PER_MINUTE),
    lookups: createLookupSlots(undefined, watch.respondedAt),
    visits: createLookupSlots(undefined, watch.respondedAt),
    password_checks: createPasswordChecks(),
    secrets,
    send,
    inspect: send.inspect,
    lookupText: createTextLookup(name_servers ? { servers: name_servers } : {}),
    egress: createEgress(config.egress_allow, send),
    root_key_hash: await loadRootKey(config.root_key, config.data_dir),
    audit_key,
    metrics,
    tracing,
    log,
  };
}

function openSend(config: Config, reachable: Pick<Given, 'ca' | 'built_in'>, undo: (() => Promise<unknown>)[]): Sender {
  const { egress_allow: allow, egress_proxy: proxy, host, port } = config;
  const send = createSend({ allow, proxy, deny: ownAddresses(host, port), ...reachable });
  undo.push(() => send.close());
  return send;
}

/** What is kept in memory only; some of it has threads. */
export function createMemory(undo: (() => Promise<unknown>)[]): Pick<App, 'stateOf' | 'validators' | 'mcp_sessions'> {
  const { stateOf, close } = createAppState();
  const validators = createValidators(busy);
  undo.push(close, validators.close);
  return { stateOf, validators, mcp_sessions: createSessions() };
}

type Serving = { cache: Cache; sockets: Sockets; onJobs(kind: string): void; log: Logger };

async function openWatch(
  watched: Watched,
  { cache, sockets, onJobs, log }: Serving,
  undo: (() => Promise<unknown>)[],
): Promise<Watch> {
  let suspect = () => {};
  const watch = await watchDatabase(watched, {
    onChange: cache.invalidate,
    onJobs,
    onUp(server) {
      sockets.expectServer(server, () => suspect());
      sockets.setAllowed(true);
      cache.setTrusted(true);
    },
    onCurrent: cache.trustFrom,
    onLost() {
      log.warn('the connection for notifications was lost: nothing is cached until it is restored');
      cache.setTrusted(false);
    },
    onDown(error) {
      log.warn({ err: error }, 'the database is unavailable');
      sockets.setAllowed(false);
      sockets.destroyAll();
    },
  });
  suspect = watch.suspect;
  undo.push(() => watch.stop());
  const offset_ms = wallClockOffset(watch.now());
  if (Math.abs(offset_ms) > MAX_CLOCK_OFFSET_MS)
    log.warn({ offset_ms }, "this machine's clock is wrong: the database's clock is used");
  return watch;
}

type Measured = Pick<App, 'pool' | 'background' | 'cache' | 'batch_writer' | 'isRedisUp'> & {
  watch: Pick<App, 'isUp' | 'now'>;
};

function openMetrics(
  { pool, background, cache, batch_writer, isRedisUp, watch }: Measured,
  undo: (() => Promise<unknown>)[],
): Metrics {
  const metrics = createMetrics({
    pools: { requests: pool, background: background.pool },
    cache,
    batch_writer,
    readQueue: () => readQueueDepth(background.database, watch.now()),
    isUp: watch.isUp,
    isRedisUp,
    readClockOffset: () => wallClockOffset(watch.now()),
  });
  undo.push(async () => metrics.close());
  return metrics;
}
