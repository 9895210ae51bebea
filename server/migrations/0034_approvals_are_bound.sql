-- What an approval depends on, so that what has ended does not count again when it is set back to what it was.

-- The session_epoch of the API key that asked: disabling a key ends its approvals, also if it is enabled again.
alter table approvals add column key_epoch integer not null default 0;
-- The version of the MCP server of the tool, whose URL is not part of the definition; null: the tool has none.
alter table approvals add column mcp_server_version integer;

-- Finds the open ones of a project after each change of it.
create index approvals_open_of_project on approvals (project_id) where status in ('pending', 'approved');
