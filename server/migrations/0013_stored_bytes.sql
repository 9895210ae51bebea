-- What a project may store is limited in bytes: its tools, their versions and the answers kept for idempotency keys.

-- Everything a caller wrote into the row, sealed secrets included.
alter table custom_tools add column stored_bytes integer not null generated always as (
  octet_length(name) + coalesce(octet_length(title), 0) + coalesce(octet_length(description), 0)
  + octet_length(base_url) + octet_length(endpoint_path) + octet_length(headers::text)
  + octet_length(input_schema::text) + coalesce(octet_length(output_schema::text), 0)
  + coalesce(octet_length(annotations::text), 0) + octet_length(auth_config::text)
  + coalesce(octet_length(auth_secret), 0) + coalesce(octet_length(previous_auth_secret), 0)
) stored;

create index custom_tools_stored_bytes on custom_tools (project_id) include (stored_bytes);

alter table custom_tool_versions add column stored_bytes integer not null
  generated always as (octet_length(definition::text)) stored;

create index custom_tool_versions_newest on custom_tool_versions (project_id, created_at desc, id desc) include (stored_bytes);

-- Of a request that was done and whose answer is not kept: the id of the call, or of what was created.
alter table idempotency_keys add column result_id text;

-- How many bytes of answers were kept in an hour. An answer lives 24 hours, so old rows are dropped and nothing is subtracted.
create table idempotency_bytes (
  project_id text not null,
  hour timestamptz not null,
  bytes bigint not null,
  primary key (project_id, hour)
);
