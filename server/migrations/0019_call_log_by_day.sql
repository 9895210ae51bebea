-- breaking
-- The call log is partitioned by day (UTC), so that retention drops a partition instead of deleting millions of rows.

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

alter table tool_calls rename to earlier_tool_calls;
drop index tool_calls_newest, tool_calls_oldest;
alter table earlier_tool_calls rename constraint tool_calls_pkey to earlier_tool_calls_pkey;

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
  door text not null,
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

-- What was said in a call, for projects with record_payloads. Sealed.
create table tool_call_payloads (
  call_id text collate "C" not null,
  project_id text not null,
  arguments text not null,
  result text,
  created_at timestamptz not null,
  primary key (call_id, created_at)
) partition by range (created_at);

create index on tool_call_payloads (project_id);

select create_day_partition('tool_calls', day) from (
  select (created_at at time zone 'UTC')::date as day from earlier_tool_calls
  union select (now() at time zone 'UTC')::date + n from generate_series(0, 2) as n
) as days;
select create_day_partition('tool_call_payloads', (now() at time zone 'UTC')::date + n) from generate_series(0, 2) as n;

-- Earlier calls have neither a name nor a door: the name is the tool's current one, the door is given as REST.
insert into tool_calls (id, project_id, tool_id, tool_name, tool_version, integration_id, api_key_id, session_id, member_id,
    door, status, error_code, upstream_status, duration_ms, request_bytes, response_bytes, request_id, created_at)
  select c.id, c.project_id, c.tool_id, coalesce(t.name, c.tool_id), c.tool_version, c.integration_id,
    coalesce(c.api_key_id, s.api_key_id), c.session_id, c.member_id, 'rest', c.status, c.error_code, c.upstream_status,
    c.duration_ms, c.request_bytes, c.response_bytes, c.request_id, c.created_at
  from earlier_tool_calls c
    left join custom_tools t on t.id = c.tool_id and t.project_id = c.project_id
    left join member_sessions s on s.id = c.session_id and s.project_id = c.project_id;

drop table earlier_tool_calls;
