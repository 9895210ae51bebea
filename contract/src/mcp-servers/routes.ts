// /projects/{id}/mcp-servers: create, list, read, update, delete; read their tools, and approve them.

import { z } from 'zod';
import { pageOf, pageQuery } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import { mcpServerEvents } from './events.ts';
import { mcpServer, mcpServerChange, newMcpServer, serverIssuer } from './mcp-server.ts';
import { approvedTool, pageByName, pendingTool, toolApproval, toolRejection } from './pending-tool.ts';
import { viewHtml } from './tool-view.ts';

const tag = 'MCP servers';

export const mcpServerRoutes = defineRoutes({
  createMcpServer: {
    method: 'POST',
    path: '/projects/:project_id/mcp-servers',
    access: 'write',
    tag,
    summary: 'Add an MCP server',
    description:
      "A source of tools. Adding it makes no network call and exposes no tools: sync it, review its tools, and approve those that models should have. A project can have at most 20. In production, a server that receives members' tokens, or JWTs about them, requires `admin`.",
    body: newMcpServer,
    response: mcpServer,
    status: 201,
    errors: ['slugTaken', 'limitReached'],
    takes_idempotency_key: true,
  },
  listMcpServers: {
    method: 'GET',
    path: '/projects/:project_id/mcp-servers',
    access: 'read',
    tag,
    summary: 'List MCP servers, newest first',
    description: 'All MCP servers of the project, with their state and how many tools wait for approval.',
    query: pageQuery,
    response: pageOf(mcpServer),
  },
  getMcpServer: {
    method: 'GET',
    path: '/projects/:project_id/mcp-servers/:mcp_server_id',
    access: 'read',
    tag,
    summary: 'Get an MCP server',
    description: 'One MCP server, with its state and how many tools wait for approval.',
    response: mcpServer,
  },
  updateMcpServer: {
    method: 'PATCH',
    path: '/projects/:project_id/mcp-servers/:mcp_server_id',
    access: 'write',
    tag,
    summary: 'Update an MCP server',
    description:
      "Fields you leave out stay unchanged; the slug never changes. Approved tools stay approved, but calls to them that wait for a person are cancelled. If a secret would be sent to another host, you must send it again. In production, `admin` is required to change where members' tokens, or JWTs about them, are sent. Changes that other callers made in development wait in production until a caller with `admin` approves them with `is_approved`.",
    body: mcpServerChange,
    response: mcpServer,
  },
  deleteMcpServer: {
    method: 'DELETE',
    path: '/projects/:project_id/mcp-servers/:mcp_server_id',
    access: 'admin',
    tag,
    summary: 'Delete an MCP server',
    description:
      'Its tools are deleted, and so is everything that waits for approval. The server itself is not notified.',
    response: null,
  },
  syncMcpServer: {
    method: 'POST',
    path: '/projects/:project_id/mcp-servers/:mcp_server_id/sync',
    access: 'write',
    tag,
    summary: "Sync an MCP server's tools",
    description:
      "Reads all pages of the server's tool list and compares them with the approved tools. New and changed tools become pending. Calls to tools that are gone are refused, and after 24 hours the tools are disabled. The views of tools (MCP Apps) are read and pinned too. Returns when the list has been read.",
    response: mcpServer,
    errors: ['upstreamConnection', 'upstreamStatus', 'upstreamError', 'upstreamUnauthorized', 'toolTimedOut'],
  },
  listPendingTools: {
    method: 'GET',
    path: '/projects/:project_id/mcp-servers/:mcp_server_id/pending',
    access: 'read',
    tag,
    summary: 'List the tools that wait for approval',
    description:
      'New tools, and tools whose definition differs from the approved one, with the differences and with warnings for the reviewer.',
    query: pageQuery,
    response: pageByName(pendingTool),
  },
  listApprovedTools: {
    method: 'GET',
    path: '/projects/:project_id/mcp-servers/:mcp_server_id/tools',
    access: 'read',
    tag,
    summary: 'List approved tools',
    description:
      "The project's tools that come from the server, each with the hash of the approved definition and whether the server still has that definition. Copies are listed too.",
    query: pageQuery,
    response: pageByName(approvedTool),
  },
  getMcpServerView: {
    method: 'GET',
    path: '/projects/:project_id/mcp-servers/:mcp_server_id/view',
    access: 'read',
    tag,
    summary: 'Get the HTML of a view',
    description:
      'The HTML of a view that a pending or approved tool names, for its review. It is text in JSON: nothing renders it here.',
    query: z.strictObject({
      sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .meta({ description: 'The `sha256` of a `view` or `approved_view`' }),
    }),
    response: viewHtml,
  },
  approveTools: {
    method: 'POST',
    path: '/projects/:project_id/mcp-servers/:mcp_server_id/approve',
    access: 'write',
    tag,
    summary: "Approve an MCP server's tools",
    description:
      'Approves all of the given tools, or none. A new one becomes a tool of the project; a changed one gets its new definition. Both are enabled unless `is_enabled` is false. Names are fixed from then on: a name that is already in use is refused.',
    body: toolApproval,
    response: mcpServer,
    errors: ['nameTaken', 'limitReached', 'pendingToolChanged'],
  },
  rejectTools: {
    method: 'POST',
    path: '/projects/:project_id/mcp-servers/:mcp_server_id/reject',
    access: 'write',
    tag,
    summary: "Reject an MCP server's tools",
    description:
      'The current definitions are not offered again. If a definition changes later, the tool becomes pending again.',
    body: toolRejection,
    response: mcpServer,
  },
  approveServerIssuer: {
    method: 'POST',
    path: '/projects/:project_id/mcp-servers/:mcp_server_id/approve-issuer',
    access: 'admin',
    tag,
    summary: 'Approve where members sign in for an MCP server',
    description:
      "Pins the authorization server of a server with `member_oauth`: the issuer and its two endpoints, exactly as given. Use it for a `found_issuer` after you have compared it with `pinned_issuer`. If the issuer changes, members' connections are deleted. If a client secret is stored, this route cannot change the issuer: change `auth_config.issuer` and send the secret again.",
    body: serverIssuer,
    response: mcpServer,
  },
});

export const mcpServers = defineResource({
  chapters: { 'MCP servers': 'Sources of tools that a person reviews and approves' },
  routes: mcpServerRoutes,
  events: mcpServerEvents,
});
