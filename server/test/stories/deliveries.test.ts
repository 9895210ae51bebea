// What becomes of a delivery when the receiver fails, hangs, leaves or comes back.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { delays_ms } from '../../src/features/activity/webhooks/retry-schedule.ts';
import { createJobs } from '../../src/jobs.ts';
import { expectResponse, makeProject } from '../support/make/make.ts';
import { type MadeWebhook, makeWebhook } from '../support/make/make-webhook.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const DAY_MS = 86_400_000;

const receiver = await startCustomer();
after(() => receiver.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: receiver.address });
const { api } = server;

async function subject(fields: object = { events: ['project.updated'] }) {
  const project = await makeProject(server);
  const webhook = await makeWebhook(server, receiver, project.id, fields);
  return { project_id: project.id as string, webhook, path: `/projects/${project.id}/webhooks/${webhook.id}` };
}

async function change(project_id: string, times = 1): Promise<void> {
  for (let i = 0; i < times; i += 1) {
    const body = { name: `name ${i}` };
    expectResponse(await api('PATCH', `/projects/${project_id}`, { key: ROOT_KEY, body }), 200);
  }
}

const get = async (path: string) => expectResponse(await api('GET', path, { key: ROOT_KEY }), 200);
const lastDelivery = async (path: string) => get(`${path}/deliveries/${(await get(`${path}/deliveries`)).data[0].id}`);
const idsAt = ({ path }: MadeWebhook) => receiver.at(path).map(({ headers }) => headers['webhook-id']);

/** Lets time pass until the delivery is due, and tries it. */
async function tryAgain(path: string): Promise<void> {
  const { next_attempt_at } = await lastDelivery(path);
  server.advance(Date.parse(next_attempt_at) - server.app.now() + 1);
  await server.runJobs();
}

/** Lets the whole retry schedule pass by, from one attempt to the next. */
async function runSchedule(): Promise<void> {
  await server.runJobs();
  for (const pause of delays_ms) {
    server.advance(pause * 1.2 + 1);
    await server.runJobs();
  }
}

test('a delivery that always fails is tried ten times over three days with one id, then given up', async () => {
  const { project_id, webhook, path } = await subject();
  receiver.respond(webhook.path, { status: 500, body: 'broken' });
  await change(project_id);
  await runSchedule();
  const { status, attempts, attempt_count, next_attempt_at } = await lastDelivery(path);
  assert.deepEqual([status, attempt_count, next_attempt_at], ['failed', 10, null]);
  assert.equal(new Set(idsAt(webhook)).size, 1);
  assert.equal(receiver.at(webhook.path).length, 10);

  const [last, ...before] = attempts;
  assert.equal(last.next_attempt_at, null);
  before.reverse().forEach((attempt: { started_at: string; next_attempt_at: string }, i: number) => {
    const waits = Date.parse(attempt.next_attempt_at) - Date.parse(attempt.started_at);
    const pause = delays_ms[i] as number;
    assert.ok(waits >= pause * 0.8 && waits <= pause * 1.2 + 5000, `after attempt ${i + 1}: ${waits} ms`);
  });
  server.advance(30 * DAY_MS);
  await server.runJobs();
  assert.equal(receiver.at(webhook.path).length, 10);
});

test('each attempt is kept: what was sent, what came back, how long it took, when the next one is', async () => {
  const { project_id, webhook, path } = await subject();
  receiver.respond(webhook.path, { status: 503, body: 'x'.repeat(30_000) });
  await change(project_id);
  await server.runJobs();
  const { attempts, request_body, status } = await lastDelivery(path);
  assert.equal(status, 'pending');
  assert.equal(request_body, String(receiver.at(webhook.path)[0]?.body));
  const [attempt] = attempts;
  assert.deepEqual([attempt.number, attempt.status, attempt.error], [1, 503, null]);
  assert.deepEqual([attempt.response_body.length, attempt.truncated], [20_000, true]);
  assert.equal(attempt.request_headers['webhook-id'], receiver.at(webhook.path)[0]?.headers['webhook-id']);
  assert.ok(Number.isInteger(attempt.duration_ms) && attempt.duration_ms >= 0);
  assert.ok(Date.parse(attempt.next_attempt_at) > Date.parse(attempt.started_at));
});

test('the list shows how the last attempt ended, and selects by time', async () => {
  const { project_id, webhook, path } = await subject();
  await change(project_id);
  const [waiting] = (await get(`${path}/deliveries`)).data;
  assert.equal(waiting.last_attempt, null);
  receiver.respond(webhook.path, { status: 503 });
  await server.runJobs();
  receiver.respond(webhook.path, { reset: true });
  await tryAgain(path);
  const [delivery] = (await get(`${path}/deliveries`)).data;
  const { duration_ms, ...ended } = delivery.last_attempt;
  assert.deepEqual(ended, { status: null, error: 'connection' });
  assert.ok(Number.isInteger(duration_ms) && duration_ms >= 0);

  const { created_at } = delivery;
  const later = new Date(Date.parse(created_at) + 1).toISOString();
  const count = async (query: string) => (await get(`${path}/deliveries?${query}`)).data.length;
  assert.equal(await count(`from=${created_at}&to=${later}`), 1);
  assert.equal(await count(`from=${later}`), 0);
  assert.equal(await count(`to=${created_at}`), 0);
  const wrong = await api('GET', `${path}/deliveries?from=yesterday`, { key: ROOT_KEY });
  assert.deepEqual([wrong.status, wrong.body.error.details.field], [422, 'from']);
});

test('a receiver that comes back gets what it missed, with the id it had', async () => {
  const { project_id, webhook, path } = await subject();
  receiver.respond(webhook.path, { status: 500 });
  await change(project_id);
  await server.runJobs();
  receiver.respond(webhook.path, { status: 204 });
  await tryAgain(path);
  const { status, attempt_count, finished_at } = await lastDelivery(path);
  assert.deepEqual([status, attempt_count], ['succeeded', 2]);
  assert.ok(finished_at);
  const [first, second] = idsAt(webhook);
  assert.equal(first, second);
});

test('a redirect is a failure and is not followed', async () => {
  const { project_id, webhook, path } = await subject();
  receiver.respond(webhook.path, { status: 302, headers: { location: `${receiver.url}/elsewhere` } });
  await change(project_id);
  await server.runJobs();
  assert.deepEqual([(await lastDelivery(path)).status, receiver.at('/elsewhere').length], ['pending', 0]);
});

test('Retry-After is waited for, up to a day', async () => {
  for (const [asked, least_ms, most_ms] of [
    ['600', 600_000, 601_000],
    [String(10 * 86_400), DAY_MS, DAY_MS + 1000],
    ['soon', 0, 7000],
  ] as const) {
    const { project_id, webhook, path } = await subject();
    receiver.respond(webhook.path, { status: 429, headers: { 'retry-after': asked } });
    await change(project_id);
    await server.runJobs();
    const [attempt] = (await lastDelivery(path)).attempts;
    const pause = Date.parse(attempt.next_attempt_at) - Date.parse(attempt.started_at) - attempt.duration_ms;
    assert.ok(pause >= least_ms - 1000 && pause <= most_ms + 1000, `${asked}: ${pause}`);
  }
});

test('410 switches the webhook off at once, tells the others, and keeps the events', async () => {
  const { project_id, webhook, path } = await subject();
  const other = await makeWebhook(server, receiver, project_id, { events: ['webhook.disabled'] });
  receiver.respond(webhook.path, { status: 410 });
  await change(project_id, 2);
  await server.runJobs();
  const { is_enabled, disabled_reason } = await get(path);
  assert.deepEqual([is_enabled, disabled_reason], [false, 'gone']);
  const [told, ...more] = receiver.at(other.path).map(({ body }) => JSON.parse(String(body)));
  assert.deepEqual([told.data.id, told.data.disabled_reason, more.length], [webhook.id, 'gone', 0]);
  const { data } = await get(`/projects/${project_id}/events?type=project.updated`);
  assert.equal(data.length, 2);
});

test('five days of nothing but failure switch a webhook off; a success in between resets the count', async () => {
  const { project_id, webhook, path } = await subject();
  receiver.respond(webhook.path, { status: 500 });
  const failFor = async (days: number) => {
    for (let day = 0; day < days; day += 1) {
      await change(project_id);
      await server.runJobs();
      server.advance(DAY_MS);
    }
  };
  await failFor(4);
  receiver.respond(webhook.path, { status: 200 });
  await server.runJobs();
  receiver.respond(webhook.path, { status: 500 });
  await failFor(5);
  assert.equal((await get(path)).is_enabled, true);
  await failFor(1);
  const { is_enabled, disabled_reason } = await get(path);
  assert.deepEqual([is_enabled, disabled_reason], [false, 'failing']);

  receiver.respond(webhook.path, { status: 200 });
  expectResponse(await api('PATCH', path, { key: ROOT_KEY, body: { is_enabled: true } }), 200);
  const { failing_since, disabled_reason: none } = await get(path);
  assert.deepEqual([failing_since, none], [null, null]);
});

test('failures with days of silence between them are not five days of failure', async () => {
  const { project_id, webhook, path } = await subject();
  receiver.respond(webhook.path, { status: 500 });
  await change(project_id);
  await runSchedule();
  server.advance(4 * DAY_MS);
  await change(project_id);
  await server.runJobs();
  assert.equal((await get(path)).is_enabled, true);
});

test('a failed delivery can be sent again by hand, with the whole schedule before it', async () => {
  const { project_id, webhook, path } = await subject();
  await change(project_id);
  await server.runJobs();
  const { id } = await lastDelivery(path);
  const again = await api('POST', `${path}/deliveries/${id}/redeliver`, { key: ROOT_KEY });
  assert.equal(expectResponse(again, 200).status, 'pending');
  await server.runJobs();
  const { status, attempt_count } = await lastDelivery(path);
  assert.deepEqual([status, attempt_count], ['succeeded', 2]);
  const [first, second] = idsAt(webhook);
  assert.equal(first, second);
});

test('deliveries are listed by status and kind', async () => {
  const { project_id, webhook, path } = await subject({ events: ['*'] });
  receiver.respond(webhook.path, ({ body }) => ({ status: String(body).includes('project.updated') ? 500 : 200 }));
  await change(project_id);
  expectResponse(await api('POST', `${path}/ping`, { key: ROOT_KEY }), 201);
  await server.runJobs();
  const list = async (query: string) =>
    (await get(`${path}/deliveries?${query}`)).data.map(({ event_type }: { event_type: string }) => event_type);
  assert.deepEqual(await list('status=pending'), ['project.updated']);
  assert.deepEqual(await list('status=succeeded'), ['ping']);
  assert.deepEqual(await list('event_type=ping'), ['ping']);
  expectResponse(await api('GET', `${path}/deliveries?status=lost`, { key: ROOT_KEY }), 422);
});

test('the headers of an answer are kept, without the values of cookies', async () => {
  const { project_id, webhook, path } = await subject();
  const headers = { 'X-Trace': 'a:b', 'Set-Cookie': ['sid=secret', 'other=secret'], Via: ['1.1 one', '1.1 two'] };
  receiver.respond(webhook.path, { status: 500, headers });
  await change(project_id);
  await server.runJobs();
  const { response_headers } = (await lastDelivery(path)).attempts[0];
  assert.equal(response_headers['x-trace'], 'a:b');
  assert.equal(response_headers.via, '1.1 one, 1.1 two');
  assert.equal(response_headers['set-cookie'], '[secret], [secret]');
});

test('an answer of any bytes is kept as text', async () => {
  const { project_id, webhook, path } = await subject();
  receiver.respond(webhook.path, { status: 200, body: Buffer.from([0x61, 0, 0xff, 0xc3]) });
  await change(project_id);
  await server.runJobs();
  const { status, attempts } = await lastDelivery(path);
  assert.deepEqual([status, attempts[0].response_body], ['succeeded', 'a\u{fffd}\u{fffd}\u{fffd}']);
});

test('a receiver that resets, or whose certificate nobody trusts, is a connection error without an address', async () => {
  const { project_id, webhook, path } = await subject();
  receiver.respond(webhook.path, { reset: true });
  await change(project_id);
  await server.runJobs();
  const [attempt] = (await lastDelivery(path)).attempts;
  assert.deepEqual([attempt.status, attempt.error, attempt.response_body], [null, 'connection', null]);
  assert.equal(attempt.response_headers, null);
});

test('a receiver that hangs has at most five requests under way and delays no other', async () => {
  const { project_id, webhook } = await subject();
  const other = await makeWebhook(server, receiver, project_id, { events: ['project.updated'] });
  const held = Promise.withResolvers<void>();
  receiver.respond(webhook.path, { hold: held.promise });
  const arrived = Promise.withResolvers<void>();
  receiver.respond(other.path, () => {
    if (receiver.at(other.path).length === 20) arrived.resolve();
    return {};
  });
  await change(project_id, 20);
  const running = server.runJobs();
  await arrived.promise;
  assert.equal(receiver.at(webhook.path).length, 5);
  held.resolve();
  await running;
  assert.equal(receiver.at(webhook.path).length, 20);
});

test('a worker that froze past its lease and wakes up records nothing, whatever it had learnt', async () => {
  const { project_id, webhook, path } = await subject();
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  receiver.respond(webhook.path, () => {
    asked.resolve();
    return receiver.at(webhook.path).length === 1 ? { status: 200, hold: held.promise } : { status: 500 };
  });
  await change(project_id);
  const frozen = createJobs(server.app);
  const thawing = frozen.runDue();
  await asked.promise;
  server.advance(46_000);
  await server.runJobs();
  const before = await lastDelivery(path);
  assert.deepEqual([before.status, before.attempt_count], ['pending', 1]);
  held.resolve();
  await thawing;
  assert.deepEqual(await lastDelivery(path), before);
  const [first, second] = idsAt(webhook);
  assert.equal(first, second);
});

test('a webhook that is deleted while an attempt is under way takes its deliveries with it', async () => {
  const { project_id, webhook, path } = await subject();
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  receiver.respond(webhook.path, () => {
    asked.resolve();
    return { hold: held.promise };
  });
  await change(project_id);
  const running = server.runJobs();
  await asked.promise;
  expectResponse(await api('DELETE', path, { key: ROOT_KEY }), 204);
  held.resolve();
  await running;
  const left = await server.app.database
    .selectFrom('jobs')
    .select('subject')
    .where('concurrency_key', '=', webhook.id)
    .execute();
  assert.deepEqual(left, []);
});

test('what was waiting for a webhook that is switched off is failed, and can be recovered', async () => {
  const { project_id, webhook, path } = await subject();
  await change(project_id);
  expectResponse(await api('PATCH', path, { key: ROOT_KEY, body: { is_enabled: false } }), 200);
  await server.runJobs();
  const { status, attempt_count } = await lastDelivery(path);
  assert.deepEqual([status, attempt_count, receiver.at(webhook.path).length], ['failed', 0, 0]);
  expectResponse(await api('PATCH', path, { key: ROOT_KEY, body: { is_enabled: true } }), 200);
  const since = new Date(server.app.now() - DAY_MS).toISOString();
  expectResponse(await api('POST', `${path}/recover`, { key: ROOT_KEY, body: { since } }), 200);
  await server.runJobs();
  assert.equal((await lastDelivery(path)).status, 'succeeded');
});

for (const [what, end] of [
  ['switched off', (path: string) => api('PATCH', path, { key: ROOT_KEY, body: { is_enabled: false } })],
  ['deleted', (path: string) => api('DELETE', path, { key: ROOT_KEY })],
] as const)
  test(`a webhook that is ${what} while its deliveries are claimed gets none of those that have not started`, async () => {
    const { project_id, webhook, path } = await subject();
    await change(project_id);
    await server.runJobs(); // from now on more are claimed than are sent at once
    await change(project_id, 20);
    const [held, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    receiver.respond(webhook.path, () => {
      asked.resolve();
      return { hold: held.promise };
    });
    const running = server.runJobs();
    await asked.promise;
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from jobs where concurrency_key = ${webhook.id} and state = 'claimed'`.execute(
      server.app.database,
    );
    assert.equal(rows[0]?.count, 20);
    assert.ok((await end(path)).status < 300);
    held.resolve();
    await running;
    assert.equal(receiver.at(webhook.path).length, 1 + 5);
  });

test('a webhook whose url and secret change while its deliveries are claimed gets the rest there, signed with the new secret', async () => {
  const { project_id, webhook, path } = await subject();
  await change(project_id);
  await server.runJobs();
  await change(project_id, 20);
  const [held, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  receiver.respond(webhook.path, () => {
    asked.resolve();
    return { hold: held.promise };
  });
  const running = server.runJobs();
  await asked.promise;
  const moved = `${webhook.path}/moved`;
  expectResponse(await api('PATCH', path, { key: ROOT_KEY, body: { url: `${receiver.url}${moved}` } }), 200);
  const rotation = await api('POST', `${path}/rotate-secret`, { key: ROOT_KEY, body: { overlap_seconds: 0 } });
  const { secret } = expectResponse(rotation, 201);
  held.resolve();
  await running;
  const rest = receiver.at(moved);
  assert.deepEqual([receiver.at(webhook.path).length, rest.length], [1 + 5, 15]);
  for (const { body, headers } of rest)
    assert.equal(headers['x-webhook-signature'], createHmac('sha256', secret).update(body).digest('hex'));
});
