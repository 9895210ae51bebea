-- Limits of how often tools are called, and what was counted.

alter table custom_tools add column weight integer not null default 1;

-- Which tools: those named, those of a toolset, or those with one of the tags; every tool if all three are null.
create table tool_limits (
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  name text not null,
  tool_ids text[],
  toolset_id text,
  tags text[],
  per text not null check (per in ('project', 'api_key', 'integration', 'oauth_client', 'member')),
  "limit" integer not null check ("limit" between 1 and 1000000),
  window_seconds integer not null check (window_seconds between 1 and 86400),
  overrides jsonb not null,
  -- The smallest of the limit and its overrides: a tool must not weigh more.
  least_limit integer not null,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

create index tool_limits_newest on tool_limits (project_id, created_at desc, id desc);

-- As request_log, with weights: one row is what was counted in one millisecond, or in a 3,600th of the window with a limit above
-- 1,000. No foreign keys: a row is written before each call, and lives as long as its window.
create table limit_log (
  project_id text not null,
  limit_id text not null,
  subject_id text not null,
  first_ms bigint not null,
  last_ms bigint not null,
  count integer not null,
  total bigint not null,
  expires_ms bigint not null,
  primary key (project_id, limit_id, subject_id, first_ms)
) with (fillfactor = 70);

create index limit_log_expired on limit_log (expires_ms);

-- When a subject was last told to have reached a limit: once an hour.
create table limit_refusals (
  project_id text not null,
  limit_id text not null,
  subject_id text not null,
  refused_ms bigint not null,
  primary key (project_id, limit_id, subject_id)
);

create index limit_refusals_by_age on limit_refusals (refused_ms);

-- Counts the calls 1, 2, … of `calls`, each against several limits: all of them or, if one of them would be exceeded, none.
-- Returns for each entry whether its own limit allows the call, what is used, and when it would pass or the oldest entry expires.
-- One transaction at a time counts for a subject of a limit; the order of the locks prevents deadlocks.
create function take_limits(
  project text, calls integer[], limit_ids text[], subject_ids text[], limits integer[], windows bigint[], weights integer[]
)
returns table (entry integer, is_within boolean, used bigint, now_ms bigint, resets_at bigint, is_first_refusal boolean)
language plpgsql as $$
declare
  asked record;
  this_call integer;
  at_ms bigint;
  newest limit_log;
  step bigint;
  is_allowed boolean;
  hour constant bigint := 3600000;
begin
  -- A crash of PostgreSQL may lose the counts of the last moments.
  perform set_config('synchronous_commit', 'off', true);
  perform pg_advisory_xact_lock(28, key.hash)
  from (
    select distinct hashtext(t.limit_id || ' ' || t.subject_id) as hash
    from unnest(limit_ids, subject_ids) as t (limit_id, subject_id) order by 1
  ) as key;
  for this_call in select distinct c from unnest(calls) as c order by c loop
    -- Read once for a call: what has not expired for the decision has not expired when it is counted.
    at_ms := floor(extract(epoch from clock_timestamp()) * 1000);
    select coalesce(bool_and(s.is_within), true) into is_allowed
    from unnest(calls, limit_ids, subject_ids, limits, windows, weights) as t (call, limit_id, subject_id, max, window_ms, weight),
      limit_state(project, t.limit_id, t.subject_id, t.max, t.window_ms, t.weight, at_ms) as s
    where t.call = this_call;
    for asked in
      select t.ordinality::integer as entry, t.limit_id, t.subject_id, t.max, t.window_ms, t.weight, s.is_within, s.used, s.now_ms,
        s.resets_at, s.oldest_ms
      from unnest(calls, limit_ids, subject_ids, limits, windows, weights) with ordinality
        as t (call, limit_id, subject_id, max, window_ms, weight, ordinality),
        limit_state(project, t.limit_id, t.subject_id, t.max, t.window_ms, t.weight, at_ms) as s
      where t.call = this_call order by t.ordinality
    loop
      entry := asked.entry;
      is_within := asked.is_within;
      used := asked.used;
      now_ms := asked.now_ms;
      resets_at := asked.resets_at;
      is_first_refusal := false;
      if is_allowed then
        newest := null;
        select * into newest from limit_log r
          where r.project_id = project and r.limit_id = asked.limit_id and r.subject_id = asked.subject_id
          order by r.first_ms desc limit 1;
        step := case when asked.max <= 1000 then 1 else greatest(1, asked.window_ms / 3600) end;
        if asked.used > 0 and newest.last_ms / step = now_ms / step then
          update limit_log r
            set last_ms = now_ms, count = r.count + asked.weight, total = r.total + asked.weight, expires_ms = now_ms + asked.window_ms
            where r.project_id = project and r.limit_id = asked.limit_id and r.subject_id = asked.subject_id
              and r.first_ms = newest.first_ms;
          if asked.oldest_ms = newest.first_ms then resets_at := now_ms + asked.window_ms; end if;
        else
          insert into limit_log values (
            project, asked.limit_id, asked.subject_id, now_ms, now_ms, asked.weight, coalesce(newest.total, 0) + asked.weight,
            now_ms + asked.window_ms
          );
          resets_at := coalesce(resets_at, now_ms + asked.window_ms);
        end if;
        used := used + asked.weight;
      elsif not is_within then
        insert into limit_refusals as r values (project, asked.limit_id, asked.subject_id, now_ms)
          on conflict (project_id, limit_id, subject_id) do update set refused_ms = excluded.refused_ms
          where r.refused_ms <= excluded.refused_ms - hour;
        is_first_refusal := found;
      end if;
      return next;
    end loop;
  end loop;
end
$$;

-- What a subject has used of a limit now, and whether a call of this weight would be within it.
create function limit_state(
  project text, of_limit text, of_subject text, max integer, window_ms bigint, weight integer, at_ms bigint
)
returns table (is_within boolean, used bigint, now_ms bigint, resets_at bigint, oldest_ms bigint)
language plpgsql as $$
declare
  oldest limit_log;
  newest limit_log;
begin
  select * into newest from limit_log r
    where r.project_id = project and r.limit_id = of_limit and r.subject_id = of_subject order by r.first_ms desc limit 1;
  -- Time must not go back, not even when the clock is corrected.
  now_ms := greatest(at_ms, newest.last_ms);
  select * into oldest from limit_log r
    where r.project_id = project and r.limit_id = of_limit and r.subject_id = of_subject
      and r.first_ms > now_ms - window_ms - greatest(1, window_ms / 3600) and r.last_ms > now_ms - window_ms
    order by r.first_ms limit 1;
  used := coalesce(newest.total - oldest.total + oldest.count, 0);
  is_within := used + weight <= max;
  resets_at := oldest.last_ms + window_ms;
  oldest_ms := oldest.first_ms;
  if not is_within then
    -- As much must expire until the call passes. One that weighs more than the limit never does.
    select min(r.last_ms) + window_ms into resets_at from limit_log r
      where r.project_id = project and r.limit_id = of_limit and r.subject_id = of_subject
        and r.total >= oldest.total - oldest.count + used + weight - max;
    resets_at := coalesce(resets_at, now_ms + window_ms);
  end if;
  return next;
end
$$;
