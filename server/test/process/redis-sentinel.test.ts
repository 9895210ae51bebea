// Redis with Sentinel fails over: the limits are counted as while Redis is away, and exactly by all processes again within 5 s of the
// new master. The promise is of time, so time is measured.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { diagnose } from '../../src/commands/doctor.ts';
import { startSentinels } from '../support/database/redis-sentinel.ts';
import { withoutRedis } from '../support/database/redis-server.ts';
import { makeKey, makeProject } from '../support/make/make.ts';
import { freePort } from '../support/servers/free-port.ts';
import { makeDataDir } from '../support/servers/start-process.ts';
import { startServer, type TestServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const BACK_WITHIN_MS = 5_000;

async function open() {
  const sentinels = await startSentinels();
  // A busy machine is not a Redis that is away.
  const environment = { REDIS_URL: sentinels.url, TOOLGATE_REDIS_TIMEOUT_MS: '1000' };
  const one = await startServer(environment);
  const two = await startServer({ ...environment, DATABASE_URL: one.app.config.database_url ?? '' });
  return { sentinels, replicas: [one, two] as const };
}

async function makeLimited(server: TestServer, limit: number): Promise<string> {
  const { id } = await makeProject(server, { plan: 'enterprise', requests_per_hour: limit });
  return (await makeKey(server, id, ['read'])).key;
}

async function countPassed(server: TestServer, key: string, many: number): Promise<number> {
  let passed = 0;
  for (let i = 0; i < many; i += 1) {
    const { status } = await server.api('GET', '/projects', { key });
    assert.ok([200, 429].includes(status), String(status));
    passed += Number(status === 200);
  }
  return passed;
}

async function untilShared(replicas: readonly TestServer[]): Promise<void> {
  const isShared = async () => {
    const key = await makeLimited(replicas[0] as TestServer, 10);
    const remaining: (string | null)[] = [];
    for (const replica of replicas)
      remaining.push((await replica.api('GET', '/projects', { key })).headers.get('x-ratelimit-remaining'));
    return remaining.join() === '9,8';
  };
  await waitUntil(isShared, BACK_WITHIN_MS, 'the limits are shared');
}

test('when the master fails over, no request fails, and the limits are exact again soon after', {
  skip: withoutRedis,
}, async (context) => {
  const printed = context.mock.method(console, 'error');
  const { sentinels, replicas } = await open();
  const [one, two] = replicas;
  await untilShared(replicas);
  const key = await makeLimited(one, 20);
  assert.equal((await countPassed(one, key, 8)) + (await countPassed(two, key, 8)), 16);

  // Planned: the old master is there, and becomes a replica.
  await sentinels.failOver();
  await sentinels.untilMaster(sentinels.second.port);
  await sentinels.untilReplica(sentinels.first.port);
  await untilShared(replicas);
  // Each Sentinel reports the new master when it knows it, and the connections are made again.
  await sleep(BACK_WITHIN_MS);
  const rest = (await countPassed(one, key, 10)) + (await countPassed(two, key, 10));
  assert.equal(rest, 4, `${rest} passed: the new master goes on from the counts of the old one`);

  // The master is killed, and a Sentinel with it.
  const other = await makeLimited(one, 20);
  await sentinels.second.kill();
  sentinels.killSentinel();
  assert.equal(await countPassed(one, other, 25), 20, 'each process counts on its own');
  assert.equal(await countPassed(two, other, 25), 20, 'up to the full limit');
  await sentinels.untilMaster(sentinels.first.port);
  await untilShared(replicas);
  await sleep(BACK_WITHIN_MS);
  const fresh = await makeLimited(one, 20);
  assert.equal((await countPassed(one, fresh, 15)) + (await countPassed(two, fresh, 15)), 20);
  assert.equal(printed.mock.callCount(), 0, String(printed.mock.calls[0]?.arguments));
});

test('doctor names the master that the Sentinels know, and says when one or all are away', {
  skip: withoutRedis,
}, async () => {
  const sentinels = await startSentinels();
  const data_dir = makeDataDir();
  const find = async (REDIS_URL: string) => {
    const checks = await diagnose({ REDIS_URL, TOOLGATE_DATA_DIR: data_dir });
    return checks.find(({ name }) => name === 'redis');
  };
  const found = await find(sentinels.url);
  assert.equal(found?.status, 'ok');
  assert.equal(
    found?.message,
    `the Sentinels report 127.0.0.1:${sentinels.first.port} as the master; 127.0.0.1:${sentinels.first.port} responds`,
  );
  const other = await find(sentinels.url.replace('/toolgate?', '/another?'));
  assert.deepEqual([other?.status, /none called another as the master/.test(other?.message ?? '')], ['warn', true]);
  const wrong = await find(sentinels.url.replace('sentinel-secret', 'wrong'));
  assert.deepEqual([wrong?.status, /password is wrong/.test(wrong?.message ?? '')], ['warn', true]);
  sentinels.killSentinel();
  const without = await find(sentinels.url);
  assert.deepEqual([without?.status, /:\d+ does not respond$/.test(without?.message ?? '')], ['warn', true]);
  const nobody = await find(`redis-sentinel://127.0.0.1:${await freePort()}/toolgate`);
  assert.match(nobody?.message ?? '', /^no Sentinel responds/);
  for (const check of [found, other, wrong, without]) assert.doesNotMatch(JSON.stringify(check), /-secret/);
});
