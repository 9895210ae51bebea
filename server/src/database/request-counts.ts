// Stores the request counts of the rate limits: written by the batch writer, loaded at a quota group's first request.

import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Batch, BatchWriter } from './batch-writer.ts';

type SecondCount = { second: number; count: number };
type CountRow = SecondCount & { quota_group_id: string; process_id: string };

/** Counts of one second only grow, so the largest is the latest. */
const counts: Batch<CountRow> = {
  name: 'request counts',
  write: (pool, rows) =>
    pool.query(
      `insert into request_counts (quota_group_id, process_id, second, count)
       select quota_group_id, process_id, second, max(count)
       from unnest($1::text[], $2::text[], $3::bigint[], $4::integer[]) as counted (quota_group_id, process_id, second, count)
       group by quota_group_id, process_id, second
       on conflict (quota_group_id, second, process_id)
       do update set count = greatest(request_counts.count, excluded.count)`,
      [
        rows.map(({ quota_group_id }) => quota_group_id),
        rows.map(({ process_id }) => process_id),
        rows.map(({ second }) => second),
        rows.map(({ count }) => count),
      ],
    ),
};

export function createCountStore(pool: pg.Pool, batch_writer: BatchWriter) {
  // Each process has rows of its own, so that it does not overwrite the counts of another in the same second.
  const process_id = randomUUID();
  return {
    async load(quota_group_id: string, since: number): Promise<SecondCount[]> {
      const { rows } = await pool.query<SecondCount>(
        `select second, sum(count)::integer as count from request_counts
         where quota_group_id = $1 and second >= $2 group by second order by second`,
        [quota_group_id, Math.floor(since / 1000)],
      );
      return rows;
    },
    save(quota_group_id: string, counted: SecondCount): void {
      batch_writer.add(counts, { quota_group_id, process_id, ...counted });
    },
  };
}
