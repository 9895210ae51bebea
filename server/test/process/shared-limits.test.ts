// Three server processes on one database, with and without Redis: one limit for all of them, and the same numbers everywhere.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startRedis, withoutRedis } from '../support/database/redis-server.ts';
import { copyTemplate } from '../support/database/test-database.ts';
import { expectResponse, makeKey, makeProject } from '../support/make/make.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';
import { type ServerProcess, startProcess } from '../support/servers/start-process.ts';
import { MASTER_KEY, ROOT_KEY, type TestServer } from '../support/servers/start-server.ts';

const REPLICAS = 3;
const database = await copyTemplate();
after(database.drop);

type Replica = ServerProcess & TestServer;

async function startReplicas(environment: Record<string, string> = {}): Promise<Replica[]> {
  const settings = {
    DATABASE_URL: database.url,
    TOOLGATE_ROOT_KEY: ROOT_KEY,
    TOOLGATE_MASTER_KEYS: MASTER_KEY,
    // Each test uses addresses of its own.
    TOOLGATE_TRUSTED_PROXIES: '127.0.0.1',
    ...environment,
  };
  const replicas: Replica[] = [];
  // The make… functions use only `api`.
  for (let i = 0; i < REPLICAS; i += 1) replicas.push((await startProcess(settings)) as Replica);
  return replicas;
}

/** Sends `many` requests to all replicas in turn, 15 at a time. */
async function sendToAll(replicas: Replica[], many: number, send: (replica: Replica) => Promise<ApiResponse>) {
  const responses: ApiResponse[] = [];
  let sent = 0;
  const client = async () => {
    while (sent < many) {
      sent += 1;
      responses.push(await send(replicas[sent % REPLICAS] as Replica));
    }
  };
  await Promise.all(Array.from({ length: 15 }, client));
  return responses;
}

const statusesOf = (responses: ApiResponse[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

// All of them before the first test: the tests run as soon as they are declared.
const sets = [{ store: 'PostgreSQL', replicas: await startReplicas() }];
if (withoutRedis) test('limits in Redis', { skip: withoutRedis });
else {
  // A long timeout, so that nothing is decided without Redis on a slow machine.
  const environment = { REDIS_URL: (await startRedis()).url, TOOLGATE_REDIS_TIMEOUT_MS: '10000' };
  sets.push({ store: 'Redis', replicas: await startReplicas(environment) });
}
after(() => Promise.all(sets.flatMap(({ replicas }) => replicas.map((replica) => replica.stop()))));

for (const { store, replicas } of sets) {
  async function makeTenant(fields: object): Promise<{ id: string; key: string }> {
    const [first] = replicas as [Replica];
    const { id } = await makeProject(first, fields);
    return { id, key: (await makeKey(first, id, ['read'])).key };
  }

  for (const [plan, fields, limit] of [
    ['free', { plan: 'free' }, 100],
    ['enterprise', { plan: 'enterprise', requests_per_hour: 1_100 }, 1_100],
  ] as const) {
    test(`${store}: ${plan}: of more requests to three replicas exactly ${limit} pass, and their headers count down one by one`, async () => {
      const { key } = await makeTenant(fields);
      const responses = await sendToAll(replicas, limit + 60, (replica) => replica.api('GET', '/projects', { key }));
      assert.deepEqual(statusesOf(responses), { 200: limit, 429: 60 });
      const remaining = responses
        .filter(({ status }) => status === 200)
        .map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
        .sort((a, b) => a - b);
      assert.deepEqual(
        remaining,
        Array.from({ length: limit }, (_, i) => i),
      );
      for (const { status, headers } of responses)
        if (status === 429) {
          const seconds = Number(headers.get('retry-after'));
          assert.ok(Number.isInteger(seconds) && seconds >= 3_500 && seconds <= 3_600, String(seconds));
        }
    });
  }

  test(`${store}: the rate headers and usage have the same numbers on every replica`, async () => {
    const { id, key } = await makeTenant({ plan: 'pro' });
    const first = await replicas[0]?.api('GET', '/projects', { key });
    const reset = first?.headers.get('x-ratelimit-reset');
    const path = `/projects/${id}/usage`;
    for (const [i, replica] of replicas.entries()) {
      const response = await replica.api('GET', path, { key });
      const usage = expectResponse(response, 200);
      assert.deepEqual([usage.used, usage.remaining, usage.limit], [i + 2, 1000 - i - 2, 1000]);
      assert.equal(response.headers.get('x-ratelimit-remaining'), String(usage.remaining));
      assert.equal(response.headers.get('x-ratelimit-reset'), reset);
      assert.equal(Date.parse(usage.resets_at) / 1000, Number(reset));
    }
    for (const replica of replicas) {
      const usage = expectResponse(await replica.api('GET', path, { key: ROOT_KEY }), 200);
      assert.deepEqual([usage.used, Date.parse(usage.resets_at) / 1000], [1 + REPLICAS, Number(reset)]);
    }
  });

  for (const [kind, bad, ip] of [
    ['malformed', 'svc_live_short', '192.0.2.1'],
    ['unknown', 'svc_live_0000000000000000000000000000003Hmobr', '192.0.2.2'],
  ] as const) {
    test(`${store}: of many ${kind} credentials of one address 60 get 401 from three replicas together, the others 429`, async () => {
      const send = (replica: Replica) =>
        replica.api('GET', '/projects', { key: bad, headers: { 'x-forwarded-for': `${ip}${store.length}` } });
      const responses = await sendToAll(replicas, 90, send);
      assert.deepEqual(statusesOf(responses), { 401: 60, 429: 30 });
      for (const { status, headers } of responses) {
        const seconds = Number(headers.get('retry-after'));
        assert.ok(status === 401 || (seconds >= 1 && seconds <= 60), String(seconds));
      }
    });
  }
}
