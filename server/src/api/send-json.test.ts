import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import Fastify from 'fastify';
import { sendJson } from './send-json.ts';

const allowance = { limit: 100, remaining: 7, reset_seconds: 12, resets_at: 1_800_000_000 };
const server = Fastify({ genReqId: () => 'req_1' });
server.decorateRequest('allowance', null);
server.get<{ Querystring: { text: string; wait?: string } }>('/', async ({ query }, reply) => {
  reply.request.allowance = query.text === 'uncounted' ? null : allowance;
  if (query.text === 'stopping') reply.raw.setHeader('Connection', 'close'); // as Fastify does then
  if (query.wait) await setTimeout(Number(query.wait));
  return sendJson(reply, JSON.stringify(query.text));
});
await server.listen({ host: '127.0.0.1', port: 0 });
after(() => server.close());

type Answer = { start: string; headers: Record<string, string>; body: string };

/** Sends the bytes, and reads until so many answers have come or the connection has ended. */
async function exchange(requests: string[], answers: number): Promise<{ answers: Answer[]; isEnded: boolean }> {
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  let isEnded = false;
  let bytes = Buffer.alloc(0);
  socket.once('end', () => {
    isEnded = true;
  });
  socket.write(requests.join(''));
  const read: Answer[] = [];
  while (read.length < answers && !isEnded) {
    await Promise.race([
      once(socket, 'data').then(([part]) => (bytes = Buffer.concat([bytes, part]))),
      once(socket, 'end'),
    ]);
    for (let answer = readAnswer(bytes); answer; answer = readAnswer(bytes)) {
      bytes = bytes.subarray(answer.length);
      read.push(answer);
    }
  }
  // A connection that is closed behind its answer is closed by now.
  await setTimeout(20);
  socket.destroy();
  assert.equal(bytes.length, 0, 'nothing but answers');
  return { answers: read, isEnded };
}

function readAnswer(bytes: Buffer): (Answer & { length: number }) | null {
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

test('the head has the headers of every answer and those that node:http would have added', async () => {
  const { answers, isEnded } = await exchange([ask('yes')], 1);
  const [{ start, headers, body } = assert.fail()] = answers;
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
  assert.equal(isEnded, false);
});

test('where nothing was counted, nothing is said of limits', async () => {
  const { answers } = await exchange([ask('uncounted')], 1);
  assert.deepEqual(
    Object.keys(answers[0]?.headers ?? {}).filter((name) => name.includes('ratelimit')),
    [],
  );
});

test('the length is that of the bytes', async () => {
  const { answers } = await exchange([ask('grüße €'), ask('after')], 2);
  assert.deepEqual(
    answers.map(({ body }) => body),
    ['"grüße €"', '"after"'],
  );
});

test('requests that come together are answered in their order', async () => {
  const { answers } = await exchange([ask('slow').replace('slow', 'slow&wait=50'), ask('fast'), ask('last')], 3);
  assert.deepEqual(
    answers.map(({ body }) => body),
    ['"slow"', '"fast"', '"last"'],
  );
});

test('who asks for the connection to be closed gets that', async () => {
  const { answers, isEnded } = await exchange([ask('bye', 'connection: close\r\n')], 1);
  assert.equal(answers[0]?.headers.connection, 'close');
  assert.equal(answers[0]?.body, '"bye"');
  assert.ok(isEnded);
});

test('a connection that Fastify wants closed, because the server is stopping, is closed', async () => {
  const { answers, isEnded } = await exchange([ask('stopping')], 1);
  assert.equal(answers[0]?.headers.connection, 'close');
  assert.equal(answers[0]?.body, '"stopping"');
  assert.ok(isEnded);
});
