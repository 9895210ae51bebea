// What may not use up an attempt, what is sent again by hand meanwhile, and how a delivery ends that we cannot even try.

import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { createCache } from '../../src/cache/cache.ts';
import { createJobs } from '../../src/jobs.ts';
import { createSecrets } from '../../src/secrets/encryption.ts';
import { untilLockWait } from '../support/database/until-lock-wait.ts';
import { expectResponse, makeProject } from '../support/make/make.ts';
import { makeWebhook } from '../support/make/make-webhook.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { freePort } from '../support/servers/free-port.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const HOUR_MS = 3_600_000;

const receiver = await startCustomer();
after(() => receiver.close());
const dead = await freePort();
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: `${receiver.address},127.0.0.1:${dead}` });
const { api, app } = server;

async function subject(fields: object = {}) {
  const { id } = await makeProject(server);
  const webhook = await makeWebhook(server, receiver, id, { events: ['project.updated'], ...fields });
  return { project_id: id as string, webhook, path: `/projects/${id}/webhooks/${webhook.id}` };
}

const post = (path: string, body?: object) => api('POST', path, { key: ROOT_KEY, ...(body && { body }) });
const get = async (path: string) => expectResponse(await api('GET', path, { key: ROOT_KEY }), 200);
const deliveries = async (path: string) => (await get(`${path}/deliveries?limit=100`)).data;
const lastDelivery = async (path: string) => get(`${path}/deliveries/${(await deliveries(path))[0].id}`);

async function rename(project_id: string, times = 1): Promise<void> {
  for (let i = 0; i < times; i += 1) {
    expectResponse(await api('PATCH', `/projects/${project_id}`, { key: ROOT_KEY, body: { name: `name ${i}` } }), 200);
  }
}

/** As a worker does when an attempt ended: its job first, then the delivery, which nobody may hold who waits for the job. */
async function settleAgainst(id: string, request: () => Promise<unknown>): Promise<unknown> {
  const asked = await app.database.transaction().execute(async (database) => {
    await sql`select from jobs where subject = ${id} for update`.execute(database);
    const asked = request();
    await untilLockWait(app);
    await sql`select from deliveries where id = ${id} for update nowait`.execute(database);
    return { asked };
  });
  return asked.asked;
}

test('redeliver and the end of an attempt do not wait for each other', async () => {
  const { project_id, webhook, path } = await subject();
  receiver.respond(webhook.path, { status: 500 });
  await rename(project_id);
  await server.runJobs();
  const { id } = await lastDelivery(path);
  const response = await settleAgainst(id, () => post(`${path}/deliveries/${id}/redeliver`));
  assert.equal(expectResponse(response as never, 200).status, 'pending');
});

test('recover and redeliver of the same delivery do not wait for each other', async () => {
  const { project_id, webhook, path } = await subject();
  await rename(project_id);
  expectResponse(await api('PATCH', path, { key: ROOT_KEY, body: { is_enabled: false } }), 200);
  await server.runJobs();
  expectResponse(await api('PATCH', path, { key: ROOT_KEY, body: { is_enabled: true } }), 200);
  const { id, status } = await lastDelivery(path);
  assert.equal(status, 'failed');
  const run_at = new Date(app.now() + HOUR_MS).toISOString();
  const job = { kind: 'delivery', subject: id, concurrency_key: webhook.id, state: 'waiting' as const, run_at };
  await app.database.insertInto('jobs').values(job).execute();
  const since = new Date(app.now() - HOUR_MS).toISOString();
  const response = await settleAgainst(id, () => post(`${path}/recover`, { since }));
  assert.equal(expectResponse(response as never, 200).recovered, 1);
  await server.runJobs();
  assert.deepEqual([(await lastDelivery(path)).status, receiver.at(webhook.path).length], ['succeeded', 1]);
});

test('a delivery that is being attempted cannot be sent again until that has ended', async () => {
  const { project_id, webhook, path } = await subject();
  const [held, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  receiver.respond(webhook.path, () => {
    asked.resolve();
    return { hold: held.promise };
  });
  await rename(project_id);
  const running = server.runJobs();
  await asked.promise;
  const { id } = await lastDelivery(path);
  const redeliver = () => post(`${path}/deliveries/${id}/redeliver`);
  expectResponse(await redeliver(), 409, 'An attempt of this delivery is in progress');
  held.resolve();
  await running;
  assert.equal((await lastDelivery(path)).status, 'succeeded');
  expectResponse(await redeliver(), 200);
});

test('what is not even tried, because its receiver is known to be down, uses up no attempt', async () => {
  const { project_id, webhook, path } = await subject({ url: `https://127.0.0.1:${dead}/` });
  let connections = 0;
  const broken = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(dead, '127.0.0.1');
  after(() => broken.close());
  await rename(project_id, 20);
  await server.runJobs();
  const all = await deliveries(path);
  const counts: number[] = all.map(({ attempt_count }: { attempt_count: number }) => attempt_count);
  assert.equal(counts.filter((count) => count === 1).length, connections, 'each attempt was a connection');
  assert.equal(counts.filter((count) => count === 0).length, 20 - connections);
  // The fifth failure says that it is down. Five are sent at a time, so up to four more are under way then.
  assert.ok(connections >= 5 && connections <= 9, `${connections} connections`);
  for (const { status, next_attempt_at } of all) {
    assert.equal(status, 'pending');
    assert.ok(Date.parse(next_attempt_at) > app.now());
  }
  expectResponse(await api('PATCH', path, { key: ROOT_KEY, body: { url: `${receiver.url}${webhook.path}` } }), 200);
  server.advance(60_000);
  await server.runJobs();
  assert.equal(receiver.at(webhook.path).length, 20);
});

test('why a receiver was not reached is in the log, and only there', async () => {
  const { project_id, webhook, path } = await subject();
  receiver.respond(webhook.path, { reset: true });
  await rename(project_id);
  const lines: string[] = [];
  await createJobs({ ...app, log: pino({ level: 'warn' }, { write: (line) => lines.push(line) }) }).runDue();
  const line = lines.map((text) => JSON.parse(text)).find(({ webhook_id }) => webhook_id === webhook.id);
  assert.deepEqual([line?.kind, line?.project_id], ['connection', project_id]);
  assert.ok(line.reason.length > 0);
  assert.ok(!JSON.stringify(await lastDelivery(path)).includes(line.reason));
});

test('an error of our own is no attempt; if it does not end, the delivery is failed and says so', async () => {
  const { project_id, webhook, path } = await subject();
  await rename(project_id);
  // Another process, which has not opened the secret yet and cannot ask for its key.
  const secrets = createSecrets({ master_keys: app.config.master_keys, cache: createCache() });
  const other = createJobs({ ...app, secrets });
  await sql`alter table data_keys rename to data_keys_away`.execute(app.database);
  await other.runDue();
  const first = await lastDelivery(path);
  assert.deepEqual([first.status, first.attempt_count], ['pending', 0]);
  for (let i = 0; i < 20; i += 1) {
    server.advance(2 * HOUR_MS);
    await other.runDue();
  }
  await sql`alter table data_keys_away rename to data_keys`.execute(app.database);
  const { status, attempts, id } = await lastDelivery(path);
  assert.deepEqual([status, attempts[0].error, receiver.at(webhook.path).length], ['failed', 'internal', 0]);
  expectResponse(await post(`${path}/deliveries/${id}/redeliver`), 200);
  await other.runDue();
  assert.equal((await lastDelivery(path)).status, 'succeeded');
});
