// An MCP server: its columns, and how responses show it.

import type { McpServer } from '@toolgate/contract/mcp-servers/mcp-server.ts';
import type { Row } from '../../../database/tables.ts';

export const serverColumns = [
  'id',
  'project_id',
  'slug',
  'name',
  'url',
  'auth_strategy',
  'auth_config',
  'auth_secret',
  'headers',
  'timeout_ms',
  'sync_minutes',
  'review',
  'status',
  'last_synced_at',
  'last_error',
  'revision',
  'version',
  'created_by',
  'created_at',
  'updated_at',
] as const;

export type ServerRow = Row<'mcp_servers'> & { pending_count: number; tool_count: number };

export function showServer({ auth_secret, version: _, ...row }: ServerRow): McpServer {
  return { object: 'mcp_server', ...row, has_auth_secret: auth_secret !== null };
}

/** In the audit log. Only the names of headers: a value may be a credential. */
export function auditServer(row: ServerRow): object {
  return { ...showServer(row), headers: Object.keys(row.headers) };
}
