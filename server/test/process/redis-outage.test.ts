// Redis is killed, stopped, restarted, or its connections hang. No request fails or waits more than 50 ms for it, each process
// counts on its own meanwhile, and the limits are shared again within 5 s. The promises are of time, so time is measured.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startRedis, withoutRedis } from '../support/database/redis-server.ts';
import { startTcpProxy } from '../support/database/tcp-proxy.ts';
import { copyTemplate } from '../support/database/test-database.ts';
import { makeKey, makeProject } from '../support/make/make.ts';
import { type ServerProcess, startProcess } from '../support/servers/start-process.ts';
import { MASTER_KEY, ROOT_KEY, type TestServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

/** 50 ms, and what a request needs on a busy machine. */
const MAX_MS = 50 + 200;
const BACK_WITHIN_MS = 5_000;

type Replica = ServerProcess & TestServer;
const skip = withoutRedis;

async function open() {
  const redis = await startRedis();
  const proxy = await startTcpProxy({ host: '127.0.0.1', port: redis.port });
  const database = await copyTemplate();
  after(database.drop);
  const environment = {
    DATABASE_URL: database.url,
    REDIS_URL: `redis://127.0.0.1:${proxy.port}`,
    TOOLGATE_ROOT_KEY: ROOT_KEY,
    TOOLGATE_MASTER_KEYS: MASTER_KEY,
  };
  const replicas = [await startProcess(environment), await startProcess(environment)] as [Replica, Replica];
  return { redis, proxy, environment, replicas };
}

const opened = skip ? null : await open();
if (opened) after(() => Promise.all(opened.replicas.map((replica) => replica.stop())));

async function makeLimited(limit: number): Promise<string> {
  const { replicas } = opened as NonNullable<typeof opened>;
  const { id } = await makeProject(replicas[0], { plan: 'enterprise', requests_per_hour: limit });
  return (await makeKey(replicas[0], id, ['read'])).key;
}

/** Sends requests one after another. Returns their statuses and the longest time. */
async function send(replica: Replica, key: string, many: number) {
  const statuses: number[] = [];
  let longest_ms = 0;
  for (let i = 0; i < many; i += 1) {
    const started = performance.now();
    statuses.push((await replica.api('GET', '/projects', { key })).status);
    longest_ms = Math.max(longest_ms, performance.now() - started);
  }
  return { statuses, longest_ms };
}

const passed = ({ statuses }: { statuses: number[] }) => statuses.filter((status) => status === 200).length;

/** Both replicas count together: what one counted, the other reports. */
async function waitUntilShared(replicas: [Replica, Replica]): Promise<void> {
  const isShared = async () => {
    const key = await makeLimited(10);
    const remaining = [];
    for (const replica of replicas)
      remaining.push((await replica.api('GET', '/projects', { key })).headers.get('x-ratelimit-remaining'));
    return remaining.join() === '9,8';
  };
  await waitUntil(isShared, BACK_WITHIN_MS, 'the limits are shared again');
}

const outages: [what: string, begin: () => unknown, end: () => unknown][] = opened
  ? [
      ['is killed', () => opened.redis.kill(), () => opened.redis.start()],
      ['is stopped (SIGSTOP)', () => opened.redis.signal('SIGSTOP'), () => opened.redis.signal('SIGCONT')],
      ['hangs', () => opened.proxy.freeze(), () => opened.proxy.restore()],
      ['is unreachable', () => opened.proxy.cut(), () => opened.proxy.restore()],
    ]
  : [];
if (!opened) test('an outage of Redis', { skip });

for (const [what, begin, end] of outages) {
  test(`when Redis ${what}, each process counts on its own, no request fails or waits, and it is shared again within 5 s`, async () => {
    const { replicas } = opened as NonNullable<typeof opened>;
    await waitUntilShared(replicas);
    const keys = [await makeLimited(20), await makeLimited(20)];
    for (const [i, replica] of replicas.entries()) await send(replica, keys[i] as string, 1);
    await begin();
    try {
      for (const [i, replica] of replicas.entries()) {
        const sent = await send(replica, keys[i] as string, 25);
        assert.equal(passed(sent), 19, 'with the one before the full limit, and no more');
        assert.deepEqual(new Set(sent.statuses), new Set([200, 429]));
        assert.ok(sent.longest_ms < MAX_MS, `a request took ${sent.longest_ms} ms`);
      }
    } finally {
      await end();
    }
    await waitUntilShared(replicas);
  });
}

test('when Redis is unavailable for long, each process lets the full limit pass, also of a project that others have used up', {
  skip,
}, async () => {
  const { replicas, redis } = opened as NonNullable<typeof opened>;
  const key = await makeLimited(10);
  assert.equal(passed(await send(replicas[0], key, 12)), 10);
  assert.equal(passed(await send(replicas[1], key, 2)), 0);
  await redis.kill();
  try {
    assert.equal(passed(await send(replicas[0], key, 12)), 0, 'its own count is full');
    assert.equal(passed(await send(replicas[1], key, 12)), 10);
  } finally {
    await redis.start();
  }
  await waitUntilShared(replicas);
});

test('when the open connections to Redis hang but new ones work, the limits are shared again within 5 s', {
  skip,
}, async () => {
  const { replicas, proxy } = opened as NonNullable<typeof opened>;
  await waitUntilShared(replicas);
  const key = await makeLimited(50);
  proxy.leaveHalfOpen();
  for (const replica of replicas) {
    const { statuses, longest_ms } = await send(replica, key, 5);
    assert.deepEqual(new Set(statuses), new Set([200]));
    assert.ok(longest_ms < MAX_MS, `a request took ${longest_ms} ms`);
  }
  await waitUntilShared(replicas);
});

test('a server starts and serves without Redis, and uses it when it is there', { skip }, async () => {
  const { redis, environment } = opened as NonNullable<typeof opened>;
  const key = await makeLimited(30);
  await redis.kill();
  const replica = (await startProcess(environment)) as Replica;
  assert.equal(passed(await send(replica, key, 35)), 30);
  assert.match(replica.output(), /Redis is unavailable/);
  const { key: bad } = { key: 'svc_live_short' };
  assert.equal((await replica.api('GET', '/projects', { key: bad })).status, 401);
  await redis.start();
  await waitUntil(async () => replica.output().includes('Redis counts the limits'), BACK_WITHIN_MS, 'it is used');
  assert.deepEqual(await replica.stop(), { code: 0, signal: null });
});
