// /projects/{id}/mcp-servers: create, list, read, update, delete; read their tools, and approve them.

import { pageOf, pageQuery } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import { mcpServerEvents } from './events.ts';
import { mcpServer, mcpServerChange, newMcpServer, serverIssuer } from './mcp-server.ts';
import { approvedTool, pageByName, pendingTool, toolApproval, toolRejection } from './pending-tool.ts';

const tag = 'MCP servers';

export const mcpServerRoutes = defineRoutes({
  createMcpServer: {
    method: 'POST',
    path: '/projects/:project_id/mcp-servers',
    access: 'write',
    tag,
    summary: 'Add an MCP server',
    description:
      'A source of tools. Adding it makes no network call and offers nothing: sync it, review its tools, and approve those that models should have. A project has at most 20. In production one that gets tokens of members, or JWTs about them, needs `admin`.',
    body: newMcpServer,
    answer: mcpServer,
    status: 201,
    errors: ['slugTaken', 'limitReached'],
    takes_idempotency_key: true,
  },
  listMcpServers: {
    method: 'GET',
    path: '/projects/:project_id/mcp-servers',
    access: 'read',
    tag,
    summary: 'List the MCP servers, newest first',
    description: 'All MCP servers of the project, with their state and how many tools wait for approval.',
    query: pageQuery,
    answer: pageOf(mcpServer),
  },
  getMcpServer: {
    method: 'GET',
    path: '/projects/:project_id/mcp-servers/:mcp_server_id',
    access: 'read',
    tag,
    summary: 'Read an MCP server',
    description: 'One MCP server, with its state and how many tools wait for approval.',
    answer: mcpServer,
  },
  updateMcpServer: {
    method: 'PATCH',
    path: '/projects/:project_id/mcp-servers/:mcp_server_id',
    access: 'write',
    tag,
    summary: 'Change an MCP server',
    description:
      'Fields that are left out stay as they are; the slug never changes. Its approved tools stay approved, and calls of them that wait for a person are cancelled. A secret must be given again when it would be sent to another host. In production `admin` is needed to change where tokens of members, or JWTs about them, go. What another caller sets up in development waits there until a caller with `admin` approves it with `is_approved`.',
    body: mcpServerChange,
    answer: mcpServer,
  },
  deleteMcpServer: {
    method: 'DELETE',
    path: '/projects/:project_id/mcp-servers/:mcp_server_id',
    access: 'admin',
    tag,
    summary: 'Delete an MCP server',
    description: 'Its tools are deleted with it, and what waits for approval. The server itself is not told.',
    answer: null,
  },
  syncMcpServer: {
    method: 'POST',
    path: '/projects/:project_id/mcp-servers/:mcp_server_id/sync',
    access: 'write',
    tag,
    summary: 'Read the tools of an MCP server now',
    description:
      'Reads all pages of its list of tools and compares them with what was approved. New and changed tools become pending; tools that are gone are refused for 24 hours, then disabled. Returns when the list has been read.',
    answer: mcpServer,
    errors: ['upstreamConnection', 'upstreamStatus', 'upstreamError', 'upstreamUnauthorized', 'toolTimedOut'],
  },
  listPendingTools: {
    method: 'GET',
    path: '/projects/:project_id/mcp-servers/:mcp_server_id/pending',
    access: 'read',
    tag,
    summary: 'List the tools that wait for approval',
    description:
      'New tools, and tools whose definition differs from the approved one, with what differs and with warnings about what a person should look at.',
    query: pageQuery,
    answer: pageByName(pendingTool),
  },
  listApprovedTools: {
    method: 'GET',
    path: '/projects/:project_id/mcp-servers/:mcp_server_id/tools',
    access: 'read',
    tag,
    summary: 'List the tools that were approved',
    description:
      'The tools of the project that come from the server, each with the hash of the definition that was approved, and whether the server still has it like that. Copies are listed too.',
    query: pageQuery,
    answer: pageByName(approvedTool),
  },
  approveTools: {
    method: 'POST',
    path: '/projects/:project_id/mcp-servers/:mcp_server_id/approve',
    access: 'write',
    tag,
    summary: 'Approve tools of an MCP server',
    description:
      'All of the named tools, or none. A new one becomes a tool of the project; a changed one gets its new definition. Both are enabled unless `is_enabled` is false. Names are fixed now: a name that is taken is refused.',
    body: toolApproval,
    answer: mcpServer,
    errors: ['nameTaken', 'limitReached', 'pendingToolChanged'],
  },
  rejectTools: {
    method: 'POST',
    path: '/projects/:project_id/mcp-servers/:mcp_server_id/reject',
    access: 'write',
    tag,
    summary: 'Reject tools of an MCP server',
    description:
      'The definitions as they are now are not offered again. If a definition changes once more, the tool is pending again.',
    body: toolRejection,
    answer: mcpServer,
  },
  approveServerIssuer: {
    method: 'POST',
    path: '/projects/:project_id/mcp-servers/:mcp_server_id/approve-issuer',
    access: 'admin',
    tag,
    summary: 'Approve where members sign in for an MCP server',
    description:
      'Pins the authorization server of a server with `member_oauth`: the issuer and its two endpoints, exactly as they are given. Use it for a `found_issuer` after you have compared it with `pinned_issuer`. With another issuer the connections of members end. If a client secret is stored, the issuer cannot become another one like this: change `auth_config.issuer` and give the secret again.',
    body: serverIssuer,
    answer: mcpServer,
  },
});

export const mcpServers = defineResource({
  chapters: { 'MCP servers': 'Sources of tools: what they list is reviewed and approved by a person' },
  routes: mcpServerRoutes,
  events: mcpServerEvents,
});
