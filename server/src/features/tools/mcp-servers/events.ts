// Changes of MCP servers, which have an audit entry and no event, and the events of what was found at a server.

import { mcpServerEvents } from '@toolgate/contract/mcp-servers/events.ts';
import { recorderOf } from '../../activity/events/record.ts';

type AuditOnly =
  | 'mcp_server.created'
  | 'mcp_server.updated'
  | 'mcp_server.deleted'
  | 'mcp_server.issuer_approved'
  | 'mcp_server.tools_approved'
  | 'mcp_server.tools_rejected';

export const { recordChange } = recorderOf<typeof mcpServerEvents, AuditOnly>(mcpServerEvents);
