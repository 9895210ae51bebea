import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { mcpServersOf } from '../support/make/make-mcp-server.ts';
import { execute } from '../support/make/make-tools.ts';
import {
  breaking,
  type Handle,
  json,
  nothingIsOpen,
  result,
  stream,
  withoutEnd,
} from '../support/peers/bad-mcp-responses.ts';
import { echoTool, startMcpUpstream } from '../support/peers/mcp-upstream.ts';
import { startServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const upstreams = { '2026-07-28': await startMcpUpstream('modern'), '2025-11-25': await startMcpUpstream('legacy') };
const all = Object.values(upstreams);
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: all.map(({ address }) => address).join(',') });
after(() => Promise.all(all.map((upstream) => upstream.close())));

const MEGABYTE = 'y'.repeat(2 ** 20);
const LOST = 'UPSTREAM_CONNECTION';

/** What a server does to a request, and what comes of it. */
const faults: [title: string, code: string, handle: Handle][] = [
  ['never answers', 'TOOL_TIMED_OUT', () => {}],
  ['sends headers and nothing more', 'TOOL_TIMED_OUT', (_, response) => void stream(response, ': wait\n\n')],
  ['breaks the connection off', LOST, (_, response) => void response.socket?.destroy()],
  [
    'breaks a stream off',
    LOST,
    (_, response) => stream(response, 'data: {"jsonrpc":').write('"2.0"', () => response.socket?.destroy()),
  ],
  ['ends a stream in the middle of an event', LOST, (_, response) => stream(response, 'data: {"jsonrpc"').end()],
  ['answers with the id of another request', LOST, ({ id }, response) => json(response, result(id + 1))],
  ['answers with the id as text', LOST, ({ id }, response) => json(response, result(String(id)))],
  ['answers without an id', LOST, (_, response) => json(response, result(undefined))],
  [
    'streams answers to other requests only',
    LOST,
    ({ id }, response) => stream(response, result(id - 1), result(id + 1), result(null)).end(),
  ],
  [
    'sends JSON that is not UTF-8',
    LOST,
    ({ id }, response) => json(response, Buffer.from(JSON.stringify(result(id, '\xff')), 'latin1')),
  ],
  [
    'streams what is not UTF-8',
    LOST,
    ({ id }, response) => {
      stream(response).end(Buffer.from(`data: ${JSON.stringify(result(id, '\xff'))}\n\n`, 'latin1'));
    },
  ],
  ['answers with JSON that ends early', LOST, (_, response) => json(response, '{"jsonrpc":"2.0",')],
  ['answers with something else', LOST, (_, response) => json(response, '"hello"')],
  ['nests without end', LOST, (_, response) => json(response, '['.repeat(100_000))],
  ['sends an event without end', 'RESULT_TOO_LARGE', (_, response) => withoutEnd(response, 'data: ', MEGABYTE)],
  ['sends comments without end', 'RESULT_TOO_LARGE', (_, response) => withoutEnd(response, ':', `${MEGABYTE}\n:`)],
  ['sends JSON without end', 'RESULT_TOO_LARGE', (_, response) => withoutEnd(response, '{"a":"', MEGABYTE)],
  [
    'answers with 50 MB at once',
    'RESULT_TOO_LARGE',
    ({ id }, response) => json(response, result(id, 'z'.repeat(50 * 2 ** 20))),
  ],
  ['answers with status 500', 'UPSTREAM_STATUS', (_, response) => void response.writeHead(500).end('secret text')],
  ['redirects', 'UPSTREAM_STATUS', (_, response) => void response.writeHead(307, { location: '/other' }).end()],
];

for (const [revision, upstream] of Object.entries(upstreams))
  describe(`a server of ${revision}`, () => {
    const ready = makeTenant(server).then(async (tenant) => {
      upstream.set([echoTool('echo')]);
      const servers = mcpServersOf(server, tenant);
      const made = await servers.ready(upstream, { slug: 'bad' });
      const hurried = await servers.ready(upstream, { slug: 'hurried', timeout_ms: 1_000 });
      const call = (slug = 'bad') => execute(server, tenant.keys.read, `${slug}_echo`);
      return { servers, made, hurried, tenant, call };
    });

    for (const [title, code, handle] of faults)
      test(`that ${title} is ${code} for its calls and its sync, and nothing stays open`, async () => {
        const { servers, call, ...made } = await ready;
        const { id, slug } = code === 'TOOL_TIMED_OUT' ? made.hurried : made.made;
        const status = code === 'TOOL_TIMED_OUT' ? 500 : 502;
        breaking(upstream, 'tools/call', handle);
        const { error } = expectResponse(await call(slug), status);
        assert.equal(error.code, code);
        assert.equal(JSON.stringify(error).includes('secret text'), false);
        breaking(upstream, 'tools/list', handle);
        const sessions = upstream.sessions.size;
        assert.equal((await servers.sync(id, status)).error.code, code);
        assert.equal((await servers.read(id)).status, 'unreachable');
        await nothingIsOpen(upstream);
        await waitUntil(async () => upstream.sessions.size <= sessions, 20_000, 'the session of the sync has ended');
        upstream.fault.handle = null;
        expectResponse(await call(), 200);
        assert.equal((await servers.sync(id)).status, 'ok');
      });

    test('that gives pages without end is refused, by the same cursor at once', async () => {
      const { servers, made } = await ready;
      let pages = 0;
      const page = (nextCursor: () => string) =>
        breaking(upstream, 'tools/list', ({ id }, response) => {
          pages += 1;
          json(response, { ...result(id), result: { ...result(id).result, tools: [], nextCursor: nextCursor() } });
        });
      page(() => 'again');
      assert.equal((await servers.sync(made.id, 502)).error.code, LOST);
      assert.ok(pages <= 4, `${pages} pages`);
      page(() => `page ${pages % 7}`);
      assert.equal((await servers.sync(made.id, 502)).error.code, 'RESULT_TOO_LARGE');
      assert.ok(pages < 1_000, `${pages} pages`);
      upstream.fault.handle = null;
      const { status, tool_count } = await servers.sync(made.id);
      assert.deepEqual([status, tool_count], ['ok', 1]);
    });

    test('that has 10,000 tools can have 1,000 of them approved, and one with 10,001 none', async () => {
      const { tenant } = await ready;
      const servers = mcpServersOf(server, tenant);
      const many = Array.from({ length: 10_000 }, (_, index) => echoTool(`t${index}`, { description: 'One of many' }));
      upstream.set(many);
      const made = await servers.make(upstream, { slug: `many${revision.slice(0, 4)}` });
      assert.equal((await servers.sync(made.id)).pending_count, 10_000);
      assert.equal((await servers.approve(made.id, undefined, 409)).error.code, 'LIMIT_REACHED');
      const names = many.slice(0, 1_000).map(({ definition }) => definition.name);
      assert.equal((await servers.approve(made.id, { tool_names: names })).tool_count, 1_000);
      const next = { tool_names: ['t5000'] };
      assert.equal((await servers.approve(made.id, next, 409)).error.details.reason, 'too_many_server_tools');
      assert.equal((await servers.read(made.id)).tool_count, 1_000);
      upstream.set([...many, echoTool('one_more')]);
      assert.equal((await servers.sync(made.id, 502)).error.code, 'RESULT_TOO_LARGE');
      upstream.set([echoTool('echo')]);
    });

    test('that changes a tool between list and call gets the call as it was approved, and answers for itself', async () => {
      const { servers, made, call } = await ready;
      upstream.set([]);
      const { error } = expectResponse(await call(), 502);
      assert.equal(error.code, 'UPSTREAM_ERROR');
      const other = echoTool('echo', { inputSchema: { type: 'object', required: ['account'] } });
      upstream.set([{ ...other, run: () => ({ isError: true, content: [{ type: 'text', text: 'No account' }] }) }]);
      assert.equal(expectResponse(await call(), 502).error.code, 'TOOL_FAILED_UPSTREAM');
      await servers.sync(made.id);
      assert.equal(expectResponse(await call(), 409).error.code, 'TOOL_CHANGED_UPSTREAM');
      upstream.set([echoTool('echo')]);
      await servers.sync(made.id);
      expectResponse(await call(), 200);
    });

    test('that answers with NUL and half characters breaks nothing', async () => {
      const { call } = await ready;
      breaking(upstream, 'tools/call', ({ id }, response) =>
        json(response, JSON.stringify(result(id)).replace('"text":"x"', '"text":"\\u0000\\ud800"')),
      );
      assert.equal(expectResponse(await call(), 200).body[0].text, '\u0000\ud800');
      upstream.fault.handle = null;
    });
  });
