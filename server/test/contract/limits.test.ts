// Spec 8 and contract 1, 4: how many requests an hour, who is counted together, and what the answers say about it.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { requestsPerHour } from '@toolgate/contract/projects/plans.ts';
import { expectResponse, makeKey, makeProject, makeTenant } from '../support/make/make.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

// Calls from 127.0.0.1 may say which address they come from.
const server = await startServer({ TOOLGATE_TRUSTED_PROXIES: '127.0.0.1' });
const { api } = server;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

// Each test begins with an hour in which nothing was counted.
beforeEach(() => server.advance(HOUR_MS));

async function burst(key: string, many: number): Promise<ApiResponse[]> {
  const responses: ApiResponse[] = [];
  while (responses.length < many) {
    const next = Math.min(20, many - responses.length);
    responses.push(...(await Promise.all(Array.from({ length: next }, () => api('GET', '/projects', { key })))));
  }
  return responses;
}

const statuses = (responses: ApiResponse[]) => ({
  passed: responses.filter(({ status }) => status === 200).length,
  stopped: responses.filter(({ status }) => status === 429).length,
});
const header = (response: ApiResponse, name: string) => response.headers.get(name);

test('free: 100 requests an hour pass and the 101st is 429', async () => {
  const { keys } = await makeTenant(server, { plan: 'free' });
  assert.deepEqual(statuses(await burst(keys.read, 100)), { passed: 100, stopped: 0 });
  const refused = await api('GET', '/projects', { key: keys.read });
  expectResponse(refused, 429, 'Rate limit exceeded');
  assert.match(refused.body.error.details.remedy, /Settings → Plan/, 'it says where the limit is changed');
});

test('pro: 1,000 requests an hour pass and the 1,001st is 429', async () => {
  const { keys } = await makeTenant(server, { plan: 'pro' });
  assert.deepEqual(statuses(await burst(keys.read, 1000)), { passed: 1000, stopped: 0 });
  expectResponse(await api('GET', '/projects', { key: keys.read }), 429, 'Rate limit exceeded');
});

test('enterprise: exactly its own number passes', async () => {
  const { keys } = await makeTenant(server, { plan: 'enterprise', requests_per_hour: 7 });
  assert.deepEqual(statuses(await burst(keys.read, 10)), { passed: 7, stopped: 3 });
});

test('enterprise has 100,000 by default; requests_per_hour of another plan changes nothing', () => {
  assert.equal(requestsPerHour({ plan: 'enterprise', requests_per_hour: null }), 100_000);
  assert.equal(requestsPerHour({ plan: 'free', requests_per_hour: 5000 }), 100);
  assert.equal(requestsPerHour({ plan: 'pro', requests_per_hour: 5 }), 1000);
});

test('a new project is on the free plan', async () => {
  const project = expectResponse(await api('POST', '/projects', { key: ROOT_KEY, body: { name: 'new' } }), 201);
  assert.equal(project.plan, 'free');
});

test('a request sent Retry-After seconds later passes, and only as many as have become free', async () => {
  const { keys } = await makeTenant(server, { plan: 'enterprise', requests_per_hour: 2 });
  await burst(keys.read, 1);
  server.advance(20 * MINUTE_MS);
  await burst(keys.read, 1);
  const refused = await api('GET', '/projects', { key: keys.read });
  const seconds = Number(header(refused, 'retry-after'));
  assert.ok(Number.isInteger(seconds) && seconds > 2399 - 60 && seconds <= 2400, `Retry-After ${seconds}`);

  // Two seconds short: the real clock that runs during this test does not make up for them.
  server.advance((seconds - 2) * 1000);
  const early = await api('GET', '/projects', { key: keys.read });
  expectResponse(early, 429);
  server.advance(Number(header(early, 'retry-after')) * 1000);
  expectResponse(await api('GET', '/projects', { key: keys.read }), 200);
  expectResponse(await api('GET', '/projects', { key: keys.read }), 429);
});

test('Retry-After is exact to the second: never more than 3600, and one millisecond less is too early', async (t) => {
  const { keys } = await makeTenant(server, { plan: 'enterprise', requests_per_hour: 1 });
  const clock = { now: server.app.now() }; // stands still
  t.mock.method(server.app, 'now', () => clock.now);
  expectResponse(await api('GET', '/projects', { key: keys.read }), 200);
  const refused = await api('GET', '/projects', { key: keys.read });
  assert.equal(header(refused, 'retry-after'), '3600');
  clock.now += 3_600_000 - 1;
  expectResponse(await api('GET', '/projects', { key: keys.read }), 429);
  clock.now += 1;
  expectResponse(await api('GET', '/projects', { key: keys.read }), 200);
});

test('many keys of a project share one count, whatever they are used for', async () => {
  const tenant = await makeTenant(server, { plan: 'enterprise', requests_per_hour: 4 });
  const other = await makeKey(server, tenant.id, ['read']);
  await api('GET', '/projects', { key: tenant.keys.read });
  await api('GET', `/projects/${tenant.id}/settings`, { key: other.key });
  expectResponse(await api('GET', '/projects', { key: tenant.keys.webhook }), 403);
  expectResponse(await api('POST', '/projects', { key: tenant.keys.write, body: {} }), 422);
  for (const key of [...Object.values(tenant.keys), other.key])
    expectResponse(await api('GET', '/projects', { key }), 429);
});

test('a key made while the project is at its limit does not pass either', async () => {
  const tenant = await makeTenant(server, { plan: 'enterprise', requests_per_hour: 1 });
  await burst(tenant.keys.read, 2);
  const fresh = await makeKey(server, tenant.id, ['read']);
  expectResponse(await api('GET', '/projects', { key: fresh.key }), 429);
});

test('one project at its limit stops no other', async () => {
  const [busy, calm] = [
    await makeTenant(server, { requests_per_hour: 1 }),
    await makeTenant(server, { requests_per_hour: 1 }),
  ];
  await burst(busy.keys.read, 5);
  expectResponse(await api('GET', '/projects', { key: calm.keys.read }), 200);
});

test('a key of another project spends nothing of the project it tries to enter', async () => {
  const [one, two] = [await makeTenant(server), await makeTenant(server, { requests_per_hour: 1 })];
  for (let i = 0; i < 5; i += 1) expectResponse(await api('GET', `/projects/${two.id}`, { key: one.keys.read }), 401);
  expectResponse(await api('GET', `/projects/${two.id}`, { key: two.keys.read }), 200);
});

test('the root key is not limited and spends nothing', async () => {
  const { id, keys } = await makeTenant(server, { requests_per_hour: 1 });
  for (let i = 0; i < 5; i += 1) {
    const response = await api('GET', `/projects/${id}`, { key: ROOT_KEY });
    expectResponse(response, 200);
    assert.equal(header(response, 'x-ratelimit-limit'), null);
  }
  expectResponse(await api('GET', '/projects', { key: keys.read }), 200);
});

test('a plan that changes within the hour takes effect at once and begins no new hour', async () => {
  const { id, keys } = await makeTenant(server, { plan: 'free' });
  await burst(keys.read, 100);
  expectResponse(await api('GET', '/projects', { key: keys.read }), 429);

  const setPlan = async (change: object) =>
    expectResponse(await api('PATCH', `/projects/${id}`, { key: ROOT_KEY, body: change }), 200);
  await setPlan({ plan: 'pro' });
  const onPro = await api('GET', '/projects', { key: keys.read });
  expectResponse(onPro, 200);
  assert.deepEqual([header(onPro, 'x-ratelimit-limit'), header(onPro, 'x-ratelimit-remaining')], ['1000', '899']);

  await setPlan({ plan: 'enterprise', requests_per_hour: 5000 });
  assert.equal(header(await api('GET', '/projects', { key: keys.read }), 'x-ratelimit-remaining'), '4898');

  await setPlan({ plan: 'free' });
  expectResponse(await api('GET', '/projects', { key: keys.read }), 429);
});

test('every authenticated answer says what is left, also a refusal, and counts down by one', async () => {
  const { id, keys } = await makeTenant(server, { plan: 'free' });
  const responses = [
    await api('GET', '/projects', { key: keys.read }),
    await api('GET', '/projects', { key: keys.write }),
    await api('POST', '/projects', { key: keys.write, body: {} }),
    await api('POST', '/projects', { key: keys.write, body: '{' }),
    await api('GET', `/projects/${id}/api-keys/key_0000000000000000000000`, { key: keys.admin }),
  ];
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 403, 422, 400, 404],
  );
  const now = server.app.now();
  responses.forEach((response, i) => {
    assert.equal(header(response, 'ratelimit-policy'), '"hourly";q=100;w=3600');
    assert.match(header(response, 'ratelimit') ?? '', new RegExp(`^"hourly";r=${99 - i};t=\\d+$`));
    assert.equal(header(response, 'x-ratelimit-limit'), '100');
    assert.equal(header(response, 'x-ratelimit-remaining'), String(99 - i));
    const reset = Number(header(response, 'x-ratelimit-reset'));
    assert.ok(
      Number.isInteger(reset) && reset > now / 1000 && reset <= now / 1000 + 3601,
      `X-RateLimit-Reset ${reset}`,
    );
    assert.equal(header(response, 'retry-after'), null);
  });
});

test('429 repeats Retry-After in the RateLimit headers', async () => {
  const { keys } = await makeTenant(server, { requests_per_hour: 1 });
  const refused = (await burst(keys.read, 2)).find(({ status }) => status === 429) as ApiResponse;
  const seconds = header(refused, 'retry-after');
  assert.equal(header(refused, 'ratelimit'), `"hourly";r=0;t=${seconds}`);
  assert.equal(header(refused, 'x-ratelimit-remaining'), '0');
});

// --- failed authentication, by address

const failFrom = (ip: string, key = 'nonsense') => api('GET', '/projects', { key, headers: { 'x-forwarded-for': ip } });

test('an address may fail 60 times a minute; the 61st is 429, and after Retry-After it is 401 again', async () => {
  for (let i = 0; i < 60; i += 1) expectResponse(await failFrom('198.51.100.1'), 401);
  const refused = await failFrom('198.51.100.1');
  expectResponse(refused, 429, 'Rate limit exceeded');
  const seconds = Number(header(refused, 'retry-after'));
  assert.ok(seconds >= 1 && seconds <= 60);
  expectResponse(await failFrom('198.51.100.2'), 401);
  server.advance(seconds * 1000);
  expectResponse(await failFrom('198.51.100.1'), 401);
});

test('an address that failed too often does not stop a key in use, nor the root key', async () => {
  const { keys } = await makeTenant(server);
  expectResponse(await failFrom('198.51.100.3', keys.read), 200);
  for (let i = 0; i < 61; i += 1) await failFrom('198.51.100.3');
  expectResponse(await failFrom('198.51.100.3'), 429);
  expectResponse(await failFrom('198.51.100.3', keys.read), 200);
  expectResponse(await failFrom('198.51.100.3', ROOT_KEY), 200);
});

test('well-formed but unknown keys are counted too, before they can cost a lookup', async () => {
  const { keys } = await makeTenant(server);
  const project = await makeProject(server);
  const gone = await makeKey(server, project.id);
  expectResponse(await api('DELETE', `/projects/${project.id}`, { key: ROOT_KEY }), 204);
  for (let i = 0; i < 60; i += 1) expectResponse(await failFrom('198.51.100.4', gone.key), 401);
  expectResponse(await failFrom('198.51.100.4', gone.key), 429);
  expectResponse(await failFrom('198.51.100.5', keys.read), 200);
});

test('only the address the nearest trusted proxy saw is believed', async () => {
  for (let i = 0; i < 60; i += 1) expectResponse(await failFrom(`203.0.113.${i}, 198.51.100.6`), 401);
  expectResponse(await failFrom('203.0.113.99, 198.51.100.6'), 429);
});

test('without trusted proxies X-Forwarded-For is not believed', async () => {
  const direct = await startServer();
  const fail = (ip: string) => direct.api('GET', '/projects', { key: 'nonsense', headers: { 'x-forwarded-for': ip } });
  for (let i = 0; i < 60; i += 1) expectResponse(await fail(`203.0.113.${i}`), 401);
  expectResponse(await fail('203.0.113.99'), 429);
});
