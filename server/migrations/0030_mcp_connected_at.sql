-- When a model first connected to the project over MCP.

alter table projects add column mcp_connected_at timestamptz;
