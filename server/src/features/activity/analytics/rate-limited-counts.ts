// How many requests of a project were refused with 429, by minute, hour and day.

import { sql } from 'kysely';
import type pg from 'pg';
import { countedTable, type Interval } from '../../../database/interval-counts.ts';
import type { Database } from '../../../database/tables.ts';

export const rateLimitedCounts = countedTable<{ project_id: string }>(
  'rate limited counts',
  ['minute', 'hour', 'day'],
  (pool, counts) =>
    pool.query(
      `insert into rate_limited_counts (project_id, interval, start, process_id, count)
       select project_id, interval, to_timestamp(start / 1000), process_id, count
       from unnest($1::text[], $2::text[], $3::float8[], $4::text[], $5::bigint[])
         as counted (project_id, interval, start, process_id, count)
       on conflict (project_id, interval, start, process_id)
       do update set count = greatest(rate_limited_counts.count, excluded.count)`,
      [
        counts.map(({ project_id }) => project_id),
        counts.map(({ interval }) => interval),
        counts.map(({ start }) => start),
        counts.map(({ process_id }) => process_id),
        counts.map(({ count }) => count),
      ],
    ),
);

/** Returns how many requests were refused from `from` until before `to`, in epoch milliseconds. */
export async function readRateLimited(
  database: Database,
  project_id: string,
  { interval, from, to }: { interval: Interval; from: number; to: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(count), 0)::bigint as count from rate_limited_counts
    where project_id = ${project_id} and interval = ${interval}
      and start >= to_timestamp(${from / 1000}::float8) and start < to_timestamp(${to / 1000}::float8)`.execute(
    database,
  );
  return rows[0]?.count ?? 0;
}

/** Returns how many rows were deleted. */
export async function deleteRateLimitedBefore(
  pool: pg.Pool,
  interval: Interval,
  before: number,
  limit: number,
): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from rate_limited_counts where ctid = any(array(
       select ctid from rate_limited_counts
       where interval = $1 and start at time zone 'UTC' < to_timestamp($2::float8) at time zone 'UTC' limit $3))`,
    [interval, before / 1000, limit],
  );
  return rowCount ?? 0;
}
