// Spec 8 and contract 1, 4: how many requests an hour, who is counted together, and what the answers say about it.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { requestsPerHour } from '@toolgate/contract/projects/plans.ts';
import type { Answer } from '../call-api.ts';
import { expectAnswer, makeKey, makeProject, makeTenant } from '../make.ts';
import { ROOT_KEY, startServer } from '../start-server.ts';

// Calls from 127.0.0.1 may say which address they come from.
const server = await startServer({ TOOLGATE_TRUSTED_PROXIES: '127.0.0.1' });
const { api } = server;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

// Each test begins with an hour in which nothing was counted.
beforeEach(() => server.advance(HOUR_MS));

async function burst(key: string, many: number): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < many) {
    const next = Math.min(20, many - answers.length);
    answers.push(...(await Promise.all(Array.from({ length: next }, () => api('GET', '/projects', { key })))));
  }
  return answers;
}

const statuses = (answers: Answer[]) => ({
  passed: answers.filter(({ status }) => status === 200).length,
  stopped: answers.filter(({ status }) => status === 429).length,
});
const header = (answer: Answer, name: string) => answer.headers.get(name);

test('free: 100 requests an hour pass and the 101st is 429', async () => {
  const { keys } = await makeTenant(server, { plan: 'free' });
  assert.deepEqual(statuses(await burst(keys.read, 100)), { passed: 100, stopped: 0 });
  const refused = await api('GET', '/projects', { key: keys.read });
  expectAnswer(refused, 429, 'Rate limit exceeded');
  assert.match(refused.body.error.details.remedy, /Settings → Plan/, 'it says where the limit is changed');
});

test('pro: 1,000 requests an hour pass and the 1,001st is 429', async () => {
  const { keys } = await makeTenant(server, { plan: 'pro' });
  assert.deepEqual(statuses(await burst(keys.read, 1000)), { passed: 1000, stopped: 0 });
  expectAnswer(await api('GET', '/projects', { key: keys.read }), 429, 'Rate limit exceeded');
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
  const project = expectAnswer(await api('POST', '/projects', { key: ROOT_KEY, body: { name: 'new' } }), 201);
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
  expectAnswer(early, 429);
  server.advance(Number(header(early, 'retry-after')) * 1000);
  expectAnswer(await api('GET', '/projects', { key: keys.read }), 200);
  expectAnswer(await api('GET', '/projects', { key: keys.read }), 429);
});

test('Retry-After is exact to the second: never more than 3600, and one millisecond less is too early', async (t) => {
  const { keys } = await makeTenant(server, { plan: 'enterprise', requests_per_hour: 1 });
  const clock = { now: server.app.now() }; // stands still
  t.mock.method(server.app, 'now', () => clock.now);
  expectAnswer(await api('GET', '/projects', { key: keys.read }), 200);
  const refused = await api('GET', '/projects', { key: keys.read });
  assert.equal(header(refused, 'retry-after'), '3600');
  clock.now += 3_600_000 - 1;
  expectAnswer(await api('GET', '/projects', { key: keys.read }), 429);
  clock.now += 1;
  expectAnswer(await api('GET', '/projects', { key: keys.read }), 200);
});

test('many keys of a project share one count, whatever they are used for', async () => {
  const tenant = await makeTenant(server, { plan: 'enterprise', requests_per_hour: 4 });
  const other = await makeKey(server, tenant.id, ['read']);
  await api('GET', '/projects', { key: tenant.keys.read });
  await api('GET', `/projects/${tenant.id}/settings`, { key: other.key });
  expectAnswer(await api('GET', '/projects', { key: tenant.keys.webhook }), 403);
  expectAnswer(await api('POST', '/projects', { key: tenant.keys.write, body: {} }), 422);
  for (const key of [...Object.values(tenant.keys), other.key])
    expectAnswer(await api('GET', '/projects', { key }), 429);
});

test('a key made while the project is at its limit does not pass either', async () => {
  const tenant = await makeTenant(server, { plan: 'enterprise', requests_per_hour: 1 });
  await burst(tenant.keys.read, 2);
  const fresh = await makeKey(server, tenant.id, ['read']);
  expectAnswer(await api('GET', '/projects', { key: fresh.key }), 429);
});

test('one project at its limit stops no other', async () => {
  const [busy, calm] = [
    await makeTenant(server, { requests_per_hour: 1 }),
    await makeTenant(server, { requests_per_hour: 1 }),
  ];
  await burst(busy.keys.read, 5);
  expectAnswer(await api('GET', '/projects', { key: calm.keys.read }), 200);
});

test('a key of another project spends nothing of the project it tries to enter', async () => {
  const [one, two] = [await makeTenant(server), await makeTenant(server, { requests_per_hour: 1 })];
  for (let i = 0; i < 5; i += 1) expectAnswer(await api('GET', `/projects/${two.id}`, { key: one.keys.read }), 401);
  expectAnswer(await api('GET', `/projects/${two.id}`, { key: two.keys.read }), 200);
});

test('the root key is not limited and spends nothing', async () => {
  const { id, keys } = await makeTenant(server, { requests_per_hour: 1 });
  for (let i = 0; i < 5; i += 1) {
    const answer = await api('GET', `/projects/${id}`, { key: ROOT_KEY });
    expectAnswer(answer, 200);
    assert.equal(header(answer, 'x-ratelimit-limit'), null);
  }
  expectAnswer(await api('GET', '/projects', { key: keys.read }), 200);
});

test('a plan that changes within the hour takes effect at once and begins no new hour', async () => {
  const { id, keys } = await makeTenant(server, { plan: 'free' });
  await burst(keys.read, 100);
  expectAnswer(await api('GET', '/projects', { key: keys.read }), 429);

  const setPlan = async (change: object) =>
    expectAnswer(await api('PATCH', `/projects/${id}`, { key: ROOT_KEY, body: change }), 200);
  await setPlan({ plan: 'pro' });
  const onPro = await api('GET', '/projects', { key: keys.read });
  expectAnswer(onPro, 200);
  assert.deepEqual([header(onPro, 'x-ratelimit-limit'), header(onPro, 'x-ratelimit-remaining')], ['1000', '899']);

  await setPlan({ plan: 'enterprise', requests_per_hour: 5000 });
  assert.equal(header(await api('GET', '/projects', { key: keys.read }), 'x-ratelimit-remaining'), '4898');

  await setPlan({ plan: 'free' });
  expectAnswer(await api('GET', '/projects', { key: keys.read }), 429);
});

test('every authenticated answer says what is left, also a refusal, and counts down by one', async () => {
  const { id, keys } = await makeTenant(server, { plan: 'free' });
  const answers = [
    await api('GET', '/projects', { key: keys.read }),
    await api('GET', '/projects', { key: keys.write }),
    await api('POST', '/projects', { key: keys.write, body: {} }),
    await api('POST', '/projects', { key: keys.write, body: '{' }),
    await api('GET', `/projects/${id}/api-keys/key_0000000000000000000000`, { key: keys.admin }),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 403, 422, 400, 404],
  );
  const now = server.app.now();
  answers.forEach((answer, i) => {
    assert.equal(header(answer, 'ratelimit-policy'), '"hourly";q=100;w=3600');
    assert.match(header(answer, 'ratelimit') ?? '', new RegExp(`^"hourly";r=${99 - i};t=\\d+$`));
    assert.equal(header(answer, 'x-ratelimit-limit'), '100');
    assert.equal(header(answer, 'x-ratelimit-remaining'), String(99 - i));
    const reset = Number(header(answer, 'x-ratelimit-reset'));
    assert.ok(
      Number.isInteger(reset) && reset > now / 1000 && reset <= now / 1000 + 3601,
      `X-RateLimit-Reset ${reset}`,
    );
    assert.equal(header(answer, 'retry-after'), null);
  });
});

test('429 repeats Retry-After in the RateLimit headers', async () => {
  const { keys } = await makeTenant(server, { requests_per_hour: 1 });
  const refused = (await burst(keys.read, 2)).find(({ status }) => status === 429) as Answer;
  const seconds = header(refused, 'retry-after');
  assert.equal(header(refused, 'ratelimit'), `"hourly";r=0;t=${seconds}`);
  assert.equal(header(refused, 'x-ratelimit-remaining'), '0');
});

// --- failed authentication, by address

const failFrom = (ip: string, key = 'nonsense') => api('GET', '/projects', { key, headers: { 'x-forwarded-for': ip } });

test('an address may fail 60 times a minute; the 61st is 429, and after Retry-After it is 401 again', async () => {
  for (let i = 0; i < 60; i += 1) expectAnswer(await failFrom('198.51.100.1'), 401);
  const refused = await failFrom('198.51.100.1');
  expectAnswer(refused, 429, 'Rate limit exceeded');
  const seconds = Number(header(refused, 'retry-after'));
  assert.ok(seconds >= 1 && seconds <= 60);
  expectAnswer(await failFrom('198.51.100.2'), 401);
  server.advance(seconds * 1000);
  expectAnswer(await failFrom('198.51.100.1'), 401);
});

test('an address that failed too often does not stop a key in use, nor the root key', async () => {
  const { keys } = await makeTenant(server);
  expectAnswer(await failFrom('198.51.100.3', keys.read), 200);
  for (let i = 0; i < 61; i += 1) await failFrom('198.51.100.3');
  expectAnswer(await failFrom('198.51.100.3'), 429);
  expectAnswer(await failFrom('198.51.100.3', keys.read), 200);
  expectAnswer(await failFrom('198.51.100.3', ROOT_KEY), 200);
});

test('well-formed but unknown keys are counted too, before they can cost a lookup', async () => {
  const { keys } = await makeTenant(server);
  const project = await makeProject(server);
  const gone = await makeKey(server, project.id);
  expectAnswer(await api('DELETE', `/projects/${project.id}`, { key: ROOT_KEY }), 204);
  for (let i = 0; i < 60; i += 1) expectAnswer(await failFrom('198.51.100.4', gone.key), 401);
  expectAnswer(await failFrom('198.51.100.4', gone.key), 429);
  expectAnswer(await failFrom('198.51.100.5', keys.read), 200);
});

test('only the address the nearest trusted proxy saw is believed', async () => {
  for (let i = 0; i < 60; i += 1) expectAnswer(await failFrom(`203.0.113.${i}, 198.51.100.6`), 401);
  expectAnswer(await failFrom('203.0.113.99, 198.51.100.6'), 429);
});

test('without trusted proxies X-Forwarded-For is not believed', async () => {
  const direct = await startServer();
  const fail = (ip: string) => direct.api('GET', '/projects', { key: 'nonsense', headers: { 'x-forwarded-for': ip } });
  for (let i = 0; i < 60; i += 1) expectAnswer(await fail(`203.0.113.${i}`), 401);
  expectAnswer(await fail('203.0.113.99'), 429);
});
