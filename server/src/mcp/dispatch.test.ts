import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolCaller } from '../access/caller.ts';
import type { App } from '../app.ts';
import { createCache } from '../cache/cache.ts';
import { refuse } from '../errors.ts';
import { createLimits } from '../limits/limits.ts';
import { version } from '../version.ts';
import { dispatch, dispatchBatch, type Post } from './dispatch.ts';
import type { ToolForModel, Tools } from './tools.ts';

const echo: ToolForModel = {
  name: 'echo',
  title: null,
  description: 'Says it again',
  input_schema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
  output_schema: null,
  annotations: null,
  definition_hash: 'h1',
};

/** Tools as the door is given them: one that answers with its arguments, and the refusals a name asks for. */
const tools: Tools = {
  list: async () => [echo],
  async call(_app, _caller, call) {
    if (call.name === 'disabled') throw refuse.toolNotEnabled();
    if (call.name === 'broken') throw refuse.upstreamConnection();
    if (call.name === 'buggy') throw new TypeError('secret');
    if (call.name !== 'echo') throw refuse.notFound();
    call.inspect?.(echo);
    return {
      call_id: 'call_1',
      status: 200,
      content_type: 'application/json',
      body: Buffer.from(JSON.stringify({ given: call.arguments, traceparent: call.traceparent })),
      truncated: false,
      duration_ms: 1,
      tool: { output_schema: null, checkOutput: null },
    };
  },
};

function post(headers: Record<string, string> = {}, requests_per_hour = 100): Post {
  const settings = { mcp_server_name: 'Shop', mcp_instructions: 'Be brief.', max_response_bytes: 1 };
  const project = { id: 'prj_1', name: 'P', plan: 'enterprise', requests_per_hour, settings };
  const app = {
    config: { public_url: 'http://localhost' },
    cache: createCache(),
    limits: createLimits(),
    now: () => 1_000_000,
    log: { error() {} },
  };
  return {
    app: app as unknown as App,
    tools,
    caller: { kind: 'api_key', project } as unknown as ToolCaller,
    headers,
    body_bytes: 100,
    request_id: 'req_1',
    gone: () => new AbortController().signal,
  };
}

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

async function legacy(method: string, params?: object) {
  const { status, body } = await dispatch(post(), { jsonrpc: '2.0', id: 1, method, params }, null);
  return { status, ...JSON.parse(body) };
}

async function modern(method: string, params: { name?: string } & object = {}, more: Record<string, string> = {}) {
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(params.name && { 'mcp-name': params.name }),
    ...more,
  };
  const { status, body } = await dispatch(
    post(headers),
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
    null,
  );
  return { status, ...JSON.parse(body) };
}

test('initialize agrees on the revision a client asks for, and offers the newest where it is unknown', async () => {
  for (const revision of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
    assert.deepEqual((await legacy('initialize', { protocolVersion: revision })).result, {
      protocolVersion: revision,
      capabilities: { tools: {} },
      serverInfo: { name: 'Shop', version },
      instructions: 'Be brief.',
    });
  }
  for (const protocolVersion of ['1.0', '2026-07-28', 7, undefined]) {
    assert.equal((await legacy('initialize', { protocolVersion })).result.protocolVersion, '2025-11-25');
  }
});

test('server/discover says what is spoken here, and by whom', async () => {
  const { result } = await modern('server/discover');
  assert.deepEqual(result.supportedVersions, ['2026-07-28']);
  assert.deepEqual(result.capabilities, { tools: {} });
  assert.equal(result.instructions, 'Be brief.');
  assert.equal(result.resultType, 'complete');
  assert.equal(result.cacheScope, 'private');
  assert.ok(Number.isInteger(result.ttlMs));
  assert.deepEqual(result._meta['io.modelcontextprotocol/serverInfo'], { name: 'Shop', version });
});

test('each era has its own methods, and its own way to say that there is no such method', async () => {
  assert.deepEqual((await legacy('ping')).result, {});
  for (const method of ['server/discover', 'prompts/list', 'constructor', '']) {
    const { status, error } = await legacy(method);
    assert.deepEqual([status, error.code], [200, -32601], method);
  }
  for (const method of ['initialize', 'ping', 'logging/setLevel', 'toString']) {
    const { status, error, id } = await modern(method);
    assert.deepEqual([status, error.code, id], [404, -32601, 1], method);
  }
});

test('tools/list carries the hints of 2026-07-28 only there', async () => {
  const old = (await legacy('tools/list')).result;
  assert.deepEqual(Object.keys(old), ['tools']);
  const { tools: listed, ...hints } = (await modern('tools/list')).result;
  assert.deepEqual(listed, old.tools);
  assert.deepEqual([hints.resultType, hints.ttlMs, hints.cacheScope], ['complete', 0, 'private']);
});

test('tools/call passes on the arguments and the trace', async () => {
  const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  assert.deepEqual((await legacy('tools/call', { name: 'echo' })).result.structuredContent, { given: {} });
  const traced = await legacy('tools/call', { name: 'echo', arguments: { a: 1 }, _meta: { traceparent: trace } });
  assert.deepEqual(traced.result.structuredContent, { given: { a: 1 }, traceparent: trace });
});

test('a parameter header is checked where the revision has them', async () => {
  const params = { name: 'echo', arguments: { region: 'eu' } };
  assert.equal((await legacy('tools/call', params)).status, 200);
  assert.equal((await modern('tools/call', params)).error.code, -32020);
  assert.equal((await modern('tools/call', params, { 'mcp-param-region': 'eu' })).status, 200);
});

test('a call that cannot be made is told as contract 7 says', async () => {
  const unknown = await legacy('tools/call', { name: 'nope' });
  assert.deepEqual([unknown.status, unknown.error.code], [200, -32602]);
  for (const params of [{}, { name: 7 }, { name: 'echo', arguments: [] }, { name: 'echo', arguments: 'x' }]) {
    const { status, error } = await legacy('tools/call', params);
    assert.deepEqual([status, error.code], [200, -32602], JSON.stringify(params));
  }
  const disabled = await modern('tools/call', { name: 'disabled' });
  assert.deepEqual([disabled.status, disabled.error.message], [403, 'Tool not enabled for this project']);
  const broken = await legacy('tools/call', { name: 'broken' });
  assert.deepEqual([broken.status, broken.result.isError], [200, true]);
  const buggy = await modern('tools/call', { name: 'buggy' });
  assert.equal(buggy.result._meta['toolgate/error'].status, 500);
  assert.doesNotMatch(JSON.stringify(buggy), /secret/);
});

test('a notification and a response are accepted without an answer', async () => {
  for (const message of [
    { method: 'notifications/initialized' },
    { method: 'anything', params: {} },
    { id: 1, result: {} },
  ]) {
    assert.deepEqual(await dispatch(post(), { jsonrpc: '2.0', ...message }, null), { status: 202, body: '' });
  }
});

test('a batch is answered message by message, and only where there is an answer', async () => {
  const ask = (id: number, method: string, params?: object) => ({ jsonrpc: '2.0', id, method, params });
  const mixed = [
    ask(1, 'ping'),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    ask(2, 'tools/call', { name: 'disabled' }),
    7,
    ask(3, 'initialize'),
  ];
  const { status, body } = await dispatchBatch(post(), mixed);
  const answers = JSON.parse(body) as { id: number | null; result?: object; error?: { code: number } }[];
  assert.equal(status, 200);
  assert.deepEqual(
    answers.map(({ id, error }) => [id, error?.code]),
    [
      [1, undefined],
      [2, -32000],
      [null, -32600],
      [3, -32600],
    ],
  );
  assert.equal((await dispatchBatch(post(), [{ jsonrpc: '2.0', method: 'x' }])).status, 202);
  await assert.rejects(dispatchBatch(post(), []), { code: -32600 });
  await assert.rejects(dispatchBatch(post(), Array(21).fill(ask(1, 'ping'))), { code: -32600 });
  await assert.rejects(dispatchBatch(post({ 'mcp-protocol-version': '2025-06-18' }), [ask(1, 'ping')]), {
    code: -32600,
  });
});

test('a batch is no way around the plan: every further request in it counts', async () => {
  const batch = Array.from({ length: 5 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
  const { body } = await dispatchBatch(post({}, 2), batch);
  const refused = (JSON.parse(body) as { error?: { message: string } }[]).filter(
    ({ error }) => error?.message === 'Rate limit exceeded',
  );
  assert.equal(refused.length, 2); // the door itself counts the first
});
