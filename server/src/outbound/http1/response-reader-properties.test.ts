// Answers as fast-check makes them: decent ones, and the same with a few bytes changed where it hurts.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { byteByByte, bytesOf, type Outcome, readResponse } from '../../../test/read-response.ts';

/** What the origin answers next. */
let wire: Buffer = Buffer.alloc(0);
const origin = createServer((socket) => {
  socket.on('error', () => {}).once('data', () => socket.end(wire));
});
await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
const { port } = origin.address() as AddressInfo;
after(() => origin.close());

/** What Node's own client makes of these bytes, before the other side closes. */
function readWithNode(bytes: Buffer, method: string): Promise<{ status: number; body: string } | 'refused'> {
  wire = bytes;
  return new Promise((resolve) => {
    const refuse = () => resolve('refused');
    const asked = request({ host: '127.0.0.1', port, method, agent: false, insecureHTTPParser: false }, (answer) => {
      let body = '';
      answer.setEncoding('latin1').on('error', refuse);
      answer.on('data', (part: string) => {
        body += part;
      });
      answer.on('end', () => resolve(answer.complete ? { status: answer.statusCode ?? 0, body } : 'refused'));
    });
    asked
      .on('error', refuse)
      .on('upgrade', (_answer, socket) => {
        socket.destroy();
        refuse();
      })
      .end();
  });
}

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
const decent = fc
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
  .map(({ interims, status, reason, before, framed: { field: framing, data }, after: behind }) =>
    bytesOf(`${interims.join('')}HTTP/1.1 ${status}${reason}\r\n${lines([...before, framing, ...behind])}\r\n${data}`),
  );
const SPLINTERS = [
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
const splinter = fc.constantFrom(...SPLINTERS, ...FIELDS.map((line) => `\r\n${line}`));
const change = fc.tuple(fc.nat(), fc.nat({ max: 2 }), fc.oneof(fc.constant(''), splinter));
const damaged = fc.tuple(decent, fc.array(change, { minLength: 1, maxLength: 3 })).map(([bytes, changes]) => {
  let changed = bytes.toString('latin1');
  for (const [place, removed, added] of changes) {
    const at = place % (changed.length + 1);
    changed = changed.slice(0, at) + added + changed.slice(at + removed);
  }
  return bytesOf(changed);
});
const method = fc.constantFrom('GET', 'GET', 'HEAD');

test('however the bytes are split, the answer is the same', () => {
  fc.assert(
    fc.property(fc.oneof(decent, damaged), method, fc.array(fc.nat(), { maxLength: 8 }), (bytes, asked, cuts) => {
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
      const parts = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
      const whole = withoutCount(readResponse([bytes], asked));
      assert.deepEqual(
        withoutCount(
          readResponse(
            parts.filter(({ length }) => length > 0),
            asked,
          ),
        ),
        whole,
      );
      assert.deepEqual(withoutCount(readResponse(byteByByte(bytes), asked)), whole);
    }),
    { numRuns: 500 },
  );
});

test('a decent answer is read, and just as Node reads it', async () => {
  await fc.assert(
    fc.asyncProperty(decent, method, async (bytes, asked) => {
      assert.notEqual(readResponse([bytes], asked), 'refused');
      await isReadAlike(bytes, asked);
    }),
    { numRuns: 300 },
  );
});

test('a damaged answer that is read all the same is read just as Node reads it', async () => {
  await fc.assert(fc.asyncProperty(damaged, method, isReadAlike), { numRuns: 1_000 });
});

/** What we refuse, Node may read. It gets what we took: what follows an answer is not part of it. */
async function isReadAlike(bytes: Buffer, asked: string): Promise<void> {
  const ours = readResponse(byteByByte(bytes), asked);
  if (ours === 'refused') return;
  const { status, body, bytes_taken } = ours;
  assert.deepEqual(await readWithNode(bytes.subarray(0, bytes_taken), asked), { status, body });
}

function withoutCount(outcome: Outcome): unknown {
  return outcome === 'refused' ? outcome : { ...outcome, bytes_taken: null };
}
