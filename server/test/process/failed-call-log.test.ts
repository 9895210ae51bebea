// What the operator sees of a failed tool call.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { expectResponse } from '../support/make/make.ts';
import { freePort } from '../support/servers/free-port.ts';
import { startProcess } from '../support/servers/start-process.ts';
import { waitUntil } from '../support/wait-until.ts';

test('a failed tool call is logged in one line with its reason and without a stack, over REST and MCP', async () => {
  const unused = `127.0.0.1:${await freePort()}`;
  const server = await startProcess({ TOOLGATE_EGRESS_ALLOW: unused });
  const root = readFileSync(join(server.data_dir, 'root.key'), 'utf8').trim();
  const project = expectResponse(await server.api('POST', '/projects', { key: root, body: { name: 'Shop' } }), 201);
  const body = { name: 'k', permissions: ['admin'] };
  const { key } = expectResponse(
    await server.api('POST', `/projects/${project.id}/api-keys`, { key: root, body }),
    201,
  );
  const tool = {
    name: 'list_orders',
    description: 'Lists orders',
    base_url: `https://${unused}`,
    endpoint_path: '/orders',
    method: 'GET',
    is_enabled: true,
  };
  const { id } = expectResponse(await server.api('POST', '/custom-tools', { key, body: tool }), 201);

  const rest = await server.api('POST', `/custom-tools/${id}/execute`, { key, body: { arguments: {} } });
  assert.equal(rest.status, 502);
  const params = { name: 'list_orders', arguments: {} };
  const mcp = await server.api('POST', '/mcp', { key, body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } });
  assert.equal(mcp.body.result.isError, true);

  for (const { headers } of [rest, mcp]) {
    const lines = () =>
      server
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{') && line.includes(String(headers.get('x-request-id'))))
        .map((line) => JSON.parse(line));
    await waitUntil(async () => lines().some(({ msg }) => msg === 'request'), 60_000, 'the request is logged');
    const [failure, ...more] = lines().filter(({ msg }) => msg !== 'request');
    assert.deepEqual(
      [failure.level, failure.msg, failure.error_code],
      ['warn', 'a tool call failed', 'UPSTREAM_CONNECTION'],
    );
    assert.match(failure.reason, /^connection: /);
    assert.deepEqual([failure.err, more], [undefined, []]);
  }
});
