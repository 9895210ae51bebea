-- Toolsets: named parts of the tools of a project, which tools are in each, and who is narrowed to which.

alter table custom_tools add column tags text[] not null default '{}';
alter table custom_tools add column is_read_only boolean not null generated always as (
  coalesce(annotations ->> 'readOnlyHint', '') = 'true'
) stored;

create table toolsets (
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  slug text not null,
  name text not null,
  description text,
  -- As chosen. toolset_tools has what follows from it.
  tool_ids text[] not null,
  tags text[] not null,
  "only" text check ("only" in ('read_only')),
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (project_id, slug)
);

create index toolsets_newest on toolsets (project_id, created_at desc, id desc);

-- Written whenever a toolset or a tool changes, so that reading it costs little. No foreign key to the tools: inserting would
-- lock them, and who changes a tool locks it first.
create table toolset_tools (
  toolset_id text not null references toolsets (id) on delete cascade,
  tool_id text not null,
  project_id text not null,
  joined_at timestamptz not null,
  -- Since when it has been in the toolset as a tool that can change something; null: it is read-only.
  writable_since timestamptz,
  primary key (project_id, toolset_id, tool_id)
);

create index toolset_tools_toolset on toolset_tools (toolset_id);
create index toolset_tools_tool on toolset_tools (tool_id);

-- Null: every tool. Empty: none.
alter table integrations add column toolset_ids text[];
alter table api_keys add column toolset_ids text[];
alter table oauth_clients add column toolset_ids text[];
alter table oauth_providers add column toolset_ids text[];
