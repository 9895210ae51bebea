-- Custom tools, and every version of their definition.
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
  -- Sealed. While a secret is rotated the one before it signs too, until previous_secret_ends_at.
  auth_secret text,
  previous_auth_secret text,
  previous_secret_ends_at timestamptz,
  version integer not null default 1,
  definition_hash text not null,
  -- The title of the OpenAPI document that the tool was imported from; '' if the document has none. Null: from no document.
  -- With base_url it is what an import compares to find tools that left the document.
  imported_from text,
  -- What a project may store is limited. This is everything a caller wrote into the row, sealed secrets included.
  stored_bytes integer not null generated always as (
    octet_length(name) + coalesce(octet_length(title), 0) + coalesce(octet_length(description), 0)
    + octet_length(base_url) + octet_length(endpoint_path) + octet_length(headers::text)
    + octet_length(input_schema::text) + coalesce(octet_length(output_schema::text), 0)
    + coalesce(octet_length(annotations::text), 0) + octet_length(auth_config::text)
    + coalesce(octet_length(auth_secret), 0) + coalesce(octet_length(previous_auth_secret), 0)
  ) stored,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (project_id, name)
);

create index custom_tools_newest on custom_tools (project_id, created_at desc, id desc);
create index custom_tools_stored_bytes on custom_tools (project_id) include (stored_bytes);

-- One row for each save. Never a secret.
create table custom_tool_versions (
  id text primary key,
  project_id text not null,
  tool_id text not null references custom_tools (id) on delete cascade,
  version integer not null,
  definition json not null,
  definition_hash text not null,
  stored_bytes integer not null generated always as (octet_length(definition::text)) stored,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  unique (tool_id, version)
);

create index custom_tool_versions_newest on custom_tool_versions (project_id, created_at desc, id desc) include (stored_bytes);
