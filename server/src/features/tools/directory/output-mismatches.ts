// How many results of a tool violated its output schema, by day. Only MCP validates results.

import { sql } from 'kysely';
import { countedTable } from '../../../database/interval-counts.ts';
import type { Database } from '../../../database/tables.ts';

/** A few more than any question is about. */

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

export const outputMismatches = countedTable<{ project_id: string; tool_id: string }>(
  'output mismatches',
  ['day'],
  (pool, counts) =>
    pool.query(
      `insert into output_mismatches (project_id, day, tool_id, process_id, count)
       select project_id, day, tool_id, process_id, count
       from unnest($1::text[], $2::date[], $3::text[], $4::text[], $5::bigint[])
         as counted (project_id, day, tool_id, process_id, count)
       on conflict (project_id, day, tool_id, process_id)
       do update set count = greatest(output_mismatches.count, excluded.count)`,
      [
        counts.map(({ project_id }) => project_id),
        counts.map(({ start }) => dayOf(start)),
        counts.map(({ tool_id }) => tool_id),
        counts.map(({ process_id }) => process_id),
        counts.map(({ count }) => count),
      ],
    ),
);

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
