// Many calls of the log with their rollups, for tests that need more than can be made one by one.

import type { App } from '../../../src/app.ts';
import { rebuildRollups } from '../../../src/features/activity/analytics/rebuild-rollups.ts';
import { insertCalls, type NewCall } from '../../../src/features/activity/analytics/store.ts';
import { newCall } from '../make/new-call.ts';

const DAY_MS = 86_400_000;

/** Within a day from `since`. `values` has SQL expressions for columns of a call, over `i`, which counts from 0. */
export async function recordMany(
  { background: { pool, database } }: App,
  project_id: string,
  { count, since }: { count: number; since: number },
  values: Partial<Record<keyof NewCall, string>>,
): Promise<void> {
  const sample = newCall(project_id, { created_at: since });
  const last = newCall(project_id, { created_at: since + DAY_MS - 1 });
  // Makes the partitions of the days.
  await insertCalls(pool, [sample, last]);
  await pool.query('delete from tool_calls where id = any($1)', [[sample.id, last.id]]);
  const literals = Object.entries(sample).map(([name, value]) => [name, value === null ? 'null' : `'${value}'`]);
  const made = { id: `'call_' || gen_random_uuid()`, created_at: `to_timestamp(${since / 1000})` };
  const columns = { ...Object.fromEntries(literals), ...made, ...values };
  await pool.query(
    `insert into tool_calls (${Object.keys(columns).join(', ')})
     select ${Object.values(columns).join(', ')} from generate_series(0, ${count - 1}) as i`,
  );
  await pool.query('delete from call_rollups where project_id = $1', [project_id]);
  await rebuildRollups({ database, call_log_days: 30 }, () => {});
}
