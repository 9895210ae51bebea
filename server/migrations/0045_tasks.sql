-- Calls that go on after their first response, and how they are followed.

-- Null: the first response of the tool is its result.
alter table custom_tools add column polling json;

-- No foreign keys to tools and credentials: what ends with them is written down as cancelled. A deleted member leaves nothing.
create table tasks (
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  -- Whose it is: the member, else the key, else the OAuth client, or the person who tries the tool.
  subject_id text not null,
  tool_id text not null,
  tool_name text not null,
  tool_version integer not null,
  -- That of the tool at the start: a poll goes nowhere else.
  origin text not null,
  -- Of the arguments as they were given, and the member: the same call again while it is working gets this task.
  arguments_hash text not null,
  -- The credential that started it.
  api_key_id text,
  -- The session_epoch of the key: a task of a key that was disabled does not go on when it is enabled again.
  key_epoch integer not null default 0,
  session_id text,
  member_id text references members (id) on delete cascade,
  integration_id text,
  oauth_client_id text,
  account_id text,
  -- The call, for its row in the call log.
  call_id text not null,
  request_id text not null,
  transport text not null,
  client_name text,
  protocol_version text,
  via text,
  argument_bytes integer not null,
  traceparent text,
  -- `starting`: the first request is under way. If nobody else was told of the task, it is gone when that request ends it.
  status text not null
    check (status in ('starting', 'working', 'input_required', 'completed', 'failed', 'cancelled')),
  is_told boolean not null default false,
  -- Sealed: the id of the job, and what polls need of the arguments. Null while it is starting.
  job text,
  -- How long the first request took.
  start_ms integer,
  progress double precision,
  message text,
  poll_count integer not null default 0,
  -- Sealed.
  result bytea,
  -- The result, or a part of it, if it is a file.
  file_id text,
  error json,
  -- Of a deleted tool, whose job has still to be cancelled at the API: its row. Its secrets stay sealed.
  tool json,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  -- When it fails because it takes too long; of one that has ended: when it is deleted.
  expires_at timestamptz not null
);
-- What is sealed cannot be compressed.
alter table tasks alter column result set storage external;

create index tasks_newest on tasks (project_id, created_at desc, id desc);
create index tasks_of_subject on tasks (project_id, subject_id, created_at desc, id desc);
create index tasks_of_member on tasks (member_id) where member_id is not null;
-- The same call has one task.
create unique index tasks_working on tasks (project_id, subject_id, tool_id, arguments_hash)
  where status in ('starting', 'working', 'input_required');
create index tasks_ended on tasks (expires_at) where status in ('completed', 'failed', 'cancelled');

-- How often the API was asked about the job of the call; null: the first response was the result.
alter table tool_calls add column poll_count integer;
-- How long it took from the first request to the end of the task. `duration_ms` is that of the first request.
-- The rows of the dimension `task` of call_rollups count such calls, and their histograms have tenths of a second of it.
alter table tool_calls add column task_ms integer;
