-- breaking before 0013
-- What is left of the response of a tool, and how large results are. Servers that know custom_tools from 0013 on leave it alone.

alter table custom_tools add column response json;

-- What callers wrote: the fixed arguments and the response are a part of it.
alter table custom_tools drop column stored_bytes;
alter table custom_tools add column stored_bytes integer not null generated always as (
  octet_length(name) + coalesce(octet_length(title), 0) + coalesce(octet_length(description), 0)
  + octet_length(base_url) + octet_length(endpoint_path) + octet_length(headers::text)
  + octet_length(input_schema::text) + coalesce(octet_length(output_schema::text), 0)
  + coalesce(octet_length(annotations::text), 0) + octet_length(auth_config::text)
  + octet_length(fixed_arguments::text) + coalesce(octet_length(response::text), 0)
  + coalesce(octet_length(auth_secret), 0) + coalesce(octet_length(previous_auth_secret), 0)
) stored;
create index custom_tools_stored_bytes on custom_tools (project_id) include (stored_bytes);

-- Estimates of what the customer answered and of what the caller got. Null: the call failed, or was made before this.
alter table tool_calls add column result_tokens integer;
alter table tool_calls add column shaped_tokens integer;
