-- MCP servers as sources of tools: the servers, and what they list.

create table mcp_servers (
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  slug text not null,
  name text not null,
  url text not null,
  auth_strategy text not null,
  auth_config json not null,
  -- Sealed.
  auth_secret text,
  headers json not null,
  timeout_ms integer not null,
  sync_minutes integer not null,
  review text not null check (review in ('manual', 'read_only_auto')),
  status text check (status in ('ok', 'unreachable', 'unauthorized')),
  last_synced_at timestamptz,
  last_error text,
  -- The revision of MCP that it was found to speak.
  revision text,
  -- One more with each change of how it is reached: sessions and tokens of an older version are not used again.
  version integer not null default 1,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (project_id, slug)
);

create index mcp_servers_newest on mcp_servers (project_id, created_at desc, id desc);

-- The newest definition of each tool that a server lists, or listed when its tool was approved. json, not jsonb: the order of members is
-- part of what a model reads.
create table mcp_server_tools (
  project_id text not null,
  mcp_server_id text not null references mcp_servers (id) on delete cascade,
  upstream_name text collate "C" not null,
  definition json not null,
  hash text not null,
  warnings json not null,
  -- As it was approved; null: never.
  approved json,
  approved_hash text,
  -- Definitions that are not offered again.
  rejected_hashes text[] not null default '{}',
  -- Since when the server no longer lists it.
  missing_since timestamptz,
  primary key (project_id, mcp_server_id, upstream_name)
);

create index mcp_server_tools_server on mcp_server_tools (mcp_server_id);
create index mcp_server_tools_missing on mcp_server_tools (missing_since) where missing_since is not null;

-- Where a tool comes from, if not from its own origin, path and method.
alter table custom_tools add column source json;
create index custom_tools_source on custom_tools (project_id, (source ->> 'mcp_server_id')) where source is not null;
