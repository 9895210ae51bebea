// Routes that need no credential: what anybody may fetch is compressed, cached, and cheap to send again; what anybody may send is small.

import assert from 'node:assert/strict';
import { get } from 'node:http';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildSite } from '../support/build-site.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';
import { startServer } from '../support/servers/start-server.ts';

buildSite();
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

const MAX_SENT_BYTES = 160 * 1024;
const DOCUMENT = /^public, max-age=[1-9]\d*$/;
/** A page loads files whose names change with the version, so it is asked for again. */
const PAGE = /^no-cache$/;
/** The documentation is compressed with gzip only: a second coding of each page would double its part of the package. */
const documents: [path: string, cache_control: RegExp, best_coding: 'br' | 'gzip'][] = [
  ['/api/v1/openapi.json', DOCUMENT, 'br'],
  ['/docs/errors', PAGE, 'gzip'],
  ['/docs/changelog', PAGE, 'gzip'],
  ['/.well-known/oauth-authorization-server', DOCUMENT, 'br'],
  ['/.well-known/oauth-protected-resource/api/v1/mcp', DOCUMENT, 'br'],
  ['/.well-known/oauth-protected-resource/mcp', DOCUMENT, 'br'],
];
const decompress = { br: brotliDecompressSync, gzip: gunzipSync };

for (const [path, cache_control, best_coding] of documents) {
  test(`${path} is sent compressed, and is the same document however it is sent`, async () => {
    const plain = await read(path);
    assert.equal(plain.status, 200);
    assert.equal(plain.headers['content-encoding'], undefined);
    for (const [accepted, coding] of [
      ['gzip, deflate, br', best_coding],
      ['gzip', 'gzip'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
    ] as const) {
      const compressed = await read(path, { 'accept-encoding': accepted });
      assert.equal(compressed.headers['content-encoding'], coding);
      assert.ok(compressed.body.length < MAX_SENT_BYTES, `${compressed.body.length} bytes`);
      assert.ok(decompress[coding](compressed.body).equals(plain.body));
    }
    const refused = await read(path, { 'accept-encoding': 'br;q=0, gzip;q=0.0' });
    assert.equal(refused.headers['content-encoding'], undefined);
  });

  test(`${path} is cached by everybody, and a client that has it gets 304 without a body`, async () => {
    const first = await read(path, { 'accept-encoding': best_coding });
    assert.match(first.headers['cache-control'] ?? '', cache_control);
    assert.equal(first.headers.vary, 'accept-encoding');
    const { etag = '' } = first.headers;
    assert.match(etag, /^"[\w-]+"$/);
    assert.notEqual((await read(path)).headers.etag, etag, 'other bytes have another tag');
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await read(path, { 'accept-encoding': best_coding, 'if-none-match': known });
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
    const response: ApiResponse = await api(method, path, { body: large });
    // An OAuth endpoint answers in the form of RFC 6749, with the status 400.
    assert.equal(response.status, path.includes('/oauth/') ? 400 : 413, `${method} ${path}: ${response.text}`);
    assert.match(response.text, /#body_too_large"/);
    if (!path.includes('/oauth/')) assert.match(response.body.error.details.remedy, /16384 bytes \(16 KiB\)/);
  }
});
