-- Hooks: policies of the customer's own that decide about calls of tools.

-- Which tools: as in tool_limits.
create table hooks (
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  url text not null,
  points text[] not null,
  tool_ids text[],
  toolset_id text,
  tags text[],
  timeout_ms integer not null check (timeout_ms between 100 and 3000),
  on_failure text not null check (on_failure in ('refuse', 'allow')),
  may_change boolean not null,
  is_enabled boolean not null,
  secret text not null,
  previous_secret text,
  previous_secret_ends_at timestamptz,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

create index hooks_newest on hooks (project_id, created_at desc, id desc);

-- What the hooks decided about a call; null: none was asked.
alter table tool_calls add column policy jsonb;

-- What an assertion said of the member: hooks get it. Not jsonb, which takes no NUL in a text.
alter table member_sessions add column claims json;
