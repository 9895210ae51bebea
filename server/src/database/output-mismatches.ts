// How many results of a tool violated its output schema, by day. Only MCP validates results. Counted in memory and written by the
// batch writer, so that a violation costs no query.

import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Batch, BatchWriter } from './batch-writer.ts';
import type { Database } from './tables.ts';

const DAY_MS = 86_400_000;
/** A few more than any question is about. */
const KEPT_DAYS = 10;
const MAX_ROWS_PER_RUN = 10_000;

/** `count` grows until the day is over. */
type Counter = {
  project_id: string;
  tool_id: string;
  day: string;
  process_id: string;
  count: number;
  is_buffered: boolean;
};

/** Counts only grow, so the largest is the latest, and writing one twice is harmless. */
const counts: Batch<Counter> = { name: 'output mismatches', write: saveCounters };

function saveCounters(pool: pg.Pool, buffered: Counter[]): Promise<unknown> {
  const counters = [...new Set(buffered)];
  // A violation from now on buffers its counter again.
  for (const counter of counters) counter.is_buffered = false;
  return pool.query(
    `insert into output_mismatches (project_id, day, tool_id, process_id, count)
     select project_id, day, tool_id, process_id, count
     from unnest($1::text[], $2::date[], $3::text[], $4::text[], $5::bigint[])
       as counted (project_id, day, tool_id, process_id, count)
     on conflict (project_id, day, tool_id, process_id)
     do update set count = greatest(output_mismatches.count, excluded.count)`,
    [
      counters.map(({ project_id }) => project_id),
      counters.map(({ day }) => day),
      counters.map(({ tool_id }) => tool_id),
      counters.map(({ process_id }) => process_id),
      counters.map(({ count }) => count),
    ],
  );
}

export type OutputMismatches = {
  /** Counts one result that violated the schema of its tool. */
  add(project_id: string, tool_id: string, now: number): void;
};

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

export function createOutputMismatches(batch_writer: BatchWriter): OutputMismatches {
  const process_id = randomUUID();
  let counters = new Map<string, Counter>();
  let today = '';
  return {
    add(project_id, tool_id, now) {
      const day = dayOf(now);
      // A day that is over must not start again, not even when the clock is corrected. Tools of earlier days leave the memory.
      if (day > today) [today, counters] = [day, new Map()];
      let counter = counters.get(tool_id);
      if (!counter) {
        counter = { project_id, tool_id, day: today, process_id, count: 0, is_buffered: false };
        counters.set(tool_id, counter);
      }
      counter.count += 1;
      if (counter.is_buffered) return;
      counter.is_buffered = true;
      batch_writer.add(counts, counter);
    },
  };
}

/** By tool, from the day of `from` on; epoch milliseconds. Those with most violations, at most `most`. */
export async function readOutputMismatches(
  database: Database,
  project_id: string,
  from: number,
  most: number,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ tool_id: string; count: number }>`
    select tool_id, sum(count)::bigint as count from output_mismatches
    where project_id = ${project_id} and day >= ${dayOf(from)}::date
    group by tool_id order by count desc, tool_id limit ${most}`.execute(database);
  return new Map(rows.map(({ tool_id, count }) => [tool_id, count]));
}

/** Retention. Returns whether there is more to delete. */
export async function applyMismatchRetention(pool: pg.Pool, now: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `delete from output_mismatches where ctid = any(array(
       select ctid from output_mismatches where day < $1::date limit $2))`,
    [dayOf(now - KEPT_DAYS * DAY_MS), MAX_ROWS_PER_RUN],
  );
  return rowCount === MAX_ROWS_PER_RUN;
}
