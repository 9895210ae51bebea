-- Calls of a project in one minute, hour or day, in all and for each tool, key, member and so on. The statement that inserts
-- calls updates them, so no count is ever lost or taken twice. No foreign keys, as for the calls.
create table call_rollups (
  project_id text collate "C" not null,
  interval text collate "C" not null check (interval in ('minute', 'hour', 'day')),
  dimension text collate "C" not null,
  start timestamptz not null,
  -- Which tool, key and so on; empty for the total.
  group_id text collate "C" not null,
  calls bigint not null,
  errors bigint not null,
  -- Durations: a bucket and its count in each number.
  histogram bigint[] not null,
  primary key (project_id, interval, dimension, start, group_id)
) partition by list (interval);

-- Rows of the current intervals are updated several times a second. No update changes an indexed column, so with free space in
-- its page a new version needs no index entry.
create table call_rollups_minute partition of call_rollups for values in ('minute') with (fillfactor = 70);
create table call_rollups_hour partition of call_rollups for values in ('hour') with (fillfactor = 70);
create table call_rollups_day partition of call_rollups for values in ('day') with (fillfactor = 70);

-- For retention. Not on `start` itself: the planner may prefer such an index for a question about one project, and would read
-- the rows of all projects.
create index on call_rollups ((start at time zone 'UTC'));

-- Requests of a project that were refused with 429, as counted by one process.
create table rate_limited_counts (
  project_id text not null references projects (id) on delete cascade,
  interval text not null check (interval in ('minute', 'hour', 'day')),
  start timestamptz not null,
  process_id text not null,
  count bigint not null,
  primary key (project_id, interval, start, process_id)
) with (fillfactor = 70);

create index on rate_limited_counts ((start at time zone 'UTC'));
