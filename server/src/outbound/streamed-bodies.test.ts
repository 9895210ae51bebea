import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { parseAllowList } from './allow-list.ts';
import { type OutboundRequest, type ReceiveBody, SendError } from './messages.ts';
import { createSend } from './send.ts';

const MIB = 1 << 20;
const closing: (() => unknown)[] = [];
after(async () => {
  for (const close of closing) await close();
});

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function askOf(respond: RequestListener, fields: Partial<OutboundRequest>) {
  const server = createServer(respond);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const send = createSend({ allow: parseAllowList(origin).allowed });
  closing.push(
    () => send.close(),
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return send({
    ...{ origin, path: '/', method: 'POST', headers: {}, isolation_key: 'prj_a' },
    ...{ timeout_ms: 10_000, max_response_bytes: MIB, ...fields },
  });
}

/** In parts, so that it is never whole. */
async function* inParts(bytes: Buffer, size = 64 * 1024) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const bodyOf = (bytes: Buffer, length = bytes.length) => ({ length, read: () => inParts(bytes) });

const hashRequest: RequestListener = (request, response) => {
  const hash = createHash('sha256');
  request.on('data', (part: Buffer) => hash.update(part));
  request.on('end', () => response.end(`${request.headers['content-length']} ${hash.digest('hex')}`));
};

test('a streamed body arrives as it was, with its length', async () => {
  const bytes = randomBytes(3 * MIB + 7);
  const { body } = await askOf(hashRequest, { body: bodyOf(bytes) });
  assert.equal(body.toString(), `${bytes.length} ${sha256(bytes)}`);
});

test('a streamed body that is shorter or longer than it was said to be fails the call', async () => {
  const bytes = randomBytes(1_000);
  for (const length of [999, 1_001])
    await assert.rejects(
      askOf(hashRequest, { body: bodyOf(bytes, length) }),
      (error) => error instanceof SendError && error.kind === 'invalid',
    );
});

test('a body that cannot be read to its end fails the call', async () => {
  async function* broken() {
    yield Buffer.alloc(10);
    throw new Error('the file is gone');
  }
  const sent = askOf(hashRequest, { body: { length: 20, read: broken } });
  await assert.rejects(sent, (error) => error instanceof SendError && error.kind === 'invalid');
});

test('a response that comes before its request was read ends the call, and the rest of the request is not sent', async () => {
  const closed = Promise.withResolvers<void>();
  const bytes = randomBytes(20 * MIB);
  async function* read() {
    try {
      yield* inParts(bytes);
    } finally {
      closed.resolve();
    }
  }
  const { status } = await askOf((_, response) => response.writeHead(413).end(), {
    body: { length: bytes.length, read },
  });
  assert.equal(status, 413);
  await closed.promise;
});

/** Keeps what it receives. */
function receiver(): { parts: Buffer[]; receive: ReceiveBody } {
  const parts: Buffer[] = [];
  return {
    parts,
    receive: async (body) => {
      for await (const part of body) parts.push(part);
    },
  };
}

test('a response that is longer than the limit goes to its receiver as a whole, decoded, and one that is not stays in memory', async () => {
  const long = randomBytes(4 * MIB);
  const repeated = Buffer.alloc(3 * MIB, 'abc');
  for (const [sent, encoding] of [
    [long, undefined],
    [gzipSync(long), 'gzip'],
    // Short as it is sent, and longer than the limit decoded.
    [gzipSync(repeated), 'gzip'],
  ] as const) {
    const { parts, receive } = receiver();
    const response = await askOf((_, to) => to.writeHead(200, encoding && { 'content-encoding': encoding }).end(sent), {
      overflow: () => receive,
    });
    const expected = parts.length > 0 && encoding && sent.length < MIB ? repeated : long;
    assert.equal(sha256(Buffer.concat(parts)), sha256(expected));
    assert.deepEqual([response.body.length, response.truncated], [0, false]);
  }
  const { parts, receive } = receiver();
  const short = await askOf((_, to) => to.end(long.subarray(0, MIB)), { overflow: () => receive });
  assert.deepEqual([short.body.length, short.truncated, parts.length], [MIB, false, 0]);
});

test('a response that nothing receives is truncated', async () => {
  const response = await askOf((_, to) => to.end(Buffer.alloc(2 * MIB)), { overflow: () => null });
  assert.deepEqual([response.body.length, response.truncated], [MIB, true]);
});

test('a receiver that stops fails the call with its error', async () => {
  const stop = new Error('enough');
  const receive: ReceiveBody = async (body) => {
    for await (const _ of body) throw stop;
  };
  const sent = askOf((_, to) => to.end(Buffer.alloc(8 * MIB)), { overflow: () => receive });
  await assert.rejects(sent, stop);
});

test('the timeout of the call holds for a receiver of a response that has arrived completely', async () => {
  const storing = Promise.withResolvers<void>();
  const receive: ReceiveBody = async (body) => {
    for await (const _ of body) await storing.promise;
  };
  const sent = askOf(
    (_, to) => to.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(8 * MIB))),
    { overflow: () => receive, timeout_ms: 300 },
  );
  await assert.rejects(sent, (error) => error instanceof SendError && error.kind === 'timeout');
  storing.resolve();
});

test('a receiver gets an error when the response is not complete, is undecodable, or takes too long', async () => {
  const cases: [RequestListener, string][] = [
    [
      (_, to) => to.writeHead(200, { 'content-length': 3 * MIB }).write(Buffer.alloc(2 * MIB), () => to.destroy()),
      'connection',
    ],
    [(_, to) => to.writeHead(200, { 'content-encoding': 'gzip' }).end(randomBytes(2 * MIB)), 'connection'],
    [(_, to) => to.writeHead(200, { 'content-length': 3 * MIB }).write(Buffer.alloc(2 * MIB)), 'timeout'],
  ];
  for (const [respond, kind] of cases) {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const receive: ReceiveBody = async (body) => {
      try {
        for await (const _ of body);
      } catch (error) {
        resolve(error);
        throw error;
      }
    };
    const sent = askOf(respond, { overflow: () => receive, timeout_ms: 2_000 });
    await assert.rejects(sent, (error) => error instanceof SendError && error.kind === kind);
    assert.ok((await promise) instanceof Error);
  }
});
