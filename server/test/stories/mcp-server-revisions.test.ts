// The revision of MCP that a server spoke is a hint. A server that moves to another one, either way, is found again by the next sync and
// by the next call, and no call is run twice.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { mcpServersOf } from '../support/make/make-mcp-server.ts';
import { execute } from '../support/make/make-tools.ts';
import { type Era, echoTool, startMcpUpstream, type UpstreamTool } from '../support/peers/mcp-upstream.ts';
import { expectRefusal } from '../support/requests/expect-refusal.ts';
import { startServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const upstream = await startMcpUpstream('modern_only');
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: upstream.address });
after(() => upstream.close());

let runs = 0;
/** Counts how often it is run, whoever answers what to whom. */
const counting: UpstreamTool = {
  ...echoTool('count'),
  run: () => {
    runs += 1;
    return { content: [{ type: 'text', text: 'counted' }] };
  },
};
beforeEach(() => {
  runs = 0;
  upstream.fault.handle = null;
  upstream.set([counting]);
});

async function ready(era: Era) {
  upstream.speak(era);
  const tenant = await makeTenant(server);
  const servers = mcpServersOf(server, tenant);
  const made = await servers.ready(upstream);
  upstream.requests.length = 0;
  return {
    call: () => execute(server, tenant.keys.write, `${made.slug}_count`),
    sync: (status = 200) => servers.sync(made.id, status),
    read: () => servers.read(made.id),
  };
}

const NAMES = { modern_only: '2026-07-28', modern: '2026-07-28', legacy: '2025-11-25' };
const moves: [from: Era, to: Era][] = [
  ['legacy', 'modern_only'],
  ['modern_only', 'legacy'],
  ['legacy', 'modern'],
  ['modern', 'legacy'],
];

for (const [from, to] of moves) {
  test(`a server that moves from ${from} to ${to} is found again by the next sync`, async () => {
    const made = await ready(from);
    assert.equal((await made.read()).revision, NAMES[from]);
    upstream.speak(to);
    const synced = await made.sync();
    assert.deepEqual([synced.status, synced.last_error], ['ok', null]);
    // One that serves both is still spoken to as before.
    assert.equal(synced.revision, to === 'modern' ? NAMES[from] : NAMES[to]);
    expectResponse(await made.call(), 200);
    assert.equal(runs, 1);
  });

  for (const isUsed of [true, false])
    test(`a call ${isUsed ? 'after others ' : ''}finds a server that moved from ${from} to ${to} before it was synced, and is run once`, async () => {
      const made = await ready(from);
      // With a session, where the revision has them.
      if (isUsed) expectResponse(await made.call(), 200);
      runs = 0;
      upstream.speak(to);
      expectResponse(await made.call(), 200);
      assert.equal(runs, 1);
      // The next one does not ask again, unless a notification about the set-up of this test has just made the server read the tool anew.
      let calls = 1;
      const asksNoMore = async () => {
        upstream.requests.length = 0;
        expectResponse(await made.call(), 200);
        calls += 1;
        return upstream.requests.length === 1;
      };
      await waitUntil(asksNoMore, 10_000, 'a call is one request');
      assert.equal(runs, calls);
      upstream.speak(from);
      expectResponse(await made.call(), 200);
      assert.equal(runs, calls + 1);
    });
}

/** The request of a call as the server got it, run, and answered like this. */
function respondToCalls(respond: (id: unknown) => { status: number; body: string } | 'close'): void {
  upstream.fault.handle = ({ message }, response) => {
    if (message?.method !== 'tools/call') return false;
    runs += 1;
    const given = respond(message.id);
    if (given === 'close') response.destroy();
    else response.writeHead(given.status, { 'content-type': 'application/json' }).end(given.body);
    return true;
  };
}

const error = (id: unknown, code: number) => JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: 'no' } });
const ambiguous: Record<string, Parameters<typeof respondToCalls>[0]> = {
  'an error that names the request, with 400': (id) => ({ status: 400, body: error(id, -32000) }),
  'an error that names the request, with 404': (id) => ({ status: 404, body: error(id, -32601) }),
  'an error that names the request, with 200': (id) => ({ status: 200, body: error(id, -32601) }),
  'status 500': () => ({ status: 500, body: '' }),
  'status 500 with an error': () => ({ status: 500, body: error(null, -32603) }),
  'a result that is not one': () => ({ status: 200, body: '{}' }),
  'a closed connection': () => 'close',
};

for (const [what, respond] of Object.entries(ambiguous))
  test(`a call that may have been run is not sent again in another revision: ${what}`, async () => {
    const made = await ready('modern_only');
    upstream.speak('legacy');
    respondToCalls(respond);
    const responded = await made.call();
    assert.ok(responded.status >= 500, responded.text);
    assert.equal(runs, 1);
  });

// A 4xx of a server that refuses a ping in the session too means that the session is lost, whatever it says.
for (const [what, respond] of Object.entries(ambiguous).filter(([what]) => !/40[04]/.test(what)))
  test(`nor is it sent again in a session of an older revision: ${what}`, async () => {
    const made = await ready('legacy');
    expectResponse(await made.call(), 200);
    runs = 0;
    upstream.speak('modern_only');
    respondToCalls(respond);
    const responded = await made.call();
    assert.ok(responded.status >= 500, responded.text);
    assert.equal(runs, 1);
  });

test('a call that the server refuses in the revision that it speaks is not sent again', async () => {
  const made = await ready('modern_only');
  respondToCalls(() => ({ status: 400, body: error(null, -32600) }));
  const { details } = expectResponse(await made.call(), 502).error;
  assert.equal(details.upstream_code, -32600);
  assert.equal(runs, 1);
  assert.deepEqual(
    upstream.requests.map(({ message }) => message.method),
    ['tools/call', 'server/discover'],
  );
});

test('a server that speaks no revision at all is refused as before, after one look at each', async () => {
  const made = await ready('modern_only');
  upstream.fault.handle = (_, response) => {
    response.writeHead(404).end();
    return true;
  };
  const { details } = expectResponse(await made.call(), 502).error;
  assert.equal(details.upstream_status, 404);
  assert.deepEqual(
    upstream.requests.map(({ message }) => message.method),
    ['tools/call', 'server/discover', 'initialize'],
  );
  upstream.requests.length = 0;
  await made.sync(502);
  const { status, revision } = await made.read();
  assert.deepEqual([status, revision], ['unreachable', NAMES.modern_only]);
});

test('an unauthorized server is not asked for its revision', async () => {
  const made = await ready('legacy');
  upstream.fault.handle = (_, response) => {
    response.writeHead(401).end();
    return true;
  };
  assert.equal(expectRefusal(await made.call(), 502).code, 'UPSTREAM_UNAUTHORIZED');
  await made.sync(502);
  assert.ok(upstream.requests.every(({ message }) => message?.method !== 'server/discover'));
});
