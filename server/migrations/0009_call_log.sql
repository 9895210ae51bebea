-- The log of tool calls, what is counted from it, and the traces of refused requests. The log is partitioned by day (UTC), so
-- that retention drops a partition instead of deleting millions of rows.

-- Creates the partition of one day unless it exists. A new table is attached, because CREATE TABLE … PARTITION OF would wait
-- for every reader and writer of the parent. There is no default partition: with one, attaching would scan and lock it.
create function create_day_partition(parent regclass, day date) returns boolean language plpgsql as $$
declare
  partition text := format('%s_%s', parent, to_char(day, 'YYYYMMDD'));
begin
  if to_regclass(partition) is not null then return false; end if;
  -- Two servers may create the same one. The second look reads pg_class itself: to_regclass() may answer from a cache.
  perform pg_advisory_xact_lock(hashtext('create_day_partition'));
  if exists (
    select from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = parent and c.relname = partition
  ) then return false; end if;
  execute format('create table %s (like %s including all)', partition, parent);
  execute format('alter table %s attach partition %s for values from (%L) to (%L)', parent, partition,
    day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
  return true;
end $$;

-- No foreign keys: the log outlives its tools, and thousands of rows a second must not lock their parents.
create table tool_calls (
  id text collate "C" not null,
  project_id text not null,
  tool_id text not null,
  tool_name text not null,
  tool_version integer not null,
  integration_id text,
  -- Of a call by a member session: the key that created the session.
  api_key_id text,
  session_id text,
  member_id text,
  -- A person calls a tool only to try it: a call with an account is a test.
  account_id text,
  transport text not null,
  client_name text,
  protocol_version text,
  -- As a REST caller would be answered.
  status smallint not null,
  -- Null: the call succeeded.
  error_code text,
  failed_step text,
  reason text,
  remedy text,
  upstream_status smallint,
  duration_ms integer not null,
  -- Null: no request was sent.
  queue_ms integer,
  connect_ms integer,
  upstream_ms integer,
  request_bytes integer not null,
  response_bytes integer not null,
  request_id text not null,
  created_at timestamptz not null,
  -- The transaction that inserted the row. Transactions of several servers do not commit in the order of created_at, so the
  -- stream of calls finds new rows by it.
  transaction_id xid8 not null default pg_current_xact_id(),
  -- The oldest transaction that was running then: those since may have committed later than this one.
  oldest_transaction_id xid8 not null default pg_snapshot_xmin(pg_current_snapshot()),
  primary key (id, created_at)
) partition by range (created_at);

-- Without the id: it would make the index half as large again, and few calls have the same time.
create index on tool_calls (project_id, created_at desc);
create index on tool_calls (project_id, created_at desc) where error_code is not null;
create index on tool_calls (project_id, error_code, created_at desc) where error_code is not null;
-- The filters of the list. The ids are unique in all projects.
create index on tool_calls (tool_id, created_at desc);
create index on tool_calls (api_key_id, created_at desc) where api_key_id is not null;
create index on tool_calls (integration_id, created_at desc) where integration_id is not null;
create index on tool_calls (member_id, created_at desc) where member_id is not null;
-- Compared for equality only: a hash takes less space.
create index on tool_calls using hash (request_id);

-- What was said in a call, for projects with record_payloads. Sealed. A call whose arguments and result were left out, because
-- its project had recorded its bytes of the day, has a row without both.
create table tool_call_payloads (
  call_id text collate "C" not null,
  project_id text not null,
  arguments text,
  result text,
  created_at timestamptz not null,
  primary key (call_id, created_at)
) partition by range (created_at);

create index on tool_call_payloads (project_id);

-- A job creates the partitions of the following days.
select create_day_partition('tool_calls', (now() at time zone 'UTC')::date + n) from generate_series(0, 2) as n;
select create_day_partition('tool_call_payloads', (now() at time zone 'UTC')::date + n) from generate_series(0, 2) as n;

-- How many bytes of arguments and results a project has recorded on a day. A project has a limit for each day.
create table payload_bytes (
  project_id text not null references projects (id) on delete cascade,
  day date not null,
  bytes bigint not null,
  primary key (project_id, day)
);

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

-- Why a request was refused. A tool call needs no row here: its trace is made from its row in tool_calls.
create table request_traces (
  project_id text not null references projects on delete cascade,
  request_id text collate "C" not null,
  method text not null,
  -- The route template.
  route text not null,
  status smallint not null,
  code text not null,
  caller_kind text not null,
  -- Who made it.
  api_key_id text,
  account_id text,
  session_id text,
  member_id text,
  integration_id text,
  failed_step text not null,
  reason text not null,
  remedy text not null,
  created_at timestamptz not null,
  primary key (project_id, request_id)
);

create index request_traces_newest on request_traces (project_id, created_at desc, request_id desc);
-- For retention.
create index request_traces_oldest on request_traces (created_at);
