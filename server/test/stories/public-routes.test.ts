// Routes that need no credential: what anybody may fetch is compressed, cached, and cheap to send again; what anybody may send is small.

import assert from 'node:assert/strict';
import { get } from 'node:http';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Answer } from '../call-api.ts';
import { startServer } from '../start-server.ts';

const server = await startServer();
const { api } = server;

type Response = { status: number; headers: Record<string, string | undefined>; body: Buffer };

/** fetch() would decompress the body. */
const read = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  new Promise((resolve, reject) => {
    get(`${server.url}${path}`, { headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const received = response.headers as Record<string, string | undefined>;
        resolve({ status: response.statusCode ?? 0, headers: received, body: Buffer.concat(parts) });
      });
    }).on('error', reject);
  });

const MAX_SENT_BYTES = 128 * 1024;
const documents = [
  '/api/v1/openapi.json',
  '/docs/errors',
  '/docs/changelog',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource/api/v1/mcp',
  '/.well-known/oauth-protected-resource/mcp',
];

for (const path of documents) {
  test(`${path} is sent compressed, and is the same document however it is sent`, async () => {
    const plain = await read(path);
    assert.equal(plain.status, 200);
    assert.equal(plain.headers['content-encoding'], undefined);
    for (const [accepted, coding, decompress] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ] as const) {
      const compressed = await read(path, { 'accept-encoding': accepted });
      assert.equal(compressed.headers['content-encoding'], coding);
      assert.ok(compressed.body.length < MAX_SENT_BYTES, `${compressed.body.length} bytes`);
      assert.ok(decompress(compressed.body).equals(plain.body));
    }
    const refused = await read(path, { 'accept-encoding': 'br;q=0, gzip;q=0.0' });
    assert.equal(refused.headers['content-encoding'], undefined);
  });

  test(`${path} is cached by everybody, and a client that has it gets 304 without a body`, async () => {
    const first = await read(path, { 'accept-encoding': 'br' });
    assert.match(first.headers['cache-control'] ?? '', /^public, max-age=[1-9]\d*$/);
    assert.equal(first.headers.vary, 'accept-encoding');
    const { etag = '' } = first.headers;
    assert.match(etag, /^"[\w-]+"$/);
    assert.notEqual((await read(path)).headers.etag, etag, 'other bytes have another tag');
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await read(path, { 'accept-encoding': 'br', 'if-none-match': known });
      assert.deepEqual([again.status, again.body.length, again.headers.etag], [304, 0, etag]);
    }
    assert.equal((await read(path, { 'if-none-match': '"other"' })).status, 200);
  });
}

test('a body of more than 16 KiB is refused by every route that needs no credential, and is not parsed', async () => {
  const { paths } = (await api('GET', '/openapi.json')).body as {
    paths: Record<string, Record<string, { security?: unknown[] }>>;
  };
  const open = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { security }]) =>
      method !== 'get' && security?.length === 0 ? [[method.toUpperCase(), path] as const] : [],
    ),
  );
  assert.ok(open.length >= 6, 'hardly any route was found');
  const large = JSON.stringify({ token: 'x'.repeat(16 * 1024) });
  for (const [method, path] of open) {
    const answer: Answer = await api(method, path, { body: large });
    // An OAuth endpoint answers in the form of RFC 6749, with the status 400.
    assert.equal(answer.status, path.includes('/oauth/') ? 400 : 413, `${method} ${path}: ${answer.text}`);
    assert.match(answer.text, /#body_too_large"/);
    if (!path.includes('/oauth/')) assert.match(answer.body.error.details.remedy, /16384 bytes \(16 KiB\)/);
  }
});
