// The SQL that makes rollups from calls. The statement that inserts calls uses it, and the command that rebuilds rollups.
// A rollup is a row for one interval (minute, hour, day) and one group: all calls, those of one tool, of one member and so on.

import { bucketSql, packSql, unpackBucketSql, unpackCountSql } from './histogram.ts';

/**
 * The group of a call in each dimension. A call without one (null) has no row there: those calls are the total less the other
 * groups of the dimension. So a call over REST that succeeds adds to the rows of the total, its tool and its key only.
 */
export const groupSql = {
  total: `''`,
  tool: 'tool_id',
  api_key: 'api_key_id',
  integration: 'integration_id',
  member: 'member_id',
  outcome: `case when error_code is not null then 'failed' end`,
  error_code: 'error_code',
  transport: `nullif(transport, 'rest')`,
  waiting: `case when waiting_ms is not null then '' end`,
  task: `case when task_ms is not null then '' end`,
} as const;

/** What is read of a call. */
export const countedColumns =
  'project_id, tool_id, integration_id, api_key_id, member_id, transport, error_code, is_waiting, duration_ms, waiting_ms, task_ms, created_at';

/** People and tasks take up to a day, and buckets end long before that: they are counted in units of so many milliseconds. */
export const LONG_UNIT_MS = 100;

/** What the histogram of a dimension counts. */
export const bucketOfCall = (dimension: string): string =>
  `case ${dimension} when 'waiting' then ${bucketSql(`waiting_ms / ${LONG_UNIT_MS}`)}
    when 'task' then ${bucketSql(`task_ms / ${LONG_UNIT_MS}`)} else ${bucketSql('duration_ms')} end`;

/** For several calls. One that only asked a person is not an error. */
export const countsOfCalls = `count(*) as calls, count(*) filter (where error_code is not null and not is_waiting) as errors,
    count(*) filter (where is_waiting) as waiting`;

const groupsOfCall = Object.entries(groupSql)
  .map(([dimension, group]) => `('${dimension}', ${group})`)
  .join(', ');

const key = 'project_id, interval, dimension, start, group_id';
const columns = `${key}, calls, errors, waiting, histogram`;

/** Above this number of entries two histograms are merged; below it, a concatenation is a valid histogram and much cheaper. */
const MAX_APPENDED_ENTRIES = 64;

/**
 * Queries of a `with`. The last of them, `rollups`, has the rollups of the rows of `calls`. By minute, the rollups of members
 * would be about as many as the calls, so they are not stored: see rollup-store.ts.
 */
export const rollupsOf = (calls: string): string => `
grouped_calls as (
  select project_id collate "C" as project_id, dimension collate "C" as dimension, group_id collate "C" as group_id,
    date_trunc('minute', created_at, 'UTC') as minute, date_trunc('hour', created_at, 'UTC') as hour,
    date_trunc('day', created_at, 'UTC') as day, ${bucketOfCall('dimension')} as bucket, error_code, is_waiting
  from ${calls}, lateral (values ${groupsOfCall}) as groups (dimension, group_id)
  where group_id is not null
),
rollup_buckets as (
  select project_id, dimension, coalesce(minute, hour, day) as start, group_id, bucket,
    case when grouping(minute) = 0 then 'minute' when grouping(hour) = 0 then 'hour' else 'day' end as interval,
    ${countsOfCalls}
  from grouped_calls
  group by project_id, dimension, group_id, bucket, grouping sets ((minute), (hour), (day))
  having grouping(minute) = 1 or dimension <> 'member'
),
rollups as (
  select ${key}, sum(calls)::bigint as calls, sum(errors)::bigint as errors,
    sum(waiting)::bigint as waiting, array_agg(${packSql('bucket', 'calls')}) as histogram
  from rollup_buckets
  group by ${key}
)`;

const mergedHistogram = `array(
    select ${packSql(unpackBucketSql('entry'), `sum(${unpackCountSql('entry')})`)}
    from unnest(call_rollups.histogram || excluded.histogram) as entry
    group by ${unpackBucketSql('entry')} having sum(${unpackCountSql('entry')}) <> 0
  )`;

/** Adds the rows of `source` to the stored rollups. In the order of their keys, so that two servers cannot deadlock. */
export const addRollups = (source: string): string => `
insert into call_rollups (${columns})
select ${columns} from ${source} order by ${key}
on conflict (${key}) do update set
  calls = call_rollups.calls + excluded.calls,
  errors = call_rollups.errors + excluded.errors,
  waiting = call_rollups.waiting + excluded.waiting,
  histogram = case
    when cardinality(call_rollups.histogram) + cardinality(excluded.histogram) <= ${MAX_APPENDED_ENTRIES}
    then call_rollups.histogram || excluded.histogram
    else ${mergedHistogram}
  end`;

const entriesOf = (rollups: string, sign: '' | '-') =>
  `select ${key}, ${unpackBucketSql('entry')} as bucket, ${sign}${unpackCountSql('entry')} as count
   from ${rollups}, unnest(histogram) as entry`;

/** Queries of a `with`. The last of them, `differences`, has what must be added to `stored` so that it equals `rollups`. */
export const rollupDifferences = `
different_buckets as (
  select ${key}, array_agg(${packSql('bucket', 'count')}) as histogram
  from (
    select ${key}, bucket, sum(count)::bigint as count
    from (${entriesOf('rollups', '')} union all ${entriesOf('stored', '-')}) as entries
    group by ${key}, bucket having sum(count) <> 0
  ) as sums
  group by ${key}
),
different_counts as (
  select ${key}, sum(calls)::bigint as calls, sum(errors)::bigint as errors, sum(waiting)::bigint as waiting
  from (
    select ${key}, calls, errors, waiting from rollups
    union all select ${key}, -calls, -errors, -waiting from stored
  ) as counts
  group by ${key}
),
differences as (
  select ${key}, calls, errors, waiting, coalesce(histogram, '{}') as histogram
  from different_counts left join different_buckets using (${key})
  where calls <> 0 or errors <> 0 or waiting <> 0 or histogram is not null
)`;
