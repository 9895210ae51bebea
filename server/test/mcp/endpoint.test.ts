// The MCP endpoint over HTTP: the methods of every revision, and the HTTP behavior around JSON-RPC.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, test } from 'node:test';
import { version } from '../../src/installation.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';
import { callTool, legacy, modern, modernCapabilities, viewCapabilities } from './rpc.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const tenant = await makeTenant(server);
const key = tenant.keys.read;
const mcp_instructions = 'Ask for the order number first.';
const settings = { mcp_server_name: 'Shop', mcp_instructions };
expectResponse(
  await server.api('PATCH', `/projects/${tenant.id}/settings`, { key: tenant.keys.admin, body: settings }),
  200,
);
const make = (fields: object = {}) => makeTool(server, tenant.keys.write, customer, fields);
const echo = await make();
customer.respond(echo.endpoint_path, ({ headers, body }) => ({
  body: { given: JSON.parse(body.toString()), traceparent: headers.traceparent },
}));
const post = (body: unknown, headers: Record<string, string> = {}) =>
  server.api('POST', '/api/v1/mcp', { key, body, headers });
const rpcRequest = (id: number, method: string, params?: object) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params && { params }),
});

test('initialize accepts the requested revision, and offers the newest for an unknown one', async () => {
  for (const protocolVersion of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
    const response = await legacy(server, key, 'initialize', { protocolVersion });
    assert.deepEqual(response.body.result, {
      protocolVersion,
      capabilities: { tools: {}, ...viewCapabilities },
      serverInfo: { name: 'Shop', version },
      instructions: mcp_instructions,
    });
    assert.equal(response.headers.get('mcp-session-id'), null);
  }
  for (const protocolVersion of ['1.0', '2026-07-28', 7, undefined]) {
    const { result } = (await legacy(server, key, 'initialize', { protocolVersion })).body;
    assert.equal(result.protocolVersion, '2025-11-25');
  }
});

test('server/discover returns the supported revisions and the server info', async () => {
  const { result } = (await modern(server, key, 'server/discover')).body;
  assert.deepEqual(result.supportedVersions, ['2026-07-28']);
  assert.deepEqual(result.capabilities, modernCapabilities);
  assert.equal(result.instructions, mcp_instructions);
  assert.deepEqual([result.resultType, result.cacheScope], ['complete', 'private']);
  assert.ok(Number.isInteger(result.ttlMs));
  assert.deepEqual(result._meta['io.modelcontextprotocol/serverInfo'], { name: 'Shop', version });
});

test('without settings the server has the name of the project and no instructions; a change takes effect at once', async () => {
  const plain = await makeTenant(server);
  const info = async () => (await legacy(server, plain.keys.read, 'initialize')).body.result;
  assert.equal((await info()).serverInfo.name, plain.name);
  assert.equal('instructions' in (await info()), false);
  const body = { mcp_server_name: 'Desk', mcp_instructions: 'Be brief.' };
  expectResponse(await server.api('PATCH', `/projects/${plain.id}/settings`, { key: plain.keys.admin, body }), 200);
  const changed = await info();
  assert.deepEqual([changed.serverInfo.name, changed.instructions], ['Desk', 'Be brief.']);
});

test('legacy and modern revisions have their own methods, and their own error for an unknown method', async () => {
  assert.deepEqual((await legacy(server, key, 'ping')).body.result, {});
  for (const method of ['server/discover', 'prompts/list', 'constructor', '']) {
    const { status, body } = await legacy(server, key, method);
    assert.deepEqual([status, body.error.code], [200, -32601], method);
  }
  for (const method of ['initialize', 'ping', 'logging/setLevel', 'toString']) {
    const { status, body } = await modern(server, key, method);
    assert.deepEqual([status, body.error.code, body.id], [404, -32601, 7], method);
  }
});

test('tools/list has cache hints only in 2026-07-28', async () => {
  const old = (await legacy(server, key, 'tools/list')).body.result;
  assert.deepEqual(Object.keys(old), ['tools']);
  const { tools, ...hints } = (await modern(server, key, 'tools/list')).body.result;
  assert.deepEqual(tools, old.tools);
  assert.deepEqual([hints.resultType, hints.ttlMs, hints.cacheScope], ['complete', 0, 'private']);
});

test('tools/list continues after its cursor, and refuses an invalid one', async () => {
  const cursor = Buffer.from(echo.name).toString('base64url');
  const rest = (await legacy(server, key, 'tools/list', { cursor })).body.result.tools;
  assert.ok(rest.every(({ name }: { name: string }) => name > echo.name));
  const { status, body } = await legacy(server, key, 'tools/list', { cursor: '!' });
  assert.deepEqual([status, body.error.code], [200, -32602]);
});

test('tools/call passes on the arguments, and the trace context of the message or of the header', async () => {
  const trace = (id: string) => `00-${id.repeat(32)}-b7ad6b7169203331-01`;
  const called = async (params: object, headers = {}) =>
    (await legacy(server, key, 'tools/call', { name: echo.name, ...params }, { headers })).body.result
      .structuredContent;
  assert.deepEqual((await called({})).given, { project_id: tenant.id });
  assert.deepEqual((await called({ arguments: { a: 1 } })).given, { a: 1, project_id: tenant.id });
  const inMessage = await called({ _meta: { traceparent: trace('a') } }, { traceparent: trace('b') });
  assert.match(inMessage.traceparent, /^00-a{32}-[0-9a-f]{16}-01$/);
  assert.match((await called({}, { traceparent: trace('b') })).traceparent, /^00-b{32}-/);
});

test('a call without a name or with arguments that are not an object is -32602', async () => {
  for (const params of [{}, { name: 7 }, { name: echo.name, arguments: [] }, { name: echo.name, arguments: 'x' }]) {
    const { status, body } = await post(rpcRequest(7, 'tools/call', params));
    assert.deepEqual([status, body.error.code], [200, -32602], JSON.stringify(params));
  }
});

test('a parameter header must match the body, in revisions that have them', async () => {
  const properties = { region: { type: 'string', 'x-mcp-header': 'Region' } };
  const { name } = await make({ input_schema: { type: 'object', properties } });
  const given = { region: 'eu' };
  assert.equal((await callTool(legacy, server, key, name, given)).status, 200);
  const without = await callTool(modern, server, key, name, given);
  assert.deepEqual([without.status, without.body.error.code], [400, -32020]);
  const wrong = await callTool(modern, server, key, name, given, { headers: { 'mcp-param-region': 'us' } });
  assert.equal(wrong.body.error.code, -32020);
  assert.equal(
    (await callTool(modern, server, key, name, given, { headers: { 'mcp-param-region': 'eu' } })).status,
    200,
  );
});

test('a tool that requires a client capability is not called for a client without it', async () => {
  const needed = { extensions: { 'example.com/maps': {} } };
  const tool = await make({ input_schema: { type: 'object', 'x-toolgate-client-capabilities': needed } });
  const { status, body } = await callTool(modern, server, key, tool.name);
  assert.deepEqual([status, body.error.code], [400, -32021]);
  assert.partialDeepStrictEqual(body.error.data, { requiredCapabilities: needed });
  assert.deepEqual(customer.at(tool.endpoint_path), []);
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': needed };
  assert.equal((await modern(server, key, 'tools/call', { name: tool.name, _meta })).status, 200);
  assert.equal((await callTool(legacy, server, key, tool.name)).status, 200);
});

test('a notification and a response are accepted without a response body', async () => {
  for (const message of [
    { method: 'notifications/initialized' },
    { method: 'anything', params: {} },
    { id: 1, result: {} },
  ]) {
    const { status, text } = await post({ jsonrpc: '2.0', ...message });
    assert.deepEqual([status, text], [202, '']);
  }
});

test('a batch returns one response for each request, and none for notifications', async () => {
  const disabled = await make({ is_enabled: false });
  const { status, body } = await post([
    rpcRequest(1, 'ping'),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    rpcRequest(2, 'tools/call', { name: disabled.name }),
    7,
    rpcRequest(3, 'initialize'),
    ...Array.from({ length: 15 }, (_, i) => rpcRequest(10 + i, 'tools/call', { name: echo.name })),
  ]);
  assert.equal(status, 200);
  const [ping, refused, nonsense, greeting, ...calls] = body;
  assert.deepEqual(
    [ping.id, refused.id, refused.error.code, nonsense.error.code, greeting.error.code],
    [1, 2, -32000, -32600, -32600],
  );
  assert.equal(calls.filter(({ result }: { result?: object }) => result).length, 15);
  assert.equal((await post([{ jsonrpc: '2.0', method: 'x' }])).status, 202);
});

test('a batch that is empty, too long or of a revision without batches is refused', async () => {
  for (const [batch, headers] of [
    [[], {}],
    [Array(21).fill(rpcRequest(1, 'ping')), {}],
    [[rpcRequest(1, 'ping')], { 'mcp-protocol-version': '2025-06-18' }],
    [[rpcRequest(1, 'ping')], { 'mcp-protocol-version': '2026-07-28' }],
  ] as const) {
    const { status, body } = await post(batch, headers);
    assert.deepEqual([status, body.error.code], [400, -32600]);
  }
  assert.equal((await post([rpcRequest(1, 'ping')], { 'mcp-protocol-version': '2025-03-26' })).body[0].id, 1);
});

test('every request of a batch counts towards the rate limit', async () => {
  const small = await makeTenant(server, { plan: 'enterprise', requests_per_hour: 3 });
  const body = Array.from({ length: 5 }, (_, id) => rpcRequest(id, 'ping'));
  const response = await server.api('POST', '/api/v1/mcp', { key: small.keys.read, body });
  const refused = response.body.filter(({ error }: any) => error?.message === 'Rate limit exceeded');
  assert.equal(refused.length, 2);
  assert.equal(refused[0].error.data.code, 'RATE_LIMIT_EXCEEDED');
  assert.equal(response.headers.get('x-ratelimit-remaining'), '0', 'what is left after all of them');
});

test('other methods than POST are 405: there are no streams and no sessions', async () => {
  for (const path of ['/api/v1/mcp', '/mcp']) {
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS']) {
      const { status, headers, body } = await server.api(method, path, { key });
      assert.deepEqual([status, headers.get('allow')], [405, 'POST']);
      assert.equal(body.error.data.code, 'METHOD_NOT_ALLOWED');
    }
    assert.equal((await server.api('PUT', path, { key, body: {} })).status, 405);
    const evil = { origin: 'https://evil.example.com' };
    assert.equal((await server.api('OPTIONS', path, { key, headers: evil })).status, 403);
  }
});

test('/mcp is the same endpoint', async () => {
  const { body } = await legacy(server, key, 'tools/list', undefined, { path: '/mcp' });
  assert.deepEqual(body, (await legacy(server, key, 'tools/list')).body);
  assert.equal((await modern(server, key, 'tools/call', { name: echo.name }, { path: '/mcp' })).status, 200);
});

test('a body that is not JSON-RPC gets a JSON-RPC error', async () => {
  for (const [body, status, code] of [
    ['{', 400, -32700],
    ['', 400, -32700],
    [Buffer.from([0x7b, 0xff, 0x7d]), 400, -32700],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","id":2}', 400, -32700],
    [`${'['.repeat(40)}${']'.repeat(40)}`, 400, -32700],
    ['7', 400, -32600],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32600],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 400, -32600],
  ] as const) {
    const response = await post(body);
    assert.deepEqual([response.status, response.body.error.code], [status, code], String(body));
  }
});

test('a body that is too large or not JSON is 413 or 415 with a JSON-RPC error', async () => {
  const large = await post(JSON.stringify(rpcRequest(7, 'ping', { filler: 'x'.repeat(1024 * 1024) })));
  assert.deepEqual([large.status, large.body.error.data.code], [413, 'BODY_TOO_LARGE']);
  const odd = await post('a=1', { 'content-type': 'application/x-www-form-urlencoded' });
  assert.deepEqual([odd.status, odd.body.error.data.code], [415, 'UNSUPPORTED_MEDIA_TYPE']);
});

/** fetch does not allow setting these headers. */
function postAs(headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((responded, failed) => {
    const sent = request(`${server.url}/api/v1/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    });
    sent.on('error', failed).on('response', (response) => responded(response.resume().statusCode));
    sent.end(JSON.stringify(rpcRequest(1, 'ping')));
  });
}

test('a request by DNS rebinding is refused', async () => {
  const own = new URL(server.url).host;
  assert.equal(await postAs({ host: own }), 200);
  assert.equal(await postAs({ host: own, origin: `http://${own}` }), 200);
  assert.equal(await postAs({ host: 'evil.example.com' }), 403);
  assert.equal(await postAs({ host: own, origin: 'http://evil.example.com' }), 403);
  assert.equal(await postAs({ host: own, origin: 'null' }), 403);
});

test('unknown paths under /.well-known/ are 404 with JSON', async () => {
  for (const name of ['openid-configuration', 'oauth-authorization-server/api/v1/mcp-x', 'mcp.json', '']) {
    const { status, headers, body } = await server.api('GET', `/.well-known/${name}`);
    assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND']);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
  }
});
