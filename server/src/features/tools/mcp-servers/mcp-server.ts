// An MCP server: its columns, and how responses show it.

import { mcpServerEvents } from '@toolgate/contract/mcp-servers/events.ts';
import type { McpServer } from '@toolgate/contract/mcp-servers/mcp-server.ts';
import type { Row } from '../../../database/tables.ts';
import { recorderOf } from '../../activity/events/record.ts';
import { pinOf } from '../../oauth/providers/pinned-issuer.ts';
import { isApproved } from '../catalogue/member-approval.ts';

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
  'certificate_id',
  'timeout_ms',
  'sync_minutes',
  'review',
  'is_approved',
  'status',
  'last_synced_at',
  'last_error',
  'revision',
  'version',
  'created_by',
  'created_at',
  'updated_at',
] as const;

/** Where members sign in; null: the server has another strategy. */
type SignIn = Pick<Row<'oauth_providers'>, 'issuer' | 'client_id' | 'pinned_issuer' | 'found_issuer'> | null;

export type ServerRow = Row<'mcp_servers'> & { pending_count: number; tool_count: number; sign_in: SignIn };

export function showServer({ auth_secret, version: _, sign_in, ...row }: ServerRow): McpServer {
  return {
    object: 'mcp_server',
    ...row,
    is_approved: isApproved(row),
    pinned_issuer: sign_in && pinOf(sign_in),
    found_issuer: sign_in?.found_issuer ?? null,
    has_auth_secret: auth_secret !== null,
  };
}

/** In the audit log. Only the names of headers: a value may be a credential. */
export function auditServer(row: ServerRow): object {
  return { ...showServer(row), headers: Object.keys(row.headers) };
}

/** Changes of MCP servers, which have an audit entry and no event, and the events of what was found at a server. */
type AuditOnly =
  | 'mcp_server.created'
  | 'mcp_server.updated'
  | 'mcp_server.deleted'
  | 'mcp_server.issuer_approved'
  | 'mcp_server.tools_approved'
  | 'mcp_server.tools_rejected';

export const { recordChange } = recorderOf<typeof mcpServerEvents, AuditOnly>(mcpServerEvents);
