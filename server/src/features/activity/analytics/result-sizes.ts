// How large the results of tools were lately, from a bounded number of calls: those of each tool are counted in rollups, and only its
// newest are read from the log.

import { sql } from 'kysely';
import type { App } from '../../../app.ts';

/** For tools, those with most calls. */
const MAX_TOOLS = 500;
/** How many calls are read, for all tools and for each. A tool has at least 40 then. */
const MAX_CALLS = 20_000;
const MAX_CALLS_OF_TOOL = 1_000;

/** `p95_tokens`: of what callers got in the calls that were read; null if none of them succeeded. */
export type ResultSize = { tool_id: string; calls: number; read: number; p95_tokens: number | null };

/** From the day of `from` on, in epoch milliseconds. The database must be given by readInTime(). */
export async function readResultSizes({ database }: App, project_id: string, from: number): Promise<ResultSize[]> {
  const since = new Date(from).toISOString();
  const { rows: called } = await sql<{ tool_id: string; calls: number }>`
    select group_id as tool_id, sum(calls)::bigint as calls from call_rollups
    where project_id = ${project_id} and interval = 'day' and dimension = 'tool' and start >= ${since}::timestamptz
    group by group_id order by calls desc, group_id limit ${MAX_TOOLS}`.execute(database);
  if (called.length === 0) return [];
  const most = Math.min(MAX_CALLS_OF_TOOL, Math.floor(MAX_CALLS / called.length));
  const ids = called.map(({ tool_id }) => tool_id);
  const { rows } = await sql<Pick<ResultSize, 'tool_id' | 'read' | 'p95_tokens'>>`
    select wanted.tool_id, count(*)::integer as read,
      percentile_disc(0.95) within group (order by newest.shaped_tokens) as p95_tokens
    from unnest(${ids}::text[]) as wanted (tool_id), lateral (
      select shaped_tokens from tool_calls
      where tool_id = wanted.tool_id and project_id = ${project_id} and created_at >= ${since}::timestamptz
      order by created_at desc limit ${most}
    ) as newest
    group by wanted.tool_id`.execute(database);
  const read = new Map(rows.map((row) => [row.tool_id, row]));
  return called.map((each) => ({ read: 0, p95_tokens: null, ...read.get(each.tool_id), ...each }));
}
