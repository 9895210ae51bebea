import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { testAuthority } from '../../test/support/peers/fake-customer.ts';
import { echoTool, type McpUpstream, startMcpUpstream } from '../../test/support/peers/mcp-upstream.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { parseAllowList } from '../outbound/allow-list.ts';
import { SendError } from '../outbound/messages.ts';
import { createRequester, leave, type Requester } from '../outbound/requester.ts';
import { createSend } from '../outbound/send.ts';
import { callUpstreamTool, type Peer, type ToolRequest } from './client.ts';
import type { Transport } from './exchange.ts';
import { listUpstreamTools } from './list-tools.ts';
import { McpProblem } from './message.ts';
import { createSessions } from './sessions.ts';

const sessions = createSessions();
const limits = { max_bytes: 1 << 20, max_pages: 50 };

/** Lists the tools, and returns their names with the revision. */
async function list(upstream: McpUpstream, remembered: string | null) {
  let names: string[] = [];
  const revision = await listUpstreamTools(peerOf(upstream, 'list'), remembered, {
    limits,
    async readPage({ unread, request_id, is_first }) {
      const { id, result } = JSON.parse(String(unread));
      assert.equal(id, request_id);
      if (is_first) names = [];
      names.push(...result.tools.map(({ name }: { name: string }) => name));
      return { next_cursor: result.nextCursor ?? null, resources: [] };
    },
    readResource: async () => {},
    endPage: async () => {},
  });
  return { revision, names };
}
const running: McpUpstream[] = [];
const start = async (era: 'modern' | 'legacy', tools = [echoTool('echo')]) => {
  const upstream = await startMcpUpstream(era, tools);
  running.push(upstream);
  return upstream;
};
const upstreams = { modern: await start('modern'), legacy: await start('legacy') };
const other = await start('legacy');
const addresses = running.map(({ address }) => address).join(',');
const send = createSend({ allow: parseAllowList(addresses).allowed, ca: [testAuthority.certificate] });

after(async () => {
  await send.close();
  await Promise.all(running.map((upstream) => upstream.close()));
});

function transportTo(
  { url }: McpUpstream,
  { timeout_ms = 10_000, requester }: { timeout_ms?: number; requester?: Requester } = {},
): Transport {
  const { origin, pathname } = new URL(url);
  return (request) =>
    send({
      isolation_key: 'prj',
      origin,
      path: pathname,
      timeout_ms,
      max_response_bytes: 1 << 20,
      requester,
      ...request,
    });
}

function peerOf(upstream: McpUpstream, principal: string, options = {}): Peer {
  return {
    transport: transportTo(upstream, options),
    background: transportTo(upstream),
    within: (work) => work,
    sessions,
    session_key: `${upstream.url} ${principal}`,
  };
}

const request = (name: string, given: object = {}, more: Partial<ToolRequest> = {}): ToolRequest => ({
  name,
  arguments: given as Record<string, unknown>,
  schema: { type: 'object' },
  meta: {},
  capabilities: {},
  responses: {},
  ...more,
});

const revisions = { modern: '2026-07-28', legacy: '2025-11-25' };

for (const era of ['modern', 'legacy'] as const)
  describe(`a server of the official SDK (${revisions[era]})`, () => {
    const upstream = upstreams[era];

    test('is found to speak its revision, and all pages of its tools are read', async () => {
      upstream.set(Array.from({ length: 7 }, (_, index) => echoTool(`echo_${index}`)));
      upstream.setPageSize(3);
      const names = [0, 1, 2, 3, 4, 5, 6].map((index) => `echo_${index}`);
      assert.deepEqual(await list(upstream, null), { revision: revisions[era], names });
      assert.deepEqual(await list(upstream, revisions[era]), { revision: revisions[era], names });
    });

    test('answers a call', async () => {
      upstream.set([echoTool('echo')]);
      const { reply } = await callUpstreamTool(peerOf(upstream, 'a'), revisions[era], request('echo', { text: 'hi' }));
      assert.ok('result' in reply);
      assert.deepEqual(reply.result.content, [{ type: 'text', text: '{"text":"hi"}' }]);
    });

    test('reports the progress of a call with the token that it got', async () => {
      const slow = {
        ...echoTool('slow'),
        run: async ({ progress }: any) => {
          await progress(1, 2);
          return { content: [{ type: 'text', text: 'done' }] };
        },
      };
      upstream.set([slow]);
      const seen: unknown[] = [];
      const onProgress = (params: unknown) => seen.push(params);
      const asked = request('slow', {}, { meta: { progressToken: 'tok' }, onProgress });
      await callUpstreamTool(peerOf(upstream, 'a'), revisions[era], asked);
      assert.deepEqual(seen, [{ progressToken: 'tok', progress: 1, total: 2 }]);
    });

    test('sees that a call was cancelled when its caller is gone', async () => {
      let signal: AbortSignal | undefined;
      const hanging = {
        ...echoTool('hang'),
        run: (call: any) => {
          signal = call.signal;
          return new Promise<object>(() => {});
        },
      };
      upstream.set([hanging]);
      const requester = createRequester();
      const call = callUpstreamTool(peerOf(upstream, 'a', { requester }), revisions[era], request('hang'));
      await waitUntil(async () => signal !== undefined, 10_000, 'the call has arrived');
      leave(requester);
      await assert.rejects(call, (error) => error instanceof SendError && error.kind === 'aborted');
      await waitUntil(async () => signal?.aborted === true, 10_000, 'the call is cancelled');
    });

    test('gets its errors back', async () => {
      upstream.set([]);
      const { reply } = await callUpstreamTool(peerOf(upstream, 'a'), revisions[era], request('missing'));
      assert.ok('error' in reply);
      assert.match(reply.error.message, /missing/);
    });
  });

describe('a server of 2026-07-28', () => {
  const { modern } = upstreams;

  test('gets the name and the marked parameters in headers', async () => {
    const schema = { type: 'object', properties: { région: { type: 'string', 'x-mcp-header': 'Region' } } };
    modern.set([echoTool('écho', { inputSchema: schema })]);
    await callUpstreamTool(peerOf(modern, 'a'), revisions.modern, request('écho', { région: ' eu' }, { schema }));
    const sent = modern.calls().at(-1)?.headers ?? {};
    const encoded = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;
    assert.deepEqual(
      [sent['mcp-method'], sent['mcp-name'], sent['mcp-param-region'], sent['mcp-protocol-version']],
      ['tools/call', encoded('écho'), encoded(' eu'), '2026-07-28'],
    );
  });
});

describe('a session', () => {
  test('is one for each principal, and shared by its calls', async () => {
    const before = other.sessions.size;
    const call = (who: string) =>
      callUpstreamTool(peerOf(other, who), revisions.legacy, request('echo', { text: who }));
    await Promise.all(['x', 'y', 'x', 'y', 'x'].map(call));
    assert.equal(other.sessions.size - before, 2);
    const ids = (who: string) =>
      other
        .calls()
        .flatMap(({ message: { params }, headers }) =>
          params.arguments.text === who ? [headers['mcp-session-id']] : [],
        );
    assert.equal(new Set(ids('x')).size, 1);
    assert.notEqual(ids('x')[0], ids('y')[0]);
  });

  test('that the server forgot is begun again', async () => {
    other.restart();
    const calls = ['x', 'x', 'y'].map((who) => callUpstreamTool(peerOf(other, who), revisions.legacy, request('echo')));
    for (const { reply } of await Promise.all(calls)) assert.ok('result' in reply);
    assert.equal(other.sessions.size, 2);
  });

  test('is begun again once: a server that forgets every session is an error', async () => {
    other.fault.handle = ({ message }, response) => {
      if (message?.method !== 'tools/call') return false;
      response.writeHead(404).end();
      return true;
    };
    const before = other.calls().length;
    const call = callUpstreamTool(peerOf(other, 'z'), revisions.legacy, request('echo'));
    await assert.rejects(call, (error) => error instanceof McpProblem && error.status === 404);
    assert.equal(other.calls().length - before, 2);
    other.fault.handle = null;
  });
});

describe('a stream', () => {
  const event = (data: object, id?: string) => `${id ? `id: ${id}\n` : ''}data: ${JSON.stringify(data)}\n\n`;
  const responseTo = (id: unknown) => ({ jsonrpc: '2.0', id, result: { content: [] } });

  test('that never ends gives the answer as soon as it is there', async () => {
    other.fault.handle = ({ message }, response) => {
      if (message?.method !== 'tools/call') return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event(responseTo(message.id)));
      return true;
    };
    const { reply } = await callUpstreamTool(peerOf(other, 'stream'), revisions.legacy, request('echo'));
    assert.ok('result' in reply);
    other.fault.handle = null;
  });

  test('that ended early is resumed after its last event', async () => {
    let asked: unknown;
    other.fault.handle = ({ method, message, headers }, response) => {
      if (method !== 'GET' && message?.method !== 'tools/call') return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (method === 'GET') response.end(event(responseTo(asked), `after ${headers['last-event-id']}`));
      else {
        asked = message.id;
        response.end(
          'retry: 1\nid: e1\ndata:\n\n'.replace(
            'data:\n',
            `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: {} })}\n`,
          ),
        );
      }
      return true;
    };
    const { reply } = await callUpstreamTool(peerOf(other, 'stream'), revisions.legacy, request('echo'));
    assert.ok('result' in reply);
    other.fault.handle = null;
  });

  test('of which half is missing is a protocol violation', async () => {
    other.fault.handle = ({ message }, response) => {
      if (message?.method !== 'tools/call') return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('data: {"jsonrpc":"2.0","id":');
      return true;
    };
    const call = callUpstreamTool(peerOf(other, 'stream'), revisions.legacy, request('echo'));
    await assert.rejects(call, (error) => error instanceof McpProblem && error.kind === 'protocol');
    other.fault.handle = null;
  });
});

for (const method of ['server/discover', 'initialize'])
  test(`a large response to ${method} is refused before it is parsed`, async () => {
    other.fault.handle = ({ message }, response) => {
      if (message?.method !== method) return false;
      const result = { supportedVersions: [revisions.modern], protocolVersion: revisions.legacy, capabilities: {} };
      const large = { ...result, serverInfo: { name: 'x', version: 'y'.repeat(300_000) } };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: large }));
      return true;
    };
    const listed = list(other, null);
    // What does not support server/discover is asked in the earlier way.
    if (method === 'server/discover') assert.equal((await listed).revision, revisions.legacy);
    else await assert.rejects(listed, (error) => error instanceof McpProblem && error.kind === 'too_large');
    other.fault.handle = null;
  });

test('numbers that JavaScript cannot hold keep their digits', async () => {
  other.fault.handle = ({ message }, response) => {
    if (message?.method !== 'tools/call') return false;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      `{"jsonrpc":"2.0","id":${message.id},"result":{"content":[],"structuredContent":{"n":12345678901234567890}}}`,
    );
    return true;
  };
  const { reply } = await callUpstreamTool(peerOf(other, 'n'), revisions.legacy, request('echo'));
  assert.ok('result' in reply);
  assert.equal(JSON.stringify(reply.result.structuredContent), '{"n":12345678901234567890}');
  other.fault.handle = null;
});
