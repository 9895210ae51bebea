// Clients that disconnect before they have a response: no error of the server, neither in its log nor in its metrics.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { makeTenant } from '../support/make/make.ts';
import { readMetrics, sumOf } from '../support/requests/read-metrics.ts';
import { startProcess } from '../support/servers/start-process.ts';
import { ROOT_KEY } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const server = await startProcess({ TOOLGATE_ROOT_KEY: ROOT_KEY, TOOLGATE_LOG_LEVEL: 'debug' });
const { id, keys } = await makeTenant(server, { plan: 'enterprise' });
const REQUESTS = 'toolgate_http_requests_total';
const CLIENTS = 6;

const head = (path: string, length: string) =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${keys.admin}\r\ncontent-type: application/json\r\n${length}\r\n\r\n`;

/** Each has sent a part of its body. */
const unfinished: [what: string, route: string, text: string][] = [
  [
    'a body of known length',
    '/api/v1/projects/:project_id/api-keys',
    head(`/api/v1/projects/${id}/api-keys`, 'content-length: 99'),
  ],
  ['a chunked body', '/api/v1/custom-tools', head('/api/v1/custom-tools', 'transfer-encoding: chunked')],
  ['a message of MCP', '/api/v1/mcp', head('/api/v1/mcp', 'content-length: 99')],
  ['a request for a token', '/api/v1/oauth/token', head('/api/v1/oauth/token', 'content-length: 99')],
  ['a sign-in', '/api/v1/account/sign-in', head('/api/v1/account/sign-in', 'content-length: 99')],
];

const lines = () =>
  server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map(
      (line) => JSON.parse(line) as { level: string; route?: string; status?: number; reason?: string; code?: string },
    );

const counted = async (labels: string) => sumOf(await readMetrics(server, ROOT_KEY), REQUESTS, labels);

/** Sends the text, and disconnects when the server has received it. */
async function leave(text: string, how: 'destroy' | 'resetAndDestroy'): Promise<void> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => {});
  await new Promise((resolve) => socket.write(text, resolve));
  // A request on another connection: when it is answered, the server has read this one.
  await fetch(`${server.url}/healthz`);
  socket[how]();
}

for (const [what, route, text] of unfinished) {
  test(`a client that disconnects while it sends ${what} is a debug line and a 499, not an error`, async () => {
    const labels = `method="POST",route="${route}",status="499"`;
    const before = await counted(labels);
    for (let i = 0; i < CLIENTS; i += 1) await leave(`${text}{"na`, i % 2 === 0 ? 'destroy' : 'resetAndDestroy');
    await waitUntil(async () => (await counted(labels)) === before + CLIENTS, 60_000, 'all are counted');
    const left = () => lines().filter((line) => line.route === route && line.status === 499);
    await waitUntil(async () => left().length === CLIENTS, 60_000, 'all are logged');
    for (const { level, reason } of left()) assert.deepEqual([level, reason], ['debug', 'caller_gone']);
  });
}

test('a client that leaves a stream has had its status', async () => {
  const route = '/api/v1/projects/:project_id/tool-calls/stream';
  const labels = `method="GET",route="${route}",status="200"`;
  const controller = new AbortController();
  const stream = await fetch(`${server.url}/api/v1/projects/${id}/tool-calls/stream`, {
    headers: { authorization: `Bearer ${keys.admin}` },
    signal: controller.signal,
  });
  assert.equal(stream.status, 200);
  controller.abort();
  await waitUntil(async () => (await counted(labels)) === 1, 60_000, 'the stream is counted');
});

test('none of these clients made the server log an error or count a 5xx', async () => {
  assert.deepEqual(
    lines().filter(({ level, code }) => level === 'error' || code === 'SERVICE_UNAVAILABLE'),
    [],
  );
  const metrics = await readMetrics(server, ROOT_KEY);
  assert.deepEqual(
    [...metrics.keys()].filter((series) => series.startsWith(REQUESTS) && /status="5/.test(series)),
    [],
  );
});
