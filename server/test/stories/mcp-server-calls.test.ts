import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { legacy, messages, modern } from '../mcp/rpc.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { mcpServersOf } from '../support/make/make-mcp-server.ts';
import { execute } from '../support/make/make-tools.ts';
import { echoTool, startMcpUpstream, type UpstreamTool } from '../support/peers/mcp-upstream.ts';
import { startServer } from '../support/servers/start-server.ts';

const upstreams = { '2026-07-28': await startMcpUpstream('modern'), '2025-11-25': await startMcpUpstream('legacy') };
const all = Object.values(upstreams);
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: all.map(({ address }) => address).join(',') });
after(() => Promise.all(all.map((upstream) => upstream.close())));

const gives = (name: string, result: object, members: object = {}): UpstreamTool => ({
  ...echoTool(name, members),
  run: () => result,
});

const content = [
  { type: 'text', text: 'words' },
  { type: 'image', data: 'aW1hZ2U=', mimeType: 'image/png' },
  { type: 'audio', data: 'YXVkaW8=', mimeType: 'audio/wav' },
  { type: 'resource_link', uri: 'file:///a', name: 'a' },
  { type: 'resource', resource: { uri: 'file:///b', mimeType: 'text/plain', text: 'embedded' } },
];
const tools = [
  echoTool('echo'),
  gives('all_kinds', { content, _meta: { secret: 'of the server' } }),
  gives('structured', {
    content: [{ type: 'text', text: '{}' }],
    structuredContent: { a: { b: 1 }, email: 'x@example.com' },
  }),
  gives('fails', { isError: true, content: [{ type: 'text', text: 'No such order' }] }),
  {
    ...echoTool('throws'),
    run: () => {
      throw Object.assign(new Error('y'.repeat(5_000)), { code: -32603 });
    },
  },
  {
    ...echoTool('slow'),
    run: async ({ progress, meta }) => {
      if (meta.progressToken !== undefined) await progress(1, 2);
      return { content: [{ type: 'text', text: 'done' }] };
    },
  } satisfies UpstreamTool,
  {
    ...echoTool('repeats'),
    run: async ({ progress, meta, headers }) => {
      const words = `${headers.authorization} is not for ann@example.com`;
      if (meta.progressToken !== undefined) await progress(1, 2, words);
      throw Object.assign(new Error(words), { code: -32603 });
    },
  } satisfies UpstreamTool,
];

for (const [revision, upstream] of Object.entries(upstreams))
  describe(`a tool of a server of ${revision}`, () => {
    const ready = makeTenant(server).then(async (tenant) => {
      upstream.set(tools);
      const servers = mcpServersOf(server, tenant);
      await servers.ready(upstream, {
        slug: 'up',
        auth_strategy: 'bearer_token',
        encrypted_auth_secret: 'token-of-server',
      });
      return { tenant, servers, key: tenant.keys.read };
    });
    const call = async (send: typeof modern, name: string, more: object = {}) =>
      expectResponse(
        await send(server, (await ready).key, 'tools/call', { name: `up_${name}`, arguments: {}, ...more }),
        200,
      );

    test('answers with content of every kind as it came, without the _meta of the server', async () => {
      for (const send of [legacy, modern]) {
        const { result } = await call(send, 'all_kinds');
        assert.deepEqual(result.content, content);
        assert.equal(JSON.stringify(result).includes('of the server'), false);
      }
      const rest = expectResponse(await execute(server, (await ready).key, 'up_all_kinds'), 200);
      assert.deepEqual(rest.body, content);
    });

    test('answers with its structured content, in both protocols', async () => {
      const value = { a: { b: 1 }, email: 'x@example.com' };
      assert.deepEqual((await call(modern, 'structured')).result.structuredContent, value);
      assert.deepEqual((await call(legacy, 'structured')).result.structuredContent, value);
      const rest = expectResponse(await execute(server, (await ready).key, 'up_structured'), 200);
      assert.deepEqual([rest.body, rest.content_type], [value, 'application/json']);
    });

    test('is shaped like others', async () => {
      const { tenant, key } = await ready;
      const body = { response: { drop: ['a'], redact: ['@email'] } };
      expectResponse(await server.api('PATCH', '/custom-tools/up_structured', { key: tenant.keys.write, body }), 200);
      const { result } = await call(modern, 'structured');
      assert.deepEqual(result.structuredContent, { email: '[redacted]' });
      assert.deepEqual(JSON.parse(result.content[0].text), { email: '[redacted]' });
      assert.deepEqual(expectResponse(await execute(server, key, 'up_structured'), 200).body, { email: '[redacted]' });
      expectResponse(
        await server.api('PATCH', '/custom-tools/up_structured', { key: tenant.keys.write, body: { response: null } }),
        200,
      );
    });

    test('that fails says so as it did there; over REST it is 502', async () => {
      const { result } = await call(legacy, 'fails');
      assert.deepEqual([result.isError, result.content], [true, [{ type: 'text', text: 'No such order' }]]);
      assert.equal(result._meta['toolgate/error'].code, 'TOOL_FAILED_UPSTREAM');
      const { error } = expectResponse(await execute(server, (await ready).key, 'up_fails'), 502);
      assert.deepEqual([error.code, error.details.body], ['TOOL_FAILED_UPSTREAM', 'No such order']);
    });

    test('whose server answers with a JSON-RPC error is UPSTREAM_ERROR, with at most 2 KiB of text', async () => {
      const { error } = expectResponse(await execute(server, (await ready).key, 'up_throws'), 502);
      assert.equal(error.code, 'UPSTREAM_ERROR');
      assert.ok(error.details.body.length <= 2_048);
      const { result } = await call(modern, 'throws');
      assert.deepEqual([result.isError, result._meta['toolgate/error'].code], [true, 'UPSTREAM_ERROR']);
    });

    test('does not tell the caller the credential of the server, nor what the tool redacts, in errors and progress', async () => {
      const { tenant, key } = await ready;
      const { headers, body } = messages['2026-07-28'](3, 'tools/call', {
        name: 'up_repeats',
        arguments: {},
        _meta: { progressToken: 7 },
      });
      const accept = 'application/json, text/event-stream';
      const sent = { ...headers, accept, authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const told = async () => {
        const method = 'POST';
        const response = await fetch(`${server.url}/api/v1/mcp`, { method, headers: sent, body: JSON.stringify(body) });
        const { error } = expectResponse(await execute(server, key, 'up_repeats'), 502);
        return [await response.text(), error.details.body] as const;
      };
      const [stream, text] = await told();
      assert.match(stream, /"message":"Bearer [^"]*is not for ann@example.com"/);
      assert.match(text, /is not for ann@example.com/);
      assert.doesNotMatch(stream + text, /token-of-server/);

      const change = { response: { redact: ['@email'] } };
      const path = '/custom-tools/up_repeats';
      expectResponse(await server.api('PATCH', path, { key: tenant.keys.write, body: change }), 200);
      const [redacted, short] = await told();
      assert.match(redacted, /"progressToken":7,"progress":1,"total":2\}/);
      assert.match(short, /is not for \[redacted\]/);
      assert.doesNotMatch(redacted + short, /token-of-server|ann@example/);

      const selecting = { response: { select: ['id'] } };
      expectResponse(await server.api('PATCH', path, { key: tenant.keys.write, body: selecting }), 200);
      const [selected, nothing] = await told();
      assert.match(selected, /"progressToken":7,"progress":1,"total":2\}/);
      assert.equal(nothing, '[redacted]');
      assert.doesNotMatch(selected, /ann@example/);
    });

    test('reports its progress to a caller who asked for it', async () => {
      const { key } = await ready;
      const params = { name: 'up_slow', arguments: {}, _meta: { progressToken: 7 } };
      for (const make of Object.values(messages)) {
        const { headers, body } = make(3, 'tools/call', params);
        const accept = 'application/json, text/event-stream';
        const sent = { ...headers, accept, authorization: `Bearer ${key}`, 'content-type': 'application/json' };
        const response = await fetch(`${server.url}/api/v1/mcp`, {
          method: 'POST',
          headers: sent,
          body: JSON.stringify(body),
        });
        const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: '));
        const [progress, result] = lines.map((line) => JSON.parse(line.slice(6)));
        assert.deepEqual(progress, {
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: 7, progress: 1, total: 2 },
        });
        assert.deepEqual([result.id, result.result.content[0].text], [3, 'done']);
      }
    });

    test('gets nothing of the caller but arguments, progress token and trace context', async () => {
      const { key } = await ready;
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      const _meta = { progressToken: 'p', traceparent, tracestate: 'a=b', 'example.com/mine': 'private' };
      const headers = {
        cookie: 'a=cookie-of-caller',
        accept: 'text/event-stream, application/json',
        'x-mine': 'private',
      };
      const params = { name: 'up_echo', arguments: { text: 'hi' }, _meta };
      expectResponse(await modern(server, key, 'tools/call', params, { headers }), 200);
      const sent = upstream.calls().at(-1);
      assert.ok(sent);
      const text = JSON.stringify([sent.headers, sent.message]);
      for (const secret of [key, 'cookie-of-caller', 'private']) assert.equal(text.includes(secret), false, text);
      assert.equal(sent.headers.authorization, 'Bearer token-of-server');
      const { progressToken, traceparent: passed, tracestate } = sent.message.params._meta;
      assert.deepEqual([progressToken, tracestate, passed.slice(0, 36)], ['p', 'a=b', traceparent.slice(0, 36)]);
    });

    test('has no field of its own that the server decides', async () => {
      const { tenant } = await ready;
      for (const body of [
        { base_url: 'https://evil.example' },
        { input_schema: { type: 'object' } },
        { auth_strategy: 'none' },
      ]) {
        const response = await server.api('PATCH', '/custom-tools/up_echo', { key: tenant.keys.write, body });
        assert.deepEqual([response.status, response.body.error.details.reason], [422, 'set_by_mcp_server']);
      }
      const duplicate = { key: tenant.keys.write, body: { name: 'copy_of_echo' } };
      expectResponse(await server.api('POST', '/custom-tools/up_echo/duplicate', duplicate), 201);
      const body = { fixed_arguments: { text: 'fixed' }, is_enabled: true };
      expectResponse(await server.api('PATCH', '/custom-tools/copy_of_echo', { key: tenant.keys.write, body }), 200);
      const called = expectResponse(await execute(server, tenant.keys.read, 'copy_of_echo', {}), 200);
      assert.deepEqual(called.body, [{ type: 'text', text: '{"text":"fixed"}' }]);
    });
  });

describe('a server that hangs', () => {
  test('delays no call of other servers, and no list', async () => {
    const tenant = await makeTenant(server);
    const servers = mcpServersOf(server, tenant);
    const [hanging, other] = [upstreams['2026-07-28'], upstreams['2025-11-25']];
    hanging.set([echoTool('echo')]);
    other.set([echoTool('echo')]);
    await servers.ready(hanging, { slug: 'hang', timeout_ms: 1_000 });
    await servers.ready(other, { slug: 'fine' });
    hanging.fault.handle = () => true;
    const waiting = Array.from({ length: 40 }, () => execute(server, tenant.keys.read, 'hang_echo'));
    assert.equal(expectResponse(await modern(server, tenant.keys.read, 'tools/list'), 200).result.tools.length, 2);
    expectResponse(await execute(server, tenant.keys.read, 'fine_echo'), 200);
    for (const response of await Promise.all(waiting)) assert.equal(response.body.error.code, 'TOOL_TIMED_OUT');
    hanging.fault.handle = null;
  });
});
