-- The HTML of views that tools of MCP servers name (MCP Apps). Definitions, and tools of the project, name it by its hash.

create table mcp_server_views (
  project_id text not null,
  mcp_server_id text not null references mcp_servers (id) on delete cascade,
  sha256 text not null,
  -- Foreign HTML, without the credential of the server. Text may not have all of its characters.
  html bytea not null,
  size integer not null,
  -- When a sync read it last: one that nothing names yet is kept for a while.
  seen_at timestamptz not null default clock_timestamp(),
  primary key (project_id, mcp_server_id, sha256)
);

create index mcp_server_views_server on mcp_server_views (mcp_server_id);
