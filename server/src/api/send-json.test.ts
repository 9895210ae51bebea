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
/** A request with one of these texts waits; `asked` tells that it is there, `go` lets it go on. */
const held = { slow: hold(), late: hold() };
server.get<{ Querystring: { text: string } }>('/', async ({ query: { text } }, reply) => {
  reply.request.rate_limit = text === 'uncounted' ? null : rate_limit;
  if (text === 'slow' || text === 'late') {
    held[text].asked.resolve();
    await held[text].go.promise;
  }
  if (text === 'last') held.slow.go.resolve();
  return sendJson(reply, JSON.stringify(text));
});
await server.listen({ host: '127.0.0.1', port: 0 });
after(() => server.close());

type Answer = { start: string; headers: Record<string, string>; body: string };

function hold() {
  return { asked: Promise.withResolvers<void>(), go: Promise.withResolvers<void>() };
}

/** Sends the requests at once over one connection and reads so many answers; `until_end` then waits for the connection to end. */
async function exchange(requests: string[], { until_end = false } = {}): Promise<Answer[]> {
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  const ended = once(socket, 'end');
  socket.write(requests.join(''));
  const answers: Answer[] = [];
  let bytes = Buffer.alloc(0);
  for await (const [part] of on(socket, 'data') as AsyncIterable<[Buffer]>) {
    bytes = Buffer.concat([bytes, part]);
    for (let answer = readAnswer(bytes); answer; answer = readAnswer(bytes)) {
      bytes = bytes.subarray(answer.length);
      answers.push(answer);
    }
    if (answers.length === requests.length) break;
  }
  assert.equal(bytes.length, 0, 'nothing but answers');
  if (until_end) await ended;
  socket.destroy();
  return answers;
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

test('where nothing was counted, nothing is said of limits', async () => {
  const [{ headers } = assert.fail()] = await exchange([ask('uncounted')]);
  assert.equal(headers['x-request-id'], 'req_1');
  assert.ok(!Object.keys(headers).some((name) => name.includes('ratelimit')));
});

test('the length is that of the bytes', async () => {
  const answers = await exchange([ask('grüße €'), ask('after')]);
  assert.deepEqual(
    answers.map(({ body }) => body),
    ['"grüße €"', '"after"'],
  );
});

test('requests that come together are answered in their order', async () => {
  const answers = await exchange([ask('slow'), ask('fast'), ask('last')]);
  assert.deepEqual(
    answers.map(({ body }) => body),
    ['"slow"', '"fast"', '"last"'],
  );
});

test('who asks for the connection to be closed gets that', async () => {
  const [answer] = await exchange([ask('bye', 'connection: close\r\n')], { until_end: true });
  assert.equal(answer?.headers.connection, 'close');
  assert.equal(answer?.body, '"bye"');
});

test('an answer that is under way when the server stops closes its connection', async () => {
  const asked = exchange([ask('late')], { until_end: true });
  await held.late.asked.promise;
  server.is_stopping = true;
  const closing = server.close();
  held.late.go.resolve();
  const [answer] = await asked;
  assert.equal(answer?.headers.connection, 'close');
  assert.equal(answer?.body, '"late"');
  await closing;
});
