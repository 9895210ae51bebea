-- Files that callers upload, and that tools return. Their bytes are sealed, in parts, here or in an S3-compatible store.

create table files (
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  -- The member, else the key, else the OAuth client, or the person who tries a tool. For anybody else it does not exist.
  owner_id text not null,
  -- The owner, if it is a member.
  member_id text references members (id) on delete cascade,
  -- Of the project when the upload began: whose share it uses.
  fairness_key text not null,
  name text not null,
  content_type text not null,
  storage text not null check (storage in ('database', 's3')),
  -- Of plain text in each part but the last.
  part_bytes integer not null,
  -- How many parts may have been written.
  parts integer not null default 0,
  -- What counts against the quotas: what the upload has announced or written, then the size.
  reserved_bytes bigint not null check (reserved_bytes >= 0),
  size bigint not null default 0,
  sha256 text,
  -- Null: it is being uploaded, and nobody sees it.
  uploaded_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  -- While it is being uploaded: when the upload counts as given up.
  expires_at timestamptz not null
);

create index files_of_project on files (project_id);
create index files_of_member on files (member_id) where member_id is not null;
create index files_by_expiry on files (expires_at);

create table file_parts (
  project_id text not null,
  file_id text not null references files (id) on delete cascade,
  position integer not null,
  -- Sealed.
  data bytea not null,
  primary key (file_id, position)
);
-- What is sealed cannot be compressed.
alter table file_parts alter column data set storage external;

-- What is left in the S3-compatible store of files that were deleted.
create table deleted_file_objects (
  file_id text primary key,
  fairness_key text not null,
  parts integer not null,
  created_at timestamptz not null default clock_timestamp(),
  try_at timestamptz not null default clock_timestamp(),
  failures integer not null default 0
);

create index deleted_file_objects_due on deleted_file_objects (try_at);

-- The sum of reserved_bytes, for each fairness key and each member. A transaction that adds to it holds the row, so quotas are exact.
create table file_usage (
  subject text primary key,
  bytes bigint not null
);

create function change_file_usage(subjects text[], changes bigint[]) returns void language sql as $$
  insert into file_usage as usage (subject, bytes)
  select subject, sum(change) from unnest(subjects, changes) as c (subject, change)
  where subject is not null group by subject having sum(change) <> 0 order by subject
  on conflict (subject) do update set bytes = usage.bytes + excluded.bytes;
  delete from file_usage where subject = any (subjects) and bytes = 0;
$$;

create function count_file_bytes() returns trigger language plpgsql as $$
declare
  subjects text[];
  changes bigint[];
begin
  if tg_op = 'INSERT' then
    select array_agg(c.subject), array_agg(c.change) into subjects, changes from new_files f,
      lateral (values (f.fairness_key, f.reserved_bytes), (f.member_id, f.reserved_bytes)) as c (subject, change);
  elsif tg_op = 'UPDATE' then
    select array_agg(c.subject), array_agg(c.change) into subjects, changes from new_files f join old_files o using (id),
      lateral (values (f.fairness_key, f.reserved_bytes - o.reserved_bytes), (f.member_id, f.reserved_bytes - o.reserved_bytes))
        as c (subject, change);
  else
    select array_agg(c.subject), array_agg(c.change) into subjects, changes from old_files f,
      lateral (values (f.fairness_key, - f.reserved_bytes), (f.member_id, - f.reserved_bytes)) as c (subject, change);
    -- Of an upload that was given up, the last part may still be on its way.
    insert into deleted_file_objects (file_id, fairness_key, parts, try_at)
    select id, fairness_key, parts, clock_timestamp() + case when uploaded_at is null then interval '1 minute' else interval '0' end
    from old_files where storage = 's3' and parts > 0;
  end if;
  if subjects is not null then perform change_file_usage(subjects, changes); end if;
  return null;
end $$;

create trigger files_inserted after insert on files referencing new table as new_files
  for each statement execute function count_file_bytes();
create trigger files_updated after update on files referencing old table as old_files new table as new_files
  for each statement execute function count_file_bytes();
create trigger files_deleted after delete on files referencing old table as old_files
  for each statement execute function count_file_bytes();
