-- In production an admin approves a tool or an MCP server before its calls send tokens of members, or JWTs about them. Until now only the
-- provider of member_oauth was approved: what it allows stays approved. Others wait for an admin, as it is not known who saved them.
alter table custom_tools add column is_approved boolean not null default false;
alter table mcp_servers add column is_approved boolean not null default false;

update custom_tools set is_approved = true from oauth_providers p
where custom_tools.auth_strategy = 'member_oauth' and p.project_id = custom_tools.project_id
  and p.id = custom_tools.auth_config ->> 'oauth_provider_id'
  and p.is_approved and custom_tools.base_url = any (p.allowed_origins);

update mcp_servers set is_approved = true from oauth_providers p
where mcp_servers.auth_strategy = 'member_oauth' and p.project_id = mcp_servers.project_id
  and p.mcp_server_id = mcp_servers.id and p.is_approved;
