// The MCP endpoint, as a client of 2025-11-25 uses it.

import { makeKey, makeProject } from '../../support/make/make.ts';
import { makeTool } from '../../support/make/make-tools.ts';
import { makeToolset } from '../../support/make/make-toolset.ts';
import type { Recorder } from '../recorder.ts';

const operations = ['callMcp', 'callProjectMcp', 'callToolsetMcp', 'callProjectToolsetMcp'];

export async function recordMcp({ server, customer, record, recordStatus }: Recorder): Promise<void> {
  const { id: project_id } = await makeProject(server);
  const { key } = await makeKey(server, project_id, ['read']);
  const fields = { name: 'find_order', endpoint_path: '/v1/orders/A-1001', method: 'GET' };
  const { key: admin } = await makeKey(server, project_id);
  const tool = await makeTool(server, admin, customer, fields);
  customer.respond('/v1/orders/A-1001', { body: { id: 'A-1001', status: 'shipped' } });
  const headers = { 'mcp-protocol-version': '2025-11-25', accept: 'application/json, text/event-stream' };
  const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
  const call = message('tools/call', { name: 'find_order', arguments: {} });

  await makeToolset(server, project_id, { slug: 'support', tool_ids: [tool.id] });

  for (const operationId of operations) {
    const options = { params: { project_id, slug: 'support' } };
    await server.api('POST', `/custom-tools/${tool.id}/enable`, { key: admin });
    await record(operationId, {
      ...options,
      key,
      headers,
      body: { jsonrpc: '2.0', method: 'notifications/initialized' },
    });
    await record(operationId, { ...options, key, headers, body: call });
    await recordStatus(operationId, 400, { ...options, key, headers, body: '{"jsonrpc":' });
    await recordStatus(operationId, 401, { ...options, headers, body: call });
    await server.api('POST', `/custom-tools/${tool.id}/disable`, { key: admin });
    await recordStatus(operationId, 403, { ...options, key, headers, body: call });
    const modern = { ...headers, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'orders/find' };
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    await recordStatus(operationId, 404, { ...options, key, headers: modern, body: message('orders/find', { _meta }) });
    await recordStatus(operationId, 413, { ...options, key, headers, body: JSON.stringify('x'.repeat(1_100_000)) });
    await recordStatus(operationId, 415, { ...options, key, headers, body: 'x', media_type: 'text/plain' });
  }

  const limited = await makeProject(server, { plan: 'enterprise', requests_per_hour: 1 });
  const { key: limited_key } = await makeKey(server, limited.id, ['read']);
  await server.api('GET', '/projects', { key: limited_key });
  for (const operationId of operations)
    await recordStatus(operationId, 429, {
      params: { project_id: limited.id, slug: 'support' },
      key: limited_key,
      headers,
      body: call,
    });
}
