-- Calls that wait for the yes of a person, and who may give it.

-- Null: a call of the tool waits for nobody, unless the project asks for all destructive tools.
alter table custom_tools add column confirm json;

alter table api_keys add column can_approve boolean not null default false;
alter table accounts add column can_approve boolean not null default false;

-- No foreign keys to tools and credentials: a row stays as history when they end.
create table approvals (
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  -- Who asked: the member, else the key, else the person who tries the tool. Only the same one uses it.
  subject_id text not null,
  tool_id text not null,
  tool_name text not null,
  tool_version integer not null,
  definition_hash text not null,
  -- Who decides.
  "by" text not null check ("by" in ('user', 'approver')),
  -- Sealed.
  arguments text not null,
  arguments_hash text not null,
  api_key_id text,
  session_id text,
  member_id text,
  integration_id text,
  account_id text,
  client_name text,
  -- A row that is open although its tool or credential has ended, or its time has passed, counts as cancelled or expired: a job
  -- writes that down later.
  status text not null check (status in ('pending', 'approved', 'declined', 'expired', 'used', 'cancelled')),
  -- Whether the caller was told of a no: it is told once, then the same call asks again.
  is_told boolean not null default false,
  -- How long a yes counts for further calls of the same tool.
  remember_seconds integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  decided_at timestamptz,
  decided_by text,
  decided_via text check (decided_via in ('api', 'dashboard', 'page', 'form')),
  reason text,
  stored_bytes integer not null generated always as (octet_length(arguments)) stored
);

create index approvals_newest on approvals (project_id, created_at desc, id desc) include (stored_bytes);
-- The same call is pending once.
create unique index approvals_pending on approvals (project_id, subject_id, tool_id, definition_hash, arguments_hash)
  where status = 'pending';
-- Finds what was decided about a call, and a yes that is remembered.
create index approvals_of_subject on approvals (project_id, subject_id, tool_id, created_at desc);
create index approvals_open on approvals (expires_at) where status in ('pending', 'approved');
create index approvals_by_age on approvals using brin (created_at);
