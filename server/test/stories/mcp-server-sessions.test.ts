import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { mcpServersOf } from '../support/make/make-mcp-server.ts';
import { makeMemberTenant, makeSession } from '../support/make/make-members.ts';
import { execute } from '../support/make/make-tools.ts';
import { breaking, type Handle, json, nothingIsOpen, result, stream } from '../support/peers/bad-mcp-responses.ts';
import { echoTool, startMcpUpstream } from '../support/peers/mcp-upstream.ts';
import { startServer } from '../support/servers/start-server.ts';

const upstream = await startMcpUpstream('legacy');
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: upstream.address });
after(() => upstream.close());

describe('a server with sessions', () => {
  const ready = makeTenant(server).then(async (tenant) => {
    const servers = mcpServersOf(server, tenant);
    upstream.set([echoTool('echo')]);
    await servers.ready(upstream, { slug: 'ses' });
    await servers.ready(upstream, { slug: 'hurried', timeout_ms: 1_000 });
    return { call: (slug = 'ses') => execute(server, tenant.keys.read, `${slug}_echo`) };
  });

  for (const status of [404, 400])
    test(`that answers ${status} to a session begins another once, and the call is done`, async () => {
      const { call } = await ready;
      expectResponse(await call(), 200);
      const lost = upstream.calls().at(-1)?.headers['mcp-session-id'];
      upstream.fault.handle = ({ headers }, response) => {
        if (headers['mcp-session-id'] !== lost) return false;
        response.writeHead(status).end();
        return true;
      };
      expectResponse(await call(), 200);
      assert.notEqual(upstream.calls().at(-1)?.headers['mcp-session-id'], lost);
      const before = upstream.calls().length;
      breaking(upstream, 'tools/call', (_, response) => void response.writeHead(status).end());
      expectResponse(await call(), 502);
      assert.equal(upstream.calls().length - before, 2);
      upstream.fault.handle = null;
    });

  for (const status of [404, 400]) {
    const refuse = ({ id }: any, response: any) => {
      const error = { code: -32000, message: 'no' };
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));
    };
    const isCall = ({ message }: { message: any }) => message?.method === 'tools/call';

    test(`whose tool runs and fails with ${status} is called once, in the session that it still knows`, async () => {
      const { call } = await ready;
      expectResponse(await call(), 200);
      const before = upstream.requests.length;
      breaking(upstream, 'tools/call', refuse);
      const { details } = expectResponse(await call(), 502).error;
      assert.equal(details.upstream_code, -32000);
      upstream.fault.handle = null;
      expectResponse(await call(), 200);
      const methods = upstream.requests.slice(before).map(({ message }) => message?.method);
      assert.deepEqual(methods, ['tools/call', 'ping', 'tools/call']);
    });

    test(`that names the call when it answers ${status} to a session that it forgot is called in another one`, async () => {
      const { call } = await ready;
      expectResponse(await call(), 200);
      const lost = upstream.calls().at(-1)?.headers['mcp-session-id'];
      const before = upstream.requests.length;
      upstream.fault.handle = ({ headers, message }, response) => {
        if (headers['mcp-session-id'] !== lost) return false;
        refuse(message, response);
        return true;
      };
      expectResponse(await call(), 200);
      upstream.fault.handle = null;
      assert.equal(upstream.requests.slice(before).filter(isCall).length, 2);
    });
  }

  const begins: [title: string, code: string, handle: Handle][] = [
    ['hangs', 'TOOL_TIMED_OUT', () => {}],
    [
      'has an id that cannot be sent back',
      'UPSTREAM_CONNECTION',
      ({ id }, response) => {
        const initialized = {
          protocolVersion: '2025-11-25',
          capabilities: {},
          serverInfo: { name: 'x', version: '1' },
        };
        response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'a b' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result: initialized }));
      },
    ],
    [
      'is of an unknown revision',
      'UPSTREAM_CONNECTION',
      ({ id }, response) => json(response, { jsonrpc: '2.0', id, result: { protocolVersion: '1999-01-01' } }),
    ],
  ];
  for (const [title, code, handle] of begins)
    test(`whose session ${title} fails the call within its time, and the next begins it again`, async () => {
      const { call } = await ready;
      upstream.restart();
      breaking(upstream, 'initialize', handle);
      assert.equal((await call(code === 'TOOL_TIMED_OUT' ? 'hurried' : 'ses')).body.error.code, code);
      await nothingIsOpen(upstream);
      upstream.fault.handle = null;
      expectResponse(await call(), 200);
    });

  test('that asks for patience without end is given up in time', async () => {
    const { call } = await ready;
    upstream.fault.handle = ({ method, message }, response) => {
      if (method !== 'GET' && message?.method !== 'tools/call') return false;
      const note = { jsonrpc: '2.0', method: 'notifications/message', params: {} };
      stream(response, 'retry: 9999999\nid: e1\n', note).end();
      return true;
    };
    assert.equal(expectResponse(await call('hurried'), 500).error.code, 'TOOL_TIMED_OUT');
    upstream.fault.handle = null;
  });

  test('that breaks a stream off in the middle of an event is read on as if it had not', async () => {
    const { call } = await ready;
    let asked: unknown;
    upstream.fault.handle = ({ method, message }, response) => {
      if (method !== 'GET' && message?.method !== 'tools/call') return false;
      const note = { jsonrpc: '2.0', method: 'notifications/message', params: {} };
      if (method === 'GET') stream(response, result(asked, 'whole')).end();
      else {
        asked = message.id;
        stream(response, 'retry: 1\nid: e1\n', note, 'data: {"jsonrpc":"2').end();
      }
      return true;
    };
    assert.equal(expectResponse(await call(), 200).body[0].text, 'whole');
    upstream.fault.handle = null;
  });

  test('that asks without end gets few answers, and the call its result', async () => {
    const { call } = await ready;
    const ping = { jsonrpc: '2.0', id: 'p', method: 'ping' };
    breaking(upstream, 'tools/call', ({ id }, response) =>
      stream(response, ...Array.from({ length: 5_000 }, () => ping), result(id)).end(),
    );
    const before = upstream.requests.length;
    expectResponse(await call(), 200);
    upstream.fault.handle = null;
    // It waits behind all that was to be sent before.
    expectResponse(await call(), 200);
    await nothingIsOpen(upstream);
    const responses = upstream.requests.slice(before).filter(({ message }) => message?.id === 'p');
    assert.ok(responses.length > 0 && responses.length <= 20, `${responses.length} answers`);
  });
});

describe('sessions of 50 members at once', () => {
  test('are never mixed, also when the server forgets some of them', async () => {
    const tenant = await makeMemberTenant(server);
    const servers = mcpServersOf(server, tenant);
    upstream.set([echoTool('echo')]);
    await servers.ready(upstream, { slug: 'own' });
    const members = await Promise.all(Array.from({ length: 50 }, () => makeSession(server, tenant)));
    const round = (name: string) =>
      Promise.all(
        [1, 2, 3].flatMap((turn) =>
          members.map(async ({ session_token, member }) => {
            const text = `${member.external_id} ${name}${turn}`;
            const { body } = expectResponse(await execute(server, session_token, 'own_echo', { text }), 200);
            assert.deepEqual(body, [{ type: 'text', text: JSON.stringify({ text }) }]);
          }),
        ),
      );
    const begun = () => upstream.requests.filter(({ message }) => message?.method === 'initialize').length;
    const before = begun();
    await round('first ');
    assert.equal(begun() - before, 50);
    for (const id of [...upstream.sessions.keys()].filter((_, index) => index % 2 === 0)) upstream.sessions.delete(id);
    await round('second ');
    const members_of = new Map<string, Set<string>>();
    for (const { headers, message } of upstream.calls()) {
      const id = String(headers['mcp-session-id']);
      const [who] = String(message.params.arguments.text).split(' ');
      members_of.set(id, (members_of.get(id) ?? new Set()).add(String(who)));
    }
    for (const { member } of members) {
      const own = [...members_of].filter(([, who]) => who.has(member.external_id));
      assert.ok(own.length >= 1 && own.length <= 2, `${own.length} sessions`);
      for (const [, who] of own) assert.deepEqual([...who], [member.external_id]);
    }
  });
});
