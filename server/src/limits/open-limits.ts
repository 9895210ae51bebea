// Chooses where the limits are counted: in Redis, in the PostgreSQL that several processes share, or in the memory of the only
// process.

import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { BatchWriter } from '../database/batch-writer.ts';
import { type Connection, openPool, requestTimeouts } from '../database/connection.ts';
import { createFailureCounts } from '../database/failure-counts.ts';
import { countsInPostgres, poolSizes } from '../database/pool-sizes.ts';
import { createCountStore } from '../database/request-counts.ts';
import { createRequestLog } from '../database/request-log.ts';
import type { Sockets } from '../database/sockets.ts';
import { createFailures, createSharedFailures, FAILURE_WINDOW_MS, type Failures } from './failures.ts';
import type { Limits } from './limits.ts';
import { createLocalLimits } from './local-limits.ts';
import { createPostgresFailures, createPostgresLimits } from './postgres-limits.ts';
import { connectRedis } from './redis.ts';
import { createRedisFailures, createRedisLimits, redisScripts } from './redis-limits.ts';

type Store = { connection: Connection; sockets: Sockets; pool: pg.Pool; batch_writer: BatchWriter };
type Undo = (() => Promise<unknown>)[];

export type OpenLimits = {
  limits: Limits;
  failures: Failures;
  /** Null without REDIS_URL. */
  isRedisUp: (() => boolean) | null;
};

/** `has_local_limits`: counts in memory although the database is shared. */
export async function openLimits(
  config: Config,
  store: Store,
  { log, has_local_limits, undo }: { log: Logger; has_local_limits: boolean; undo: Undo },
): Promise<OpenLimits> {
  if (config.redis.url !== null) return openRedis({ ...config.redis, url: config.redis.url }, log, undo);
  if (countsInPostgres(config) && !has_local_limits) return openPostgres(store, undo);
  const limits = createLocalLimits(createCountStore(store.pool, store.batch_writer));
  return { limits, failures: createFailures(), isRedisUp: null };
}

async function openRedis(options: { url: string; timeout_ms: number }, log: Logger, undo: Undo): Promise<OpenLimits> {
  const redis = await connectRedis({ ...options, ...redisScripts, log });
  undo.push(() => redis.close());
  const failures = createSharedFailures(createRedisFailures(redis));
  return { limits: createRedisLimits(redis), failures, isRedisUp: redis.isUp };
}

/** Connections of their own, so that counting waits for no request. */
function openPostgres({ connection, sockets }: Store, undo: Undo): OpenLimits {
  const pool = openPool(connection, {
    size: poolSizes.limits,
    timeouts: requestTimeouts,
    sockets,
    is_commit_asynchronous: true,
    has_deadlines: true,
  });
  undo.push(() => pool.end());
  return {
    // One connection is for failed credentials.
    limits: createPostgresLimits(createRequestLog(pool), poolSizes.limits - 1),
    failures: createSharedFailures(createPostgresFailures(createFailureCounts(pool, FAILURE_WINDOW_MS))),
    isRedisUp: null,
  };
}
