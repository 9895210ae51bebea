-- Custom tools, every version of their definition, and the log of their calls.
-- Definitions are json, not jsonb: the order in which a schema names its properties is part of what a model reads.

create table custom_tools (
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  name text collate "C" not null,
  title text,
  description text,
  base_url text not null,
  endpoint_path text not null,
  method text not null check (method in ('GET', 'POST', 'PUT', 'PATCH', 'DELETE')),
  timeout_ms integer not null,
  headers json not null,
  context_in text not null check (context_in in ('arguments', 'headers')),
  require_member boolean not null,
  is_enabled boolean not null,
  input_schema json not null,
  output_schema json,
  annotations json,
  auth_strategy text not null,
  auth_config json not null,
  -- Sealed. While a secret is rotated the one before it signs too, until the time beside it.
  auth_secret text,
  previous_auth_secret text,
  previous_auth_secret_until timestamptz,
  version integer not null default 1,
  definition_hash text not null,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (project_id, name)
);

create index custom_tools_newest on custom_tools (project_id, created_at desc, id desc);

-- One row for each save. Never a secret.
create table custom_tool_versions (
  id text primary key,
  project_id text not null,
  tool_id text not null references custom_tools (id) on delete cascade,
  version integer not null,
  definition json not null,
  definition_hash text not null,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  unique (tool_id, version)
);

-- No foreign keys: the log outlives its tools, and thousands of rows a second must not lock their parents.
create table tool_calls (
  id text primary key,
  project_id text not null,
  tool_id text not null,
  tool_version integer not null,
  integration_id text,
  key_id text,
  session_id text,
  member_id text,
  -- As a REST caller would be answered.
  status smallint not null,
  error_code text,
  upstream_status smallint,
  duration_ms integer not null,
  request_bytes integer not null,
  response_bytes integer not null,
  request_id text not null,
  created_at timestamptz not null
);

create index tool_calls_newest on tool_calls (project_id, created_at desc, id desc);
