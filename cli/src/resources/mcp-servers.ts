// toolgate mcp-servers: MCP servers whose tools the project offers, and the review of their tools.

import { command, type Group, listCommand } from '../command.ts';

const fields = [
  'name',
  'auth_strategy',
  'auth_config',
  'encrypted_auth_secret',
  'timeout_ms',
  'sync_minutes',
  'review',
] as const;

export const mcpServers: Group = {
  name: 'mcp-servers',
  description: 'MCP servers whose tools the project offers, and the review of their tools',
  commands: [
    listCommand('list', 'listMcpServers', {
      columns: ['id', 'slug', 'name', 'status', 'pending_count', 'tool_count', 'last_synced_at'],
    }),
    command('get', 'getMcpServer'),
    command('create', 'createMcpServer', {
      argument: { field: 'url', name: 'address' },
      flags: ['slug', ...fields],
      isOpen: true,
    }),
    command('update', 'updateMcpServer', {
      description: 'update an MCP server; change its URL with --set url=…',
      flags: fields,
      isOpen: true,
    }),
    command('delete', 'deleteMcpServer'),
    command('sync', 'syncMcpServer'),
    listCommand('review', 'listPendingTools', {
      description: 'show the tools that wait for approval, with their changes and warnings',
      columns: ['upstream_name', 'name', 'kind', 'warnings', 'diff', 'hash'],
    }),
    command('view', 'getMcpServerView', {
      description: 'show the HTML of a view that a pending or approved tool names',
      flags: ['sha256'],
    }),
    listCommand('tools', 'listApprovedTools', { columns: ['upstream_name', 'name', 'state', 'hash', 'tool_id'] }),
    command('approve', 'approveTools', { flags: ['tool_names', 'is_enabled'], isOpen: true }),
    command('approve-issuer', 'approveServerIssuer', {
      flags: ['issuer', 'authorization_endpoint', 'token_endpoint'],
    }),
    command('approve-server', 'updateMcpServer', {
      description: 'allow calls to its tools to act for members in production; requires admin',
      call: ({ toolgate, ids }) => toolgate.mcpServers.update(ids.mcp_server_id, { is_approved: true }),
    }),
    command('reject', 'rejectTools', { flags: ['tool_names'], isOpen: true }),
  ],
};
