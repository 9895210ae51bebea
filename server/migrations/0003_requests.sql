-- Requests: their idempotency keys, and how many of them were made.

-- Answers kept for 24 h so that a retried POST gives the first answer again; sealed, because they may hold a new key.
create table idempotency_keys (
  scope text not null,
  key text not null,
  fingerprint bytea not null,
  status integer,
  answer text,
  -- Of a request that was done and whose answer is not kept: the id of the call, or of what was created.
  result_id text,
  locked_until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  primary key (scope, key)
);

create index idempotency_keys_expired on idempotency_keys (expires_at);

-- How many bytes of answers were kept in an hour. An answer lives 24 hours, so old rows are dropped and nothing is subtracted.
create table idempotency_bytes (
  project_id text not null,
  hour timestamptz not null,
  bytes bigint not null,
  primary key (project_id, hour)
);

-- How many requests of a quota group passed in one second, as counted by one process: a restart does not begin a new hour.
-- No foreign keys: these rows are written behind the requests, and live for an hour.
create table request_counts (
  quota_group_id text not null,
  process_id text not null,
  second bigint not null,
  count integer not null,
  primary key (quota_group_id, second, process_id)
);

create index request_counts_by_age on request_counts (second);

-- Requests of a project that were refused with 429, as counted by one process.
create table rate_limited_counts (
  project_id text not null references projects (id) on delete cascade,
  interval text not null check (interval in ('minute', 'hour', 'day')),
  start timestamptz not null,
  process_id text not null,
  count bigint not null,
  primary key (project_id, interval, start, process_id)
) with (fillfactor = 70);

-- For retention.
create index on rate_limited_counts ((start at time zone 'UTC'));

-- Limits that several processes share without Redis: one row is the requests of a quota group in one millisecond, or in one
-- second with a limit above 1,000: it expires an hour after the last of them. `total` is the number of requests up to and
-- including this row, so that the requests of an hour are a difference of two rows.
create table request_log (
  quota_group_id text not null,
  first_ms bigint not null,
  last_ms bigint not null,
  count integer not null,
  total bigint not null,
  primary key (quota_group_id, first_ms)
) with (fillfactor = 70);

create index request_log_by_age on request_log (first_ms);

-- Counts `wanted[i]` requests of `groups[i]` as far as `limits[i]` allows. `resets_at` is when the next request passes, or when
-- the oldest one expires. One transaction at a time counts for a group; the order of the locks prevents deadlocks.
create function take_requests(groups text[], wanted integer[], limits integer[])
returns table (number integer, granted integer, used integer, now_ms bigint, resets_at bigint)
language plpgsql as $$
declare
  asked record;
  oldest request_log;
  newest request_log;
  step bigint;
  hour constant bigint := 3600000;
begin
  for asked in
    select ordinality::integer as number, t.quota_group_id, t.wanted, t.max
    from unnest(groups, wanted, limits) with ordinality as t (quota_group_id, wanted, max, ordinality)
    order by hashtext(t.quota_group_id), ordinality
  loop
    number := asked.number;
    perform pg_advisory_xact_lock(27, hashtext(asked.quota_group_id));
    now_ms := floor(extract(epoch from clock_timestamp()) * 1000);
    newest := null;
    oldest := null;
    select * into newest from request_log r where r.quota_group_id = asked.quota_group_id order by r.first_ms desc limit 1;
    -- Time must not go back, not even when the clock is corrected.
    now_ms := greatest(now_ms, newest.last_ms);
    select * into oldest from request_log r
      where r.quota_group_id = asked.quota_group_id and r.first_ms > now_ms - hour - 1000 and r.last_ms > now_ms - hour
      order by r.first_ms limit 1;
    used := coalesce(newest.total - oldest.total + oldest.count, 0);
    granted := least(asked.wanted, greatest(0, asked.max - used));
    if granted > 0 then
      step := case when asked.max <= 1000 then 1 else 1000 end;
      if newest.last_ms / step = now_ms / step and oldest.count > 0 then
        update request_log r set last_ms = now_ms, count = r.count + granted, total = r.total + granted
          where r.quota_group_id = asked.quota_group_id and r.first_ms = newest.first_ms;
        if newest.first_ms = oldest.first_ms then oldest.last_ms := now_ms; end if;
      else
        insert into request_log values (asked.quota_group_id, now_ms, now_ms, granted, coalesce(newest.total, 0) + granted);
        if oldest.count is null then oldest.last_ms := now_ms; end if;
      end if;
      used := used + granted;
    end if;
    resets_at := oldest.last_ms + hour;
    if granted = 0 and used > asked.max then
      -- The limit was lowered: as many must expire until one passes.
      select min(r.last_ms) + hour into resets_at from request_log r
        where r.quota_group_id = asked.quota_group_id
          and r.total >= oldest.total - oldest.count + used - asked.max + 1;
    end if;
    return next;
  end loop;
end
$$;

-- How often a client network failed to authenticate in the current minute. Unlogged: after a crash of PostgreSQL it is empty.
create unlogged table failure_counts (
  key text primary key,
  count integer not null,
  ends_at timestamptz not null
);

create index failure_counts_by_age on failure_counts (ends_at);
