// How many jobs are due, and since when, for the metrics. Bounded: the table may hold millions of jobs.

import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';

const MAX_COUNTED = 100_000;

type QueueDepth = { kind: string; jobs: number; oldest_seconds: number };

/** One row for each kind of which there are jobs, found with one index lookup each. A job whose lease expired is due again. */
export async function readQueueDepth(database: Database, now: number): Promise<QueueDepth[]> {
  const time = new Date(now).toISOString();
  const { rows } = await sql<QueueDepth>`
    with recursive kinds as (
      (select kind from jobs order by kind limit 1)
      union all
      select next.kind from kinds, lateral (select kind from jobs where kind > kinds.kind order by kind limit 1) as next
    )
    select kinds.kind, count(due.run_at)::integer as jobs,
      greatest(0, coalesce(extract(epoch from ${time}::timestamptz - min(due.run_at)), 0))::float8 as oldest_seconds
    from kinds left join lateral (
      (select run_at from jobs where kind = kinds.kind and state = 'ready' limit ${MAX_COUNTED})
      union all
      (select run_at from jobs where kind = kinds.kind and state <> 'ready' and run_at <= ${time}::timestamptz
        limit ${MAX_COUNTED})
    ) as due on true
    group by kinds.kind`.execute(database);
  return rows;
}
