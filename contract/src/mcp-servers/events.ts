// The events of MCP servers.

import type { EventKind } from '../events/event-kind.ts';
import { exampleTime } from '../examples.ts';
import { exampleIds } from '../ids.ts';
import { mcpServer } from './mcp-server.ts';

const example = {
  object: 'mcp_server',
  id: exampleIds.mcp_server_id,
  project_id: exampleIds.project_id,
  slug: 'billing',
  name: 'Billing',
  url: 'https://mcp.example.com/mcp',
  auth_strategy: 'bearer_token',
  auth_config: {},
  has_auth_secret: true,
  headers: {},
  certificate_id: null,
  timeout_ms: 30_000,
  sync_minutes: 15,
  review: 'manual',
  is_approved: true,
  status: 'ok',
  last_synced_at: exampleTime,
  last_error: null,
  revision: '2026-07-28',
  pinned_issuer: null,
  found_issuer: null,
  pending_count: 2,
  tool_count: 7,
  created_at: exampleTime,
  created_by: 'root',
  updated_at: exampleTime,
};

const kind = (description: string) =>
  ({ description, data: mcpServer, example, readable_with: 'read' }) satisfies EventKind;

export const mcpServerEvents = {
  'mcp_server.changed': kind(
    "An MCP server's tools changed: some are new, changed, removed or available again. Or its metadata points to another authorization server, which waits in `found_issuer` for an admin's approval",
  ),
  'mcp_server.unreachable': kind("An MCP server's tool list can no longer be read"),
  'mcp_server.recovered': kind("An MCP server's tool list can be read again"),
};
