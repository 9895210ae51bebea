// Generated responses: valid ones, the same with a few bytes changed, and odd ones. What our reader accepts, Node's HTTP client
// must read as the same message; what our reader refuses, Node may accept.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { oddResponse } from '../../../test/support/peers/odd-responses.ts';
import { useSeed } from '../../../test/support/property-seed.ts';
import { byteByByte, bytesOf, readResponse } from '../../../test/support/requests/read-response.ts';
import { startNodeReader } from '../../../test/support/requests/read-with-node.ts';

useSeed();
const node = await startNodeReader();
after(() => node.close());

const token = fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,8}$/).map((name) => `x${name}`);
const text = fc.stringMatching(/^[\t\x20-\x7e\x80-\xff]{0,12}$/);
const field = fc.oneof(
  fc.tuple(token, fc.constantFrom(':', ': ', ':\t '), text).map((parts) => parts.join('')),
  fc.constantFrom('Connection: close', 'connection: keep-alive, upgrade', 'keep-alive: timeout=7', 'content-type: a/b'),
);
const lines = (parts: readonly string[]) => parts.map((part) => `${part}\r\n`).join('');
const interim = fc
  .tuple(fc.constantFrom(100, 102, 103, 199), fc.array(token, { maxLength: 2 }))
  .map(([status, names]) => `HTTP/1.1 ${status} x\r\n${lines(names.map((name) => `${name}: y`))}\r\n`);
const body = fc.oneof(
  fc.uint8Array({ maxLength: 20 }).map((data) => Buffer.from(data).toString('latin1')),
  fc.constantFrom('HTTP/1.1 200 OK\r\n\r\n', '0\r\n\r\n'),
);
const extension = fc.oneof(
  fc.constant(''),
  token.map((name) => `;${name}`),
  fc
    .tuple(token, fc.oneof(token, fc.constantFrom('""', '"a b;"', '"\\"\xe4"')))
    .map(([name, value]) => `;${name}=${value}`),
);
const chunk = fc
  .tuple(fc.nat({ max: 3 }), extension, body)
  .map(([zeros, more, data]) => `${'0'.repeat(zeros)}${data.length.toString(16)}${more}\r\n${data}\r\n`)
  .filter((line) => !/^0+[;\r]/.test(line));
const framed = fc.oneof(
  body.map((data) => ({ field: `Content-Length:${data.length}`, data })),
  fc
    .tuple(
      fc.array(chunk, { maxLength: 3 }),
      extension,
      fc.array(
        token.map((name) => `${name}: z`),
        { maxLength: 2 },
      ),
    )
    .map(([chunks, more, trailer]) => ({
      field: 'Transfer-Encoding: CHUNKED',
      data: `${chunks.join('')}0${more}\r\n${lines(trailer)}\r\n`,
    })),
  body.map((data) => ({ field: 'x: until close', data })),
);
const valid = fc
  .record({
    interims: fc.array(interim, { maxLength: 2 }),
    status: fc.oneof(fc.constantFrom(200, 204, 304, 404, 500), fc.integer({ min: 200, max: 999 })),
    reason: fc.oneof(
      fc.constant(''),
      text.map((words) => ` ${words}`),
    ),
    before: fc.array(field, { maxLength: 3 }),
    framed,
    after: fc.array(field, { maxLength: 3 }),
  })
  .map(({ interims, status, reason, before, framed: { field: framing, data }, after: last }) =>
    bytesOf(`${interims.join('')}HTTP/1.1 ${status}${reason}\r\n${lines([...before, framing, ...last])}\r\n${data}`),
  );
const INSERTED_TEXTS = [
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  '\0',
  ' ',
  '\t',
  '\xa0',
  '\x7f',
  ':',
  ';',
  ',',
  '"',
  '0',
  '1',
  'f',
  '+',
  '-',
  '=',
  'HTTP/1.0',
];
const FIELDS = ['content-length: 1', 'transfer-encoding: chunked', 'connection: close', ' x', 'content-length: 1, 1'];
const inserted = fc.constantFrom(...INSERTED_TEXTS, ...FIELDS.map((line) => `\r\n${line}`));
const change = fc.tuple(fc.nat(), fc.nat({ max: 2 }), fc.oneof(fc.constant(''), inserted));
const changed = fc.tuple(valid, fc.array(change, { minLength: 1, maxLength: 3 })).map(([bytes, changes]) => {
  let result = bytes.toString('latin1');
  for (const [place, removed, added] of changes) {
    const at = place % (result.length + 1);
    result = result.slice(0, at) + added + result.slice(at + removed);
  }
  return bytesOf(result);
});
const odd = oddResponse.map(bytesOf);
const method = fc.constantFrom('GET', 'GET', 'HEAD');

test('however the bytes are split, the response is the same', () => {
  const any = fc.oneof(valid, changed, odd);
  fc.assert(
    fc.property(any, method, fc.array(fc.nat(), { maxLength: 8 }), (bytes, asked, cuts) => {
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
      const parts = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
      const nonEmpty = parts.filter(({ length }) => length > 0);
      const whole = withoutCount(readResponse([bytes], asked));
      assert.deepEqual(withoutCount(readResponse(nonEmpty, asked)), whole);
      assert.deepEqual(withoutCount(readResponse(byteByByte(bytes), asked)), whole);
    }),
    { numRuns: 500 },
  );
});

test('a valid response is accepted, and Node reads it as the same message', async () => {
  await fc.assert(
    fc.asyncProperty(valid, method, async (bytes, asked) => {
      assert.notEqual(readResponse([bytes], asked), 'refused');
      await checkAgainstNode(bytes, asked);
    }),
    { numRuns: 300 },
  );
});

test('a valid response with a few bytes changed is refused, or Node reads it as the same message', async () => {
  await fc.assert(fc.asyncProperty(changed, method, checkAgainstNode), { numRuns: 1_000 });
});

test('an odd response is refused, or Node reads it as the same message', async () => {
  await fc.assert(fc.asyncProperty(odd, method, checkAgainstNode), { numRuns: 2_000 });
});

/**
 * Node gets the bytes that our reader consumed: what follows is not part of the response. Where our reader keeps the
 * connection, Node must keep it, too, and must need no more bytes.
 */
async function checkAgainstNode(bytes: Buffer, asked: string): Promise<void> {
  const ours = readResponse(byteByByte(bytes), asked);
  if (ours === 'refused') return;
  const { bytes_taken, keep_alive_ms, ...message } = ours;
  const is_reused = keep_alive_ms > 0;
  const theirs = await node.read(bytes.subarray(0, bytes_taken), asked, is_reused);
  assert.deepEqual(theirs === 'refused' ? theirs : withAllHeaders(theirs), withAllHeaders({ ...message, is_reused }));
}

function withAllHeaders<T extends { headers: Record<string, string | undefined> }>(message: T) {
  const names = ['content-type', 'retry-after', 'cache-control', 'content-encoding'];
  return { ...message, headers: names.map((name) => message.headers[name]) };
}

function withoutCount(outcome: ReturnType<typeof readResponse>): unknown {
  return outcome === 'refused' ? outcome : { ...outcome, bytes_taken: null };
}
