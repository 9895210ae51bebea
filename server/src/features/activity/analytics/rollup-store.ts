// SQL that reads and deletes rollups. store.ts adds to them, in the statement that inserts calls.

import type { Interval } from '@toolgate/contract/analytics/rules.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../database/tables.ts';
import { packSql, unpackBucketSql, unpackCountSql } from './histogram.ts';
import { finestKept, intervalMs, keptSince } from './intervals.ts';
import type { Period } from './period.ts';
import { bucketOfCall, countsOfCalls, groupSql } from './rollup-sql.ts';

export type Dimension = keyof typeof groupSql;

/** `group_id` is empty in the dimension `total`, and `OTHER_GROUPS` for all but the largest groups. */
export type RollupRow = {
  dimension: Dimension;
  /** Epoch milliseconds. */
  start: number;
  group_id: string;
  calls: number;
  errors: number;
  waiting: number;
  /** The stored form. */
  histogram: string;
};

export const OTHER_GROUPS = 'other';

const time = (ms: number) => sql`to_timestamp(${ms / 1000}::float8)`;

type Source = (dimension: Dimension, period: Period) => RawBuilder<unknown>;

/** Rollups: `start, group_id, calls, errors, waiting, histogram`. */
const fromRollups =
  (project_id: string): Source =>
  (dimension, { interval, from, to }) =>
    sql`
    select start, group_id, calls, errors, waiting, histogram from call_rollups
    where project_id = ${project_id} and interval = ${interval} and dimension = ${dimension}
      and start >= ${time(from)} and start < ${time(to)}`;

/** The same from the calls. */
const fromCalls =
  (project_id: string): Source =>
  (dimension, { interval, from, to }) =>
    sql`
    select start, group_id, sum(calls)::bigint as calls, sum(errors)::bigint as errors,
      sum(waiting)::bigint as waiting, array_agg(${sql.raw(packSql('bucket', 'calls'))}) as histogram
    from (
      select date_trunc(${interval}, created_at, 'UTC') as start, ${sql.raw(groupSql[dimension])} as group_id,
        ${sql.raw(bucketOfCall(`'${dimension}'`))} as bucket, ${sql.raw(countsOfCalls)}
      from tool_calls
      where project_id = ${project_id} and created_at >= ${time(from)} and created_at < ${time(to)}
      group by 1, 2, 3
    ) as buckets
    where group_id is not null
    group by start, group_id`;

export type Question = { dimension: Dimension | null; period: Period; before: Period; now: number };

/** There are no rollups by minute that are older than a week, and none of members by minute. */
const isOld = ({ before, now }: Question) => before.interval === 'minute' && before.from < keptSince('minute', now);
const isByMinuteAndMember = ({ dimension, period }: Question) => dimension === 'member' && period.interval === 'minute';

/** The part of the call log that has to be read, because rollups lack it; null if they have everything. */
export function periodOfCalls(question: Question): Period | null {
  const { period, before } = question;
  if (isOld(question)) return { ...period, from: before.from };
  return isByMinuteAndMember(question) ? period : null;
}

/** How many calls a part of the log has at most: rollups may be coarser than its ends. */
export async function countCalls(
  database: Database,
  project_id: string,
  { from, to }: Period,
  now: number,
): Promise<number> {
  const interval = finestKept(from, now);
  const { rows } = await sql<{ calls: number }>`
    select coalesce(sum(calls), 0)::bigint as calls from call_rollups
    where project_id = ${project_id} and interval = ${interval} and dimension = 'total'
      and start > ${time(from - intervalMs[interval])} and start < ${time(to)}`.execute(database);
  return (rows[0] as { calls: number }).calls;
}

/** A response has at most so many groups, and so many rows of them. The other groups are one. */
export type GroupLimits = { max_groups: number; max_rows: number };

/** The totals of both periods and the groups of the first, in one statement, so that they fit each other. */
export async function selectRollups(
  database: Database,
  project_id: string,
  question: Question,
  limits: GroupLimits,
): Promise<RollupRow[]> {
  const { dimension, period, before } = question;
  const [rollups, calls] = [fromRollups(project_id), fromCalls(project_id)];
  const totalsSource = isOld(question) ? calls : rollups;
  const groupsSource = periodOfCalls(question) ? calls : rollups;
  const whole = { ...period, from: before.from };
  const totals = sql`
    select 'total' as dimension, start, group_id, calls, errors, waiting, histogram
    from (${totalsSource('total', whole)}) as totals
    union all
    select 'waiting' as dimension, start, group_id, calls, errors, waiting, histogram
    from (${totalsSource('waiting', whole)}) as waits
    union all
    select 'task' as dimension, start, group_id, calls, errors, waiting, histogram
    from (${totalsSource('task', whole)}) as tasks`;
  const groups = dimension && sql` union all ${largestGroups(dimension, groupsSource(dimension, period), limits)}`;
  const { rows } = await sql<RollupRow>`
    select dimension, extract(epoch from start)::float8 * 1000 as start, group_id, calls, errors, waiting, histogram::text
    from (${totals}${groups ?? sql``}) as rows`.execute(database);
  return rows;
}

function largestGroups(
  dimension: Dimension,
  source: RawBuilder<unknown>,
  { max_groups, max_rows }: GroupLimits,
): RawBuilder<unknown> {
  return sql`
    (with selected as materialized (${source}),
    largest as materialized (
      select group_id from (
        select group_id, row_number() over by_calls as rank, sum(count(*)) over by_calls as rows_so_far
        from selected group by group_id window by_calls as (order by sum(calls) desc, group_id)
      ) as ranked
      where rank <= ${max_groups} and rows_so_far <= ${max_rows}
    ),
    others as materialized (
      select start, calls, errors, waiting, histogram from selected where group_id not in (select group_id from largest)
    ),
    other_histograms as (
      select start, array_agg(${sql.raw(packSql('bucket', 'count'))}) as histogram
      from (
        select start, ${sql.raw(unpackBucketSql('entry'))} as bucket, sum(${sql.raw(unpackCountSql('entry'))}) as count
        from others, unnest(histogram) as entry
        group by 1, 2
      ) as buckets
      group by start
    )
    select ${dimension}, start, group_id, calls, errors, waiting, histogram
    from selected where group_id in (select group_id from largest)
    union all
    select ${dimension}, start, ${OTHER_GROUPS}, calls, errors, waiting, histogram
    from (select start, sum(calls)::bigint as calls, sum(errors)::bigint as errors, sum(waiting)::bigint as waiting
      from others group by start) as sums
    join other_histograms using (start))`;
}

/** The names that deleted tools had when they were last called. */
export async function selectToolNamesFromCalls(
  database: Database,
  project_id: string,
  tool_ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ tool_id: string; tool_name: string }>`
    select wanted.tool_id, newest.tool_name from unnest(${tool_ids}::text[]) as wanted (tool_id), lateral (
      select tool_name from tool_calls where tool_id = wanted.tool_id and project_id = ${project_id}
      order by created_at desc limit 1
    ) as newest`.execute(database);
  return new Map(rows.map(({ tool_id, tool_name }) => [tool_id, tool_name]));
}

export async function deleteRollupsBefore(
  database: Database,
  interval: Interval,
  before: number,
  limit: number,
): Promise<number> {
  return deleteRollups(database, interval, sql`start at time zone 'UTC' < ${time(before)} at time zone 'UTC'`, limit);
}

export async function deleteRollupsOf(
  database: Database,
  project_id: string,
  interval: Interval,
  limit: number,
): Promise<number> {
  return deleteRollups(database, interval, sql`project_id = ${project_id}`, limit);
}

/** For one interval, which is one partition: rows of different partitions can have the same ctid. */
async function deleteRollups(
  database: Database,
  interval: Interval,
  condition: RawBuilder<unknown>,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from call_rollups where interval = ${interval} and ctid = any(array(
      select ctid from call_rollups where interval = ${interval} and ${condition} limit ${limit}
    ))`.execute(database);
  return Number(numAffectedRows ?? 0n);
}
