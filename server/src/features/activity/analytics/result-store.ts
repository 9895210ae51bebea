// SQL of the report about results: reads a bounded number of the newest calls, each by an index.

import { limitsErrors } from '@toolgate/contract/limits/errors.ts';
import { sql } from 'kysely';
import type { Database } from '../../../database/tables.ts';

type Range = { from: number; to: number };

const time = (ms: number) => sql`to_timestamp(${ms / 1000}::float8)`;

export type ToolResults = {
  tool_id: string;
  tool_name: string;
  calls: number;
  result_tokens: number;
  shaped_tokens: number;
  p95_result_tokens: number;
  p95_shaped_tokens: number;
};

type Counted = { read: number; oldest: string | null };

/** Among the newest `max_calls` calls, whether they had a result or not: a project with failing calls costs no more. */
export async function selectToolResults(
  database: Database,
  project_id: string,
  { from, to }: Range,
  { max_calls, max_tools }: { max_calls: number; max_tools: number },
): Promise<{ counted: Counted; tools: ToolResults[] }> {
  const { rows } = await sql<Counted & (ToolResults | { tool_id: null })>`
    with recent as materialized (
      select tool_id, tool_name, result_tokens, shaped_tokens, created_at from tool_calls
      where project_id = ${project_id} and created_at >= ${time(from)} and created_at < ${time(to)}
      order by created_at desc limit ${max_calls}
    ),
    heaviest as (
      select tool_id, (array_agg(tool_name order by created_at desc))[1] as tool_name, count(*)::int as calls,
        sum(result_tokens)::bigint as result_tokens, sum(shaped_tokens)::bigint as shaped_tokens,
        percentile_disc(0.95) within group (order by result_tokens) as p95_result_tokens,
        percentile_disc(0.95) within group (order by shaped_tokens) as p95_shaped_tokens
      from recent where result_tokens is not null and shaped_tokens is not null
      group by tool_id order by shaped_tokens desc, tool_id limit ${max_tools}
    )
    select counted.read, counted.oldest, heaviest.*
    from (select count(*)::int as read, min(created_at) as oldest from recent) as counted
    left join heaviest on true
    order by heaviest.shaped_tokens desc, heaviest.tool_id`.execute(database);
  const [first] = rows;
  return {
    counted: { read: first?.read ?? 0, oldest: first?.oldest ?? null },
    tools: rows.flatMap(({ read: _, oldest: __, ...tool }) => (tool.tool_id === null ? [] : [tool as ToolResults])),
  };
}

export type LimitedCaller = { kind: 'member' | 'api_key' | 'account'; id: string; calls: number; last_at: string };

export async function selectLimitedCallers(
  database: Database,
  project_id: string,
  { from, to }: Range,
  { max_calls, max_callers }: { max_calls: number; max_callers: number },
): Promise<LimitedCaller[]> {
  const { rows } = await sql<LimitedCaller>`
    with recent as materialized (
      select member_id, account_id, api_key_id, created_at from tool_calls
      where project_id = ${project_id} and error_code = ${limitsErrors.toolLimitReached.code}
        and created_at >= ${time(from)} and created_at < ${time(to)}
      order by created_at desc limit ${max_calls}
    )
    select kind, id, count(*)::int as calls, max(created_at) as last_at
    from recent, lateral (
      select case when member_id is not null then 'member' when account_id is not null then 'account' else 'api_key' end,
        coalesce(member_id, account_id, api_key_id)
    ) as caller (kind, id)
    where id is not null
    group by kind, id order by calls desc, id limit ${max_callers}`.execute(database);
  return rows;
}
