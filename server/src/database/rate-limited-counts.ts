// How many requests of a project were refused with 429, by minute, hour and day. Counted in memory and written by the batch
// writer, so that a refusal costs no query.

import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Batch, BatchWriter } from './batch-writer.ts';
import type { Database } from './tables.ts';

const intervalMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };
type Interval = keyof typeof intervalMs;
const intervals = Object.keys(intervalMs) as Interval[];

/** `start` in epoch milliseconds. `count` grows until the interval is over. */
type Counter = {
  project_id: string;
  interval: Interval;
  start: number;
  process_id: string;
  count: number;
  is_buffered: boolean;
};

/** Counts only grow, so the largest is the latest, and writing one twice is harmless. */
const counts: Batch<Counter> = { name: 'rate limited counts', write: saveCounters };

function saveCounters(pool: pg.Pool, buffered: Counter[]): Promise<unknown> {
  const counters = [...new Set(buffered)];
  // A request that is refused from now on buffers its counter again.
  for (const counter of counters) counter.is_buffered = false;
  return pool.query(
    `insert into rate_limited_counts (project_id, interval, start, process_id, count)
     select project_id, interval, to_timestamp(start / 1000), process_id, count
     from unnest($1::text[], $2::text[], $3::float8[], $4::text[], $5::bigint[])
       as counted (project_id, interval, start, process_id, count)
     on conflict (project_id, interval, start, process_id)
     do update set count = greatest(rate_limited_counts.count, excluded.count)`,
    [
      counters.map(({ project_id }) => project_id),
      counters.map(({ interval }) => interval),
      counters.map(({ start }) => start),
      counters.map(({ process_id }) => process_id),
      counters.map(({ count }) => count),
    ],
  );
}

export type RateLimitedCounts = {
  /** Counts one refused request. */
  add(project_id: string, now: number): void;
};

export function createRateLimitedCounts(batch_writer: BatchWriter): RateLimitedCounts {
  // Each process has rows of its own, so that it does not overwrite the counts of another.
  const process_id = randomUUID();
  let counters = new Map<string, Counter>();
  let latest = 0;

  function counterOf(project_id: string, interval: Interval): Counter {
    const start = Math.floor(latest / intervalMs[interval]) * intervalMs[interval];
    const key = `${interval} ${project_id}`;
    let counter = counters.get(key);
    if (counter?.start !== start) {
      counter = { project_id, interval, start, process_id, count: 0, is_buffered: false };
      counters.set(key, counter);
    }
    return counter;
  }

  return {
    add(project_id, now) {
      // A new day resets all counters: those of projects without refusals must not stay in memory.
      if (now >= (Math.floor(latest / intervalMs.day) + 1) * intervalMs.day) counters = new Map();
      // An interval that is over must not start again, not even when the clock is corrected.
      latest = Math.max(latest, now);
      for (const interval of intervals) {
        const counter = counterOf(project_id, interval);
        counter.count += 1;
        if (counter.is_buffered) continue;
        counter.is_buffered = true;
        batch_writer.add(counts, counter);
      }
    },
  };
}

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
