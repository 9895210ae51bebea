// The operations of MCP servers. The fake customer answers as one.

import { createHash } from 'node:crypto';
import { expectResponse, makeKey, makeProject } from '../../support/make/make.ts';
import type { CustomerResponse, ReceivedRequest } from '../../support/peers/fake-customer.ts';
import type { Recorder } from '../recorder.ts';

const tool = {
  name: 'refund',
  title: 'Refund an order',
  description: 'Pays the price of an order back',
  inputSchema: { type: 'object', properties: { order_id: { type: 'string' } }, required: ['order_id'] },
  annotations: { destructiveHint: true },
  _meta: { ui: { resourceUri: 'ui://billing/refund.html' } },
};
const view = {
  uri: 'ui://billing/refund.html',
  mimeType: 'text/html;profile=mcp-app',
  text: '<p>Refunds</p>',
  _meta: { ui: { csp: { connectDomains: ['https://api.example.com'] } } },
};
const find = { name: 'find', description: 'Finds an order', inputSchema: { type: 'object' } };

export async function recordMcpServers({ server, customer, record, recordError }: Recorder): Promise<void> {
  const state = { tools: [tool, find] as object[], result: { content: [{ type: 'text', text: 'Paid' }] } as object };
  customer.respond('/mcp', (request) => responseTo(request, state));
  const { id: project_id } = await makeProject(server, { environment: 'production' });
  const { key } = await makeKey(server, project_id);
  const options = { key, params: { project_id } };
  const body = {
    slug: 'billing',
    name: 'Billing',
    url: `${customer.url}/mcp`,
    auth_strategy: 'bearer_token',
    encrypted_auth_secret: 'a-token-of-the-examples',
  };
  const { id: mcp_server_id } = await record('createMcpServer', { ...options, body });
  const one = { key, params: { project_id, mcp_server_id } };
  await record('listMcpServers', options);
  await record('getMcpServer', one);
  await record('updateMcpServer', { ...one, body: { sync_minutes: 60 } });
  await record('syncMcpServer', one);
  await record('listPendingTools', { ...one, query: { limit: '1' } });
  const sha256 = createHash('sha256').update(view.text).digest('hex');
  await record('getMcpServerView', { ...one, query: { sha256 } });
  await recordError('approveTools', 'PENDING_TOOL_CHANGED', {
    ...one,
    body: { tool_names: ['refund'], hashes: { refund: '0'.repeat(64) } },
  });
  await record('approveTools', { ...one, body: { tool_names: ['refund'], rename: { refund: 'refund_order' } } });
  await record('rejectTools', { ...one, body: { tool_names: ['find'] } });
  await record('listApprovedTools', one);
  const { id: own } = await makeSignInServer({ server, customer }, project_id, key);
  await record('approveServerIssuer', {
    ...{ key, params: { project_id, mcp_server_id: own } },
    body: {
      issuer: 'https://auth.example.com',
      authorization_endpoint: 'https://auth.example.com/authorize',
      token_endpoint: 'https://auth.example.com/token',
    },
  });
  const execute = { key, params: { tool_id: 'refund_order' }, body: { arguments: { order_id: '1001' } } };
  state.result = { isError: true, content: [{ type: 'text', text: 'There is no order 1001' }] };
  await recordError('executeCustomTool', 'TOOL_FAILED_UPSTREAM', execute);
  state.result = { code: -32602, message: 'Unknown tool: refund' };
  await recordError('executeCustomTool', 'UPSTREAM_ERROR', execute);
  const schema = { ...tool.inputSchema, required: ['order_id', 'reason'] };
  state.tools = [{ ...tool, inputSchema: schema }];
  await server.api('POST', `/projects/${project_id}/mcp-servers/${mcp_server_id}/sync`, { key });
  await recordError('executeCustomTool', 'TOOL_CHANGED_UPSTREAM', execute);
  state.tools = [];
  await server.api('POST', `/projects/${project_id}/mcp-servers/${mcp_server_id}/sync`, { key });
  await recordError('executeCustomTool', 'TOOL_REMOVED_UPSTREAM', execute);
  customer.respond('/mcp', { status: 401 });
  await recordError('syncMcpServer', 'UPSTREAM_UNAUTHORIZED', one);
  await record('deleteMcpServer', one);
}

async function makeSignInServer(
  { server, customer }: Pick<Recorder, 'server' | 'customer'>,
  project_id: string,
  key: string,
): Promise<{ id: string }> {
  const body = { slug: 'mail', name: 'Mail', url: `${customer.url}/mcp`, auth_strategy: 'member_oauth' };
  return expectResponse(await server.api('POST', `/projects/${project_id}/mcp-servers`, { key, body }), 201);
}

function responseTo(
  { body }: ReceivedRequest,
  { tools, result }: { tools: object[]; result: object },
): CustomerResponse {
  const { id, method } = JSON.parse(body.toString());
  const results: Record<string, object> = {
    'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
    'tools/list': { tools, ttlMs: 0, cacheScope: 'private' },
    'resources/read': { contents: [view], ttlMs: 0, cacheScope: 'private' },
    'tools/call': result,
  };
  const response = results[method] ?? {};
  return { body: { jsonrpc: '2.0', id, ...('code' in response ? { error: response } : { result: response }) } };
}
