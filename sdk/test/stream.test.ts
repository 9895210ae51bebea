// toolCalls.stream against a real HTTP server that breaks off as a test says.

import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { AuthenticationError, ConnectionError } from '../src/errors.ts';
import { errorBody, fakeApi } from './fake-api.ts';

type Step = (response: ServerResponse) => unknown;

async function serve(...steps: Step[]) {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    const step = steps.shift();
    if (step) step(response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  after(stop);
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { asked, toolgate: fakeApi([], { baseUrl, fetch: globalThis.fetch }).toolgate };
}

const begin = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' });
const event = (id: string) => `event: tool_call\nid: ${id}\ndata: {"id":"${id}","tool_name":"Zürich 🐝"}\n\n`;

/** Sends the text in parts of a few bytes, so that no part is whole characters or whole events. */
async function drip(response: ServerResponse, text: string) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 5) {
    response.write(bytes.subarray(at, at + 5));
    await new Promise(setImmediate);
  }
}

test('yields every call, and continues after the last one when the connection ends or breaks', async () => {
  const { toolgate, asked } = await serve(
    (response) => drip(begin(response), `: comment\n\n${event('call_1')}${event('call_2')}`).then(() => response.end()),
    (response) => drip(begin(response), `${event('call_3')}id: call_4\ndata: {"id"`).then(() => response.destroy()),
    (response) => response.writeHead(503, { 'retry-after': '0' }).end(JSON.stringify(errorBody('SERVICE_UNAVAILABLE'))),
    (response) => begin(response).write(event('call_4')),
  );
  const seen: string[] = [];
  for await (const call of toolgate.toolCalls.stream({ outcome: 'failed' }, { lastEventId: 'call_0' })) {
    assert.equal(call.tool_name, 'Zürich 🐝');
    seen.push(call.id);
    if (seen.length === 4) break;
  }
  assert.deepEqual(seen, ['call_1', 'call_2', 'call_3', 'call_4']);
  assert.deepEqual(
    asked.map(({ headers }) => headers['last-event-id']),
    ['call_0', 'call_2', 'call_3', 'call_3'],
  );
  assert.ok(asked.every(({ url }) => url === '/api/v1/projects/prj_1/tool-calls/stream?outcome=failed'));
});

test('a refusal is thrown, also when it comes while connecting again', async () => {
  const refuse: Step = (response) => response.writeHead(401).end(JSON.stringify(errorBody('INVALID_API_KEY')));
  const open: Step = (response) => begin(response).end(event('call_1'));
  for (const steps of [[refuse], [open, refuse]]) {
    const { toolgate } = await serve(...steps);
    const calls = toolgate.toolCalls.stream();
    for (const _ of steps.slice(1)) await calls.next();
    await assert.rejects(calls.next(), AuthenticationError);
  }
});

test('a server that cannot be reached at first is a ConnectionError', async () => {
  const { toolgate } = fakeApi([new TypeError('fetch failed')], { maxRetries: 0 });
  await assert.rejects(toolgate.toolCalls.stream().next(), ConnectionError);
});

test('leaving the loop or aborting closes the connection', async () => {
  const closed: Promise<void>[] = [];
  const open: Step = (response) => {
    closed.push(new Promise((done) => response.on('close', done)));
    begin(response).write(event('call_1'));
  };
  const { toolgate } = await serve(open, open);
  for await (const _ of toolgate.toolCalls.stream()) break;
  const controller = new AbortController();
  const calls = toolgate.toolCalls.stream({}, { signal: controller.signal });
  await calls.next();
  const next = calls.next();
  controller.abort();
  await assert.rejects(next, { name: 'AbortError' });
  await Promise.all(closed);
});
