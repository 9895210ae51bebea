-- breaking before 0031
-- What MCP servers list is counted, and of what was rejected or is gone only the hash stays. Servers that know mcp_server_tools read no
-- definition of such a tool.

alter table mcp_server_tools alter column definition drop not null;

update mcp_server_tools set definition = null
where missing_since is not null or (hash = any (rejected_hashes) and approved_hash is null);

-- What a project may store of these is limited. The definition of an approved tool that has not changed is counted once.
alter table mcp_server_tools add column stored_bytes integer not null generated always as (
  octet_length(upstream_name) + octet_length(hash) + octet_length(warnings::text)
  + case when hash is not distinct from approved_hash and approved is not null then 0
    else coalesce(octet_length(definition::text), 0) end
  + coalesce(octet_length(approved::text), 0) + cardinality(rejected_hashes) * 64
) stored;

create index mcp_server_tools_stored_bytes on mcp_server_tools (project_id) include (stored_bytes);
