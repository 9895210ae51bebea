-- breaking
-- Links to the page where a person uploads the file that a call needs. The link is derived from the id with a key of the project.

create table upload_tickets (
  -- The id that the file will have.
  file_id text primary key,
  project_id text not null references projects (id) on delete cascade,
  -- As of the file.
  owner_id text not null,
  member_id text references members (id) on delete cascade,
  tool_name text not null,
  argument text not null,
  -- Of the tool's definition, the argument and the arguments that the caller gave.
  call_hash text not null,
  -- Whoever opens it signs in as the member first.
  needs_sign_in boolean not null,
  used_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);

create index upload_tickets_of_owner on upload_tickets (project_id, owner_id, call_hash);
create index upload_tickets_of_member on upload_tickets (member_id) where member_id is not null;
create index upload_tickets_by_expiry on upload_tickets (expires_at);

-- An upload begins with an id of its own, because one that fails leaves parts behind, and gets the id that was promised when it is
-- complete. Its parts keep their names.
alter table files add column bytes_id text;
update files set bytes_id = id;
alter table files alter column bytes_id set not null;
alter table file_parts drop constraint file_parts_file_id_fkey;
alter table file_parts add constraint file_parts_file_id_fkey
  foreign key (file_id) references files (id) on delete cascade on update cascade;

create or replace function count_file_bytes() returns trigger language plpgsql as $$
declare
  subjects text[];
  changes bigint[];
begin
  if tg_op = 'INSERT' then
    select array_agg(c.subject), array_agg(c.change) into subjects, changes from new_files f,
      lateral (values (f.fairness_key, f.reserved_bytes), (f.member_id, f.reserved_bytes)) as c (subject, change);
  elsif tg_op = 'UPDATE' then
    select array_agg(c.subject), array_agg(c.change) into subjects, changes from new_files f join old_files o using (bytes_id),
      lateral (values (f.fairness_key, f.reserved_bytes - o.reserved_bytes), (f.member_id, f.reserved_bytes - o.reserved_bytes))
        as c (subject, change);
  else
    select array_agg(c.subject), array_agg(c.change) into subjects, changes from old_files f,
      lateral (values (f.fairness_key, - f.reserved_bytes), (f.member_id, - f.reserved_bytes)) as c (subject, change);
    -- Of an upload that was given up, the last part may still be on its way.
    insert into deleted_file_objects (file_id, fairness_key, parts, try_at)
    select bytes_id, fairness_key, parts, clock_timestamp() + case when uploaded_at is null then interval '1 minute' else interval '0' end
    from old_files where storage = 's3' and parts > 0;
  end if;
  if subjects is not null then perform change_file_usage(subjects, changes); end if;
  return null;
end $$;
