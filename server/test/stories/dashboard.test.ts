// How the dashboard is served: which requests get a page, under which policy, and how files are cached.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from '../support/servers/start-server.ts';

const server = await startServer({ TOOLGATE_DASHBOARD: 'on' });
const off = await startServer();

const navigation = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'sec-fetch-mode': 'navigate' };
const get = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(server.url + path, { redirect: 'manual', ...init, headers });

const PAGES = [
  '/',
  '/setup',
  '/sign-in',
  '/invitation',
  '/account',
  '/people',
  '/projects/prj_1',
  '/projects/prj_1/api-keys',
];

test('every page of the dashboard is the same document, for every Accept', async () => {
  for (const path of PAGES) {
    for (const headers of [navigation, { accept: '*/*' }]) {
      const response = await get(path, headers);
      assert.equal(response.status, 200, path);
      assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.match(await response.text(), /<div id="root">/);
    }
  }
});

test('the policy of a page allows nothing but its own origin, and no frame', async () => {
  const { headers } = await get('/', navigation);
  const policy = headers.get('content-security-policy') ?? '';
  for (const directive of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ])
    assert.ok(policy.split('; ').includes(directive), directive);
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('x-frame-options'), 'DENY');
});

test('a page has no inline script or style, and loads nothing from elsewhere', async () => {
  const text = await (await get('/', navigation)).text();
  assert.doesNotMatch(text, /<script(?![^>]*\bsrc=)|<style|\bon\w+=|style="|https?:\/\//);
});

test('browsers are told to stay with HTTPS if people reach the server by it, and only then', async () => {
  const secure = await startServer({ TOOLGATE_DASHBOARD: 'on', TOOLGATE_PUBLIC_URL: 'https://tools.example.com' });
  for (const path of [
    '/',
    '/docs',
    '/docs/errors',
    '/nothing',
    '/api/v1/openapi.json',
    '/api/v1/projects',
    '/theme.js',
  ]) {
    const response = await fetch(secure.url + path, { headers: navigation });
    assert.equal(response.headers.get('strict-transport-security'), 'max-age=31536000', path);
    assert.equal((await get(path, navigation)).headers.get('strict-transport-security'), null, path);
  }
});

test('a path of the API answers JSON, also to a browser that navigates', async () => {
  for (const path of ['/api/v1/nothing', '/api/nothing', '/.well-known/nothing']) {
    const response = await get(path, navigation);
    assert.equal(response.status, 404, path);
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  }
  assert.equal((await get('/api/v1/projects', navigation)).status, 401);
});

test('an unknown path is a page with 404 for a navigation, and the error of the API for everybody else', async () => {
  const page = await get('/nothing', navigation);
  assert.equal(page.status, 404);
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(page.headers.get('vary') ?? '', /accept\b/);
  assert.ok(page.headers.get('content-security-policy'));
  const others: [headers: Record<string, string>, init: RequestInit][] = [
    [{}, {}],
    [{ accept: 'application/json' }, {}],
    [{ ...navigation, authorization: 'Bearer x' }, {}],
    [navigation, { method: 'POST' }],
  ];
  for (const [headers, init] of others) {
    const response = await get('/nothing', headers, init);
    assert.equal(response.status, 404);
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
    assert.match(response.headers.get('vary') ?? '', /accept\b/);
  }
});

test('a file with a hash in its name is cached for ever, and a page is asked for again', async () => {
  const page = await get('/', navigation);
  assert.equal(page.headers.get('cache-control'), 'no-cache');
  const [, script = ''] = /<script type="module"[^>]* src="([^"]+)"/.exec(await page.text()) ?? [];
  assert.match(script, /^\/assets\/[\w-]+\.js$/);
  const file = await get(script);
  assert.equal(file.status, 200);
  assert.equal(file.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  assert.equal(file.headers.get('content-type'), 'text/javascript; charset=utf-8');

  const unchanged = await get('/', { ...navigation, 'if-none-match': page.headers.get('etag') ?? '' });
  assert.equal(unchanged.status, 304);
  assert.equal(await unchanged.text(), '');
});

test('text is sent compressed as the client accepts it', async () => {
  for (const [accepted, sent] of [
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ] as const) {
    const response = await get('/theme.js', { 'accept-encoding': accepted });
    assert.equal(response.headers.get('content-encoding'), sent);
    assert.equal(response.headers.get('vary'), 'accept-encoding');
    assert.match(await response.text(), /dataset\.theme/);
  }
});

test('only files of the build are served', async () => {
  for (const path of ['/assets/../../package.json', '/assets/%2e%2e/index.html', '/assets/nothing.js', '/assets/']) {
    const response = await get(path);
    assert.equal(response.status, 404, path);
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  }
});

test('HEAD has the headers of GET, and other methods are 405', async () => {
  const head = await get('/', navigation, { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.ok(head.headers.get('etag'));
  assert.equal((await get('/', {}, { method: 'POST' })).status, 405);
});

test('with TOOLGATE_DASHBOARD=off there is no page of it, and the first page is the documentation', async () => {
  const first = await fetch(off.url, { headers: navigation, redirect: 'manual' });
  assert.deepEqual([first.status, first.headers.get('location')], [302, '/docs']);
  for (const path of ['/nothing', '/assets/x.js', '/account']) {
    const response = await fetch(off.url + path, { headers: navigation });
    assert.equal(response.status, 404, path);
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  }
});
