// How many connections to PostgreSQL a server may open. Every pool of a server has its size from here.

import type pg from 'pg';
import type { Logger } from 'pino';

export const poolSizes = {
  requests: 16,
  /** Jobs, and rows that no request waits for. */
  background: 4,
  /** Two that count requests, one that counts failed credentials. */
  limits: 3,
} as const;
const NOTIFICATIONS = 1;

const WITHOUT_LIMITS = poolSizes.requests + poolSizes.background + NOTIFICATIONS;
export const MAX_PER_PROCESS = WITHOUT_LIMITS + poolSizes.limits;

/** From the settings. */
type Sizing = { database_url: string | null; redis: { url: string | null }; workers: number };

/** Whether limits are counted in PostgreSQL: several processes share them, and there is no Redis. */
export function countsInPostgres({ database_url, redis, workers }: Sizing): boolean {
  return redis.url === null && (database_url !== null || workers > 1);
}

/** By all processes of one server. While its workers are replaced, it has one more. */
export function maxConnections(config: Sizing): number {
  const processes = config.workers > 1 ? config.workers + 1 : 1;
  return processes * (countsInPostgres(config) ? MAX_PER_PROCESS : WITHOUT_LIMITS);
}

type Queryable = { query(text: string): Promise<pg.QueryResult> };

/** How many connections PostgreSQL allows, without those that it reserves. */
export async function readConnectionLimit(client: Queryable): Promise<number> {
  // reserved_connections exists since version 16.
  const { rows } = await client.query(`
    select current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
      - coalesce(current_setting('reserved_connections', true)::integer, 0) as allowed`);
  return rows[0].allowed;
}

/** Beyond the limit requests get 503. Other servers on the same PostgreSQL are not counted: this one does not know them. */
export async function warnOfConnections(client: Queryable, config: Sizing, log: Pick<Logger, 'warn'>): Promise<void> {
  const [needed, allowed] = [maxConnections(config), await readConnectionLimit(client)];
  if (needed > allowed)
    log.warn(
      { needed, allowed, workers: config.workers },
      'the workers can open more connections than PostgreSQL allows: raise max_connections or lower TOOLGATE_WORKERS',
    );
}
