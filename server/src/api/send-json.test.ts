import assert from 'node:assert/strict';
import { on, once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { after, test } from 'node:test';
import Fastify from 'fastify';
import { sendJson } from './send-json.ts';

const rate_limit = { limit: 100, remaining: 7, reset_seconds: 12, resets_at: 1_800_000_000 };
const server = Fastify({ genReqId: () => 'req_1' });
server.decorateRequest('rate_limit', null);
server.decorate('is_stopping', false);
/** A request with one of these texts waits: `received` resolves when it has arrived, `resume` lets it continue. */
const paused = { slow: pause(), late: pause() };
server.get<{ Querystring: { text: string } }>('/', async ({ query: { text } }, reply) => {
  reply.request.rate_limit = text === 'uncounted' ? null : rate_limit;
  if (text === 'slow' || text === 'late') {
    paused[text].received.resolve();
    await paused[text].resume.promise;
  }
  if (text === 'last') paused.slow.resume.resolve();
  return sendJson(reply, [JSON.stringify(text)]);
});
/** More than the buffers of a connection hold: the rest is written when the client has read. */
const MANY_BYTES = 16 * 1024 * 1024;
const large = Buffer.alloc(MANY_BYTES, 'x');
server.get<{ Querystring: { cached: string } }>('/large', ({ query: { cached } }, reply) => {
  reply.raw.once('close', () => setImmediate(large_sent.resolve));
  sendJson(reply, ['"', large, '"'], cached === 'true');
});
let large_sent = Promise.withResolvers<void>();
await server.listen({ host: '127.0.0.1', port: 0 });
after(() => server.close());

type Response = { start: string; headers: Record<string, string>; body: string };

function pause() {
  return { received: Promise.withResolvers<void>(), resume: Promise.withResolvers<void>() };
}

/** Sends all requests over one connection and reads as many responses; `until_end` then waits for the connection to end. */
async function exchange(requests: string[], { until_end = false } = {}): Promise<Response[]> {
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  const ended = once(socket, 'end');
  socket.write(requests.join(''));
  const responses: Response[] = [];
  let bytes = Buffer.alloc(0);
  for await (const [part] of on(socket, 'data') as AsyncIterable<[Buffer]>) {
    bytes = Buffer.concat([bytes, part]);
    for (let response = readResponse(bytes); response; response = readResponse(bytes)) {
      bytes = bytes.subarray(response.length);
      responses.push(response);
    }
    if (responses.length === requests.length) break;
  }
  assert.equal(bytes.length, 0, 'no bytes besides the responses');
  if (until_end) await ended;
  socket.destroy();
  return responses;
}

function readResponse(bytes: Buffer): (Response & { length: number }) | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const [start = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const length = end + 4 + Number(headers['content-length']);
  return bytes.length < length ? null : { start, headers, body: bytes.toString('utf8', end + 4, length), length };
}

const ask = (text: string, more = '') => `GET /?text=${encodeURIComponent(text)} HTTP/1.1\r\nhost: x\r\n${more}\r\n`;

test('the response has the common headers and those that node:http adds', async () => {
  const [{ start, headers, body } = assert.fail()] = await exchange([ask('yes')]);
  const { date = '', ...rest } = headers;
  assert.equal(start, 'HTTP/1.1 200 OK');
  assert.equal(body, '"yes"');
  assert.ok(Math.abs(Date.parse(date) - Date.now()) < 5_000 && date.endsWith(' GMT'), date);
  assert.deepEqual(rest, {
    'x-request-id': 'req_1',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'ratelimit-policy': '"hourly";q=100;w=3600',
    ratelimit: '"hourly";r=7;t=12',
    'x-ratelimit-limit': '100',
    'x-ratelimit-remaining': '7',
    'x-ratelimit-reset': '1800000000',
    'content-type': 'application/json; charset=utf-8',
    'content-length': '5',
    connection: 'keep-alive',
    'keep-alive': `timeout=${server.server.keepAliveTimeout / 1000}`,
  });
});

test('a request that is not counted gets no rate limit headers', async () => {
  const [{ headers } = assert.fail()] = await exchange([ask('uncounted')]);
  assert.equal(headers['x-request-id'], 'req_1');
  assert.ok(!Object.keys(headers).some((name) => name.includes('ratelimit')));
});

test('Content-Length counts bytes, not characters', async () => {
  const responses = await exchange([ask('grüße €'), ask('after')]);
  assert.deepEqual(
    responses.map(({ body }) => body),
    ['"grüße €"', '"after"'],
  );
});

test('pipelined requests are answered in order', async () => {
  const responses = await exchange([ask('slow'), ask('fast'), ask('last')]);
  assert.deepEqual(
    responses.map(({ body }) => body),
    ['"slow"', '"fast"', '"last"'],
  );
});

test('the memory of a large part is freed when all of it is sent, and not before, unless it is cached', async () => {
  const { port } = server.server.address() as AddressInfo;
  for (const cached of [true, true, false]) {
    large_sent = Promise.withResolvers();
    const text = await (await fetch(`http://127.0.0.1:${port}/large?cached=${cached}`)).text();
    assert.ok(text === `"${'x'.repeat(MANY_BYTES)}"`);
    await large_sent.promise;
    assert.equal(large.byteLength, cached ? MANY_BYTES : 0);
  }
});

test('a request with Connection: close gets its connection closed', async () => {
  const [response] = await exchange([ask('bye', 'connection: close\r\n')], { until_end: true });
  assert.equal(response?.headers.connection, 'close');
  assert.equal(response?.body, '"bye"');
});

test('a response sent while the server stops closes its connection', async () => {
  const exchanged = exchange([ask('late')], { until_end: true });
  await paused.late.received.promise;
  server.is_stopping = true;
  const closing = server.close();
  paused.late.resume.resolve();
  const [response] = await exchanged;
  assert.equal(response?.headers.connection, 'close');
  assert.equal(response?.body, '"late"');
  await closing;
});
