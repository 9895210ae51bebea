// What the client sends, and what it makes of the answers.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { inspect } from 'node:util';
import * as sdk from '../src/index.ts';
import { API_KEY, errorBody, fakeApi } from './fake-api.ts';

const { Toolgate } = sdk;
const classes = { ...sdk };

test('baseUrl may end with a slash, have a path and end with /api/v1', async () => {
  for (const [baseUrl, wanted] of [
    ['http://a.test', 'http://a.test/api/v1/projects'],
    ['http://a.test/', 'http://a.test/api/v1/projects'],
    ['https://a.test:8443/tools/', 'https://a.test:8443/tools/api/v1/projects'],
    ['https://a.test/api/v1', 'https://a.test/api/v1/projects'],
  ]) {
    const { toolgate, asked } = fakeApi([], { baseUrl: baseUrl as string });
    await toolgate.projects.list();
    assert.equal(asked[0]?.url.href, wanted);
  }
});

test('with apiKey null no Authorization is sent: the browser adds its cookie', async () => {
  const { toolgate, asked } = fakeApi([], { apiKey: null });
  await toolgate.projects.list();
  assert.equal(asked[0]?.headers.has('authorization'), false);
  const withKey = fakeApi();
  await withKey.toolgate.projects.list();
  assert.equal(withKey.asked[0]?.headers.get('authorization'), `Bearer ${API_KEY}`);
});

test('options that cannot work are refused at once, without showing the key', () => {
  const options = { apiKey: API_KEY, baseUrl: 'http://a.test' };
  const wrong = [
    { apiKey: '' },
    { apiKey: `${API_KEY}\n` },
    { apiKey: undefined },
    { baseUrl: '' },
    { baseUrl: 'a.test' },
    { baseUrl: 'ftp://a.test' },
    { baseUrl: 'http://user:password@a.test' },
    { baseUrl: 'http://a.test/?x=1' },
    { maxRetries: -1 },
    { maxRetries: 1.5 },
    { timeoutMs: 0 },
    { timeoutMs: Infinity },
  ];
  for (const change of wrong)
    assert.throws(
      () => new Toolgate({ ...options, ...change } as any),
      (error: any) => error instanceof TypeError && !inspect(error).includes(API_KEY),
      inspect(change),
    );
});

test('the project is in the path, or in X-Project-Id where the path names none', async () => {
  const { toolgate, asked } = fakeApi();
  await toolgate.integrations.list();
  await toolgate.customTools.list();
  await toolgate.projects.list();
  const seen = asked.map(({ url, headers }) => [url.pathname, headers.get('x-project-id')]);
  assert.deepEqual(seen, [
    ['/api/v1/projects/prj_1/integrations', null],
    ['/api/v1/custom-tools', 'prj_1'],
    ['/api/v1/projects', null],
  ]);
  for (const { headers } of asked) assert.equal(headers.get('authorization'), `Bearer ${API_KEY}`);
});

test('without projectId a call that needs it rejects and says so, and nothing is sent', async () => {
  const { toolgate, asked } = fakeApi([], { projectId: undefined });
  await assert.rejects(toolgate.integrations.get('int_1'), /projectId is missing/);
  await assert.rejects(toolgate.integrations.list(), /projectId is missing/);
  assert.equal(asked.length, 0);
  await toolgate.customTools.list();
  assert.equal(asked[0]?.headers.get('x-project-id'), null);
});

test('an id stays one segment of the path', async () => {
  for (const id of ['a/b', '../projects', 'x?limit=1', 'x#y', '%2e%2e/projects', 'ü']) {
    const { toolgate, asked } = fakeApi([{ body: {} }]);
    await toolgate.customTools.get(id);
    assert.equal(asked[0]?.url.href, `http://toolgate.test/api/v1/custom-tools/${encodeURIComponent(id)}`);
  }
  for (const id of ['', '.', '..', undefined, null, {}] as any[]) {
    const { toolgate, asked } = fakeApi();
    await assert.rejects(toolgate.customTools.get(id), TypeError);
    assert.equal(asked.length, 0);
  }
});

test('filters become the query, undefined ones are left out', async () => {
  const { toolgate, asked } = fakeApi();
  await toolgate.customTools.list({ limit: 7, cursor: 'a+b/=', is_enabled: false, search: undefined as any });
  assert.deepEqual(
    [...(asked[0]?.url.searchParams ?? [])],
    [
      ['limit', '7'],
      ['cursor', 'a+b/='],
      ['is_enabled', 'false'],
    ],
  );
});

test('every call that creates has an Idempotency-Key of its own, or the one that is given', async () => {
  const { toolgate, asked } = fakeApi();
  await toolgate.integrations.create({ name: 'x' });
  await toolgate.integrations.create({ name: 'x' });
  await toolgate.integrations.create({ name: 'x' }, { idempotencyKey: 'mine' });
  await toolgate.customTools.execute('x');
  await toolgate.integrations.list();
  const keys = asked.map(({ headers }) => headers.get('idempotency-key'));
  assert.match(`${keys[0]}`, /^[0-9a-f]{32}$/);
  assert.equal(new Set(keys).size, 5);
  assert.deepEqual([keys[2], keys[4]], ['mine', null]);
});

test('a list is a page, and iterates over all pages; a page is asked for only when it is needed', async () => {
  const pages = () => [
    { body: { data: [1, 2], has_more: true, next_cursor: 'c1' } },
    { body: { data: [3], has_more: true, next_cursor: 'c2' } },
    { body: { data: [4], has_more: false, next_cursor: null } },
  ];
  const { toolgate, asked } = fakeApi(pages());
  const page = await toolgate.events.list({ limit: 2 });
  assert.deepEqual([page.data, page.hasMore, page.nextCursor, asked.length], [[1, 2], true, 'c1', 1]);
  const entries: unknown[] = [];
  for await (const entry of page) entries.push(entry);
  assert.deepEqual(entries, [1, 2, 3, 4]);
  assert.deepEqual(
    asked.map(({ url }) => url.search),
    ['?limit=2', '?limit=2&cursor=c1', '?limit=2&cursor=c2'],
  );

  const second = fakeApi(pages());
  for await (const entry of second.toolgate.events.list()) if (Number(entry) === 3) break;
  assert.equal(second.asked.length, 2);
});

test('each status has its class, with status, code, request id, link and details', async () => {
  const cases: [number, string, keyof typeof classes][] = [
    [400, 'X', 'ValidationError'],
    [401, 'X', 'AuthenticationError'],
    [403, 'X', 'PermissionError'],
    [404, 'X', 'NotFoundError'],
    [409, 'X', 'ConflictError'],
    [409, 'CONFIRMATION_REQUIRED', 'ConfirmationRequiredError'],
    [418, 'X', 'ToolgateError'],
    [422, 'X', 'ValidationError'],
    [429, 'X', 'RateLimitError'],
    [500, 'INTERNAL_ERROR', 'ServerError'],
    [500, 'TOOL_CALL_FAILED', 'UpstreamError'],
    [502, 'X', 'UpstreamError'],
    [503, 'X', 'ServerError'],
    [302, 'X', 'ToolgateError'],
  ];
  for (const [status, code, name] of cases) {
    const headers = { 'retry-after': '7' };
    const { toolgate } = fakeApi([{ status, headers, body: errorBody(code, { field: 'f' }) }], { maxRetries: 0 });
    await assert.rejects(toolgate.events.get('evt_1'), (error: any) => {
      assert.equal(error.constructor, classes[name]);
      assert.ok(error instanceof sdk.ToolgateError && error instanceof Error);
      assert.deepEqual(
        [error.name, error.status, error.code, error.requestId, error.details, error.retryAfterSeconds, error.message],
        [name, status, code, 'req_1', { field: 'f' }, 7, `message of ${code}`],
      );
      assert.equal(error.docsUrl, `https://tools.example.com/docs/errors#${code.toLowerCase()}`);
      return `${error.stack}`.startsWith(`${name}: `);
    });
  }
});

test('an error has the remedy of its details, or the one beside them where they are empty', async () => {
  const bare = errorBody('INVALID_API_KEY');
  Object.assign(bare.error, { remedy: 'Send an active API key.' });
  const steps = [
    { status: 401, body: bare },
    { status: 422, body: errorBody('X', { remedy: 'Correct it.' }) },
    { status: 422, body: errorBody('X') },
  ];
  const { toolgate } = fakeApi(steps, { maxRetries: 0 });
  for (const remedy of ['Send an active API key.', 'Correct it.', null])
    await assert.rejects(toolgate.events.get('evt_1'), { remedy });
});

test('an answer that is not from the API is an error with its status', async () => {
  const html = { headers: { 'content-type': 'text/html' }, body: '<html>Bad gateway</html>' };
  const { toolgate } = fakeApi([{ ...html, status: 502 }, { body: '{"object":"li' }, { body: 'null', status: 500 }], {
    maxRetries: 0,
  });
  await assert.rejects(toolgate.events.get('evt_1'), { status: 502, code: null, details: {} });
  await assert.rejects(toolgate.events.get('evt_1'), { status: 200, message: 'The response is not JSON' });
  await assert.rejects(toolgate.events.get('evt_1'), { status: 500, code: null });
});

test('a redirect is not followed: the key goes to baseUrl only', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url}`);
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  after(() => server.close());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { toolgate } = fakeApi([], { baseUrl, fetch: globalThis.fetch });
  await assert.rejects(toolgate.events.get('evt_1'), /redirect: is baseUrl right/);
  assert.deepEqual(asked, ['/api/v1/projects/prj_1/events/evt_1']);
});

test('the API key is in no error, no printed client and no JSON, also if the answer or the network repeats it', async () => {
  for (const apiKey of [API_KEY, 'root"key\\with-characters-that-JSON-escapes']) await assertNeverShown(apiKey);
});

async function assertNeverShown(apiKey: string): Promise<void> {
  const echo = errorBody(apiKey, { value: `Bearer ${apiKey}` });
  const broken = new TypeError(`fetch failed for Bearer ${apiKey}`, { cause: new Error(`cause ${apiKey}`) });
  const { toolgate } = fakeApi([{ status: 422, body: echo }, broken, 'hang'], { apiKey, maxRetries: 0, timeoutMs: 20 });
  const shown: unknown[] = [toolgate, toolgate.projects];
  for (const wanted of [sdk.ValidationError, sdk.ConnectionError, sdk.TimeoutError])
    await assert.rejects(toolgate.events.get('evt_1'), (error) => {
      shown.push(error);
      return error instanceof wanted;
    });
  for (const value of shown) {
    const text = `${inspect(value, { showHidden: true, depth: 12 })}${JSON.stringify(value)}${(value as Error).stack}`;
    for (const secret of [apiKey, JSON.stringify(apiKey).slice(1, -1)]) assert.ok(!text.includes(secret), text);
  }
}
