import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { ConnectionError, ServerError, TimeoutError, ToolgateError } from '../src/errors.ts';
import { backoff, parseRetryAfter, type Repetition, retryDelay } from '../src/retry.ts';
import { errorBody, fakeApi, type Step } from './fake-api.ts';

/** Soon enough for a test; the delays themselves are checked on retryDelay. */
const soon = { 'retry-after': '0' };
const failing = (status: number): Step => ({ status, headers: soon, body: errorBody('X') });

const methods = {
  get: (toolgate: ReturnType<typeof fakeApi>['toolgate']) => toolgate.integrations.get('int_1'),
  create: (toolgate: ReturnType<typeof fakeApi>['toolgate']) => toolgate.integrations.create({ name: 'x' }),
  update: (toolgate: ReturnType<typeof fakeApi>['toolgate']) => toolgate.integrations.update('int_1', { name: 'x' }),
  revoke: (toolgate: ReturnType<typeof fakeApi>['toolgate']) => toolgate.apiKeys.revoke('key_1'),
  execute: (toolgate: ReturnType<typeof fakeApi>['toolgate']) => toolgate.customTools.execute('x', { n: 1 }),
  session: (toolgate: ReturnType<typeof fakeApi>['toolgate']) =>
    toolgate.memberSessions.create({ memberAssertion: 'x' }),
  redeliver: (toolgate: ReturnType<typeof fakeApi>['toolgate']) =>
    toolgate.webhooks.deliveries.redeliver('wh_1', 'dlv_1'),
};
const all = Object.keys(methods) as (keyof typeof methods)[];
const idempotent = all.filter((name) => !['execute', 'session', 'redeliver'].includes(name));

const retried: Record<number, string[]> = {
  400: [],
  401: [],
  403: [],
  404: [],
  409: [],
  422: [],
  429: all,
  500: idempotent,
  502: idempotent,
  503: all,
  504: [...idempotent, 'execute'],
};

for (const [status, names] of Object.entries(retried)) {
  test(`${status} is tried again for: ${names.join(', ') || 'none'}`, async () => {
    for (const name of all) {
      const { toolgate, asked } = fakeApi([failing(Number(status)), { body: { id: 'x' } }]);
      const result = await methods[name](toolgate).catch((error: ToolgateError) => error.status);
      const wanted = names.includes(name) ? [2, { id: 'x' }] : [1, Number(status)];
      assert.deepEqual([asked.length, result], wanted, name);
    }
  });
}

test('a connection error is tried again, unless the request must be sent only once', async () => {
  const once = ['session', 'redeliver'];
  await Promise.all(
    all.map(async (name) => {
      const { toolgate, asked } = fakeApi([new TypeError('fetch failed'), { body: { id: 'x' } }]);
      const result = await methods[name](toolgate).catch((error: Error) => error.constructor);
      const wanted = once.includes(name) ? [1, ConnectionError] : [2, { id: 'x' }];
      assert.deepEqual([asked.length, result], wanted, name);
    }),
  );
});

test('all attempts of a call have the same Idempotency-Key and body', async () => {
  const { toolgate, asked } = fakeApi([failing(500), failing(503), { body: { id: 'x' } }]);
  await toolgate.integrations.create({ name: 'x' });
  assert.equal(asked.length, 3);
  assert.equal(new Set(asked.map(({ headers }) => headers.get('idempotency-key'))).size, 1);
  assert.deepEqual(
    asked.map(({ body }) => body),
    Array(3).fill('{"name":"x"}'),
  );
});

test('there are maxRetries attempts after the first, 2 by default; then the last error is thrown', async () => {
  for (const [maxRetries, attempts] of [
    [undefined, 3],
    [0, 1],
    [1, 2],
  ] as const) {
    const { toolgate, asked } = fakeApi(Array(9).fill(failing(503)), { maxRetries });
    await assert.rejects(toolgate.integrations.list(), (error) => error instanceof ServerError && error.status === 503);
    assert.equal(asked.length, attempts);
  }
});

test('a question that took the server too long is not asked again', async () => {
  const body = errorBody('SERVICE_UNAVAILABLE', { reason: 'read_took_too_long' });
  const { toolgate, asked } = fakeApi([{ status: 503, headers: soon, body }, { body: {} }]);
  await assert.rejects(toolgate.analytics.get(), ServerError);
  assert.equal(asked.length, 1);
});

test('Retry-After is waited for, with jitter, and above 60 s it is not', () => {
  const delay = (retryAfterSeconds: number | null, status = 429, repetition: Repetition = 'once') =>
    retryDelay(new ToolgateError({ message: '', status, retryAfterSeconds }), repetition, 0);
  for (let i = 0; i < 100; i += 1) {
    const ms = delay(3) ?? 0;
    assert.ok(ms >= 3000 && ms <= 3250, `${ms}`);
  }
  assert.ok((delay(60) ?? 0) >= 60_000);
  assert.equal(delay(61), null);
  assert.equal(delay(61, 503), null);
  assert.equal(delay(null, 500), null);
});

test('without Retry-After the delay doubles up to 8 s, and up to half of it is random', () => {
  for (const [retries, longest] of [
    [0, 500],
    [1, 1000],
    [2, 2000],
    [9, 8000],
  ] as const) {
    const delays = Array.from({ length: 200 }, () => backoff(retries));
    assert.ok(delays.every((ms) => ms >= longest / 2 && ms <= longest));
    assert.ok(new Set(delays).size > 100);
  }
});

test('Retry-After is read in seconds and as a date', () => {
  assert.equal(parseRetryAfter('12'), 12);
  assert.equal(parseRetryAfter(null), null);
  assert.equal(parseRetryAfter('soon'), null);
  const seconds = parseRetryAfter(new Date(Date.now() + 30_000).toUTCString()) ?? 0;
  assert.ok(seconds > 20 && seconds <= 31, `${seconds}`);
  assert.equal(parseRetryAfter(new Date(0).toUTCString()), 0);
});

test('a timeout is a TimeoutError and is not tried again, also if fetch ignores its signal', async () => {
  const { toolgate, asked } = fakeApi(['hang', 'hang'], { timeoutMs: 30 });
  await assert.rejects(toolgate.integrations.list(), (error: any) => {
    assert.ok(error instanceof TimeoutError && !(error instanceof ConnectionError));
    return error.message === 'No response within 30 ms' && error.status === null;
  });
  assert.equal(asked.length, 1);
});

test('a body that does not end in time is a TimeoutError too', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"id":');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { toolgate } = fakeApi([], { baseUrl, fetch: globalThis.fetch, timeoutMs: 200 });
  await assert.rejects(toolgate.events.get('evt_1'), TimeoutError);
});

test('an abort ends a request and a wait between two attempts with the reason of the signal', async () => {
  const wait: Step = { status: 503, headers: { 'retry-after': '50' }, body: errorBody('X') };
  for (const step of ['hang', wait] as const) {
    const { toolgate, asked } = fakeApi([step, step]);
    const controller = new AbortController();
    const reason = new Error('no longer needed');
    const call = toolgate.events.get('evt_1', { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 50);
    await assert.rejects(call, (error) => error === reason);
    assert.equal(asked.length, 1);
  }
  const { toolgate, asked } = fakeApi();
  await assert.rejects(toolgate.events.get('evt_1', { signal: AbortSignal.abort() }), { name: 'AbortError' });
  assert.equal(asked.length, 0);
});
