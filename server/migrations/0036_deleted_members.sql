-- Members can be deleted. Rows that are written later, by calls that were on their way, must not name them again: what writes such a
-- row locks the member, and finds that there is none.

-- Members who were deleted, until everything that was recorded of them is erased.
create table member_deletions (
  member_id text primary key,
  project_id text not null references projects (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp()
);

create index member_deletions_of_project on member_deletions (project_id);

-- The event lost a person: what its receivers respond may name them, and is no longer stored.
alter table deliveries add column is_erased boolean not null default false;

-- Whether there is such a member. It is not deleted before the end of the transaction.
create function hold_member(member text) returns boolean language plpgsql as $$
begin
  perform from members where id = member for key share;
  return found;
end $$;

-- The members that the payload of an event names.
create function members_named(payload text) returns text[] language sql immutable as $$
  select coalesce(array_agg(distinct named[1]), '{}')
  from regexp_matches(payload, '"(?:member_id|subject_id|created_by|decided_by)":"(mem_[0-9A-Za-z]+)"', 'g') as named
$$;

create index events_of_members on events using gin (members_named(payload)) where payload like '%"mem\_%';

-- The payload without that member: neither the ids nor what people wrote about them.
create function without_member(payload text, member text) returns text language sql immutable as $$
  select regexp_replace(
    regexp_replace(replace(payload, member, 'deleted_member'), '"external_id":"(?:[^"\\]|\\.)*"', '"external_id":"deleted_member"', 'g'),
    '"reason":"(?:[^"\\]|\\.)*"', '"reason":null', 'g')
$$;

-- For an event that is being recorded. Members who exist are held.
create function without_deleted_members(payload text) returns text language plpgsql as $$
declare
  named text;
begin
  if payload not like '%"mem\_%' then return payload; end if;
  foreach named in array members_named(payload) loop
    if not hold_member(named) then payload := without_member(payload, named); end if;
  end loop;
  return payload;
end $$;

-- The decisions of hooks about a call, without the reasons, which may name the person.
create function without_reasons(policy jsonb) returns jsonb language sql immutable as $$
  select jsonb_agg(decision || '{"reason": null}' order by place)
  from jsonb_array_elements(policy) with ordinality as decisions (decision, place)
$$;

-- As take_limits(), where some subjects are members: what a member who was deleted uses is not stored.
create function take_limits_of_members(
  project text, calls integer[], limit_ids text[], subject_ids text[], limits integer[], windows bigint[], weights integer[]
)
returns table (entry integer, is_within boolean, used bigint, now_ms bigint, resets_at bigint, is_first_refusal boolean)
language plpgsql as $$
declare
  -- Held before anything is counted, as the deletion of a member locks the member first.
  deleted constant text[] := array(
    select subject from unnest(subject_ids) as subject where subject like 'mem\_%' and not hold_member(subject)
  );
begin
  return query select * from take_limits(project, calls, limit_ids, subject_ids, limits, windows, weights);
  if cardinality(deleted) = 0 then return; end if;
  delete from limit_log r where r.project_id = project and r.limit_id = any (limit_ids) and r.subject_id = any (deleted);
  delete from limit_refusals r where r.project_id = project and r.limit_id = any (limit_ids) and r.subject_id = any (deleted);
end $$;

-- What a member created, in any project: a member who signed in by OAuth may have permissions.
create index api_keys_of_members on api_keys (created_by) where created_by like 'mem\_%';

-- The stored responses of a member: `<project> <integration> <member>`, for a person who tries a tool also the account.
create index idempotency_keys_of_member on idempotency_keys (split_part(scope, ' ', 3))
  where split_part(scope, ' ', 3) like 'mem\_%';
