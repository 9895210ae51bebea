-- Where members sign in for an MCP server with `member_oauth`: a provider that no list shows. Its issuer is empty until the authorization
-- server of the MCP server was found. It is deleted with the server.
alter table oauth_providers add column mcp_server_id text;
-- The address of the MCP server, and the resource that tokens are asked for (RFC 8707).
alter table oauth_providers add column server_url text;
alter table oauth_providers add column resource text;
