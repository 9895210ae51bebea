// TOOLGATE_WORKERS: several processes on one port and one embedded store. A crashed one is replaced, SIGTERM drains all.
// workers-restart.test.ts: SIGHUP.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectResponse, makeProject } from '../support/make/make.ts';
import { readMetrics, sumOf } from '../support/requests/read-metrics.ts';
import { launchProcess, startProcess, workersOf } from '../support/servers/start-process.ts';
import { ROOT_KEY } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';
import {
  environment,
  isGone,
  makeTenant,
  READY_WITHIN_MS,
  request,
  type Server,
  startWorkers,
  waitUntilComplete,
} from './start-workers.ts';

const server = await startWorkers();

test('the workers have one limit, and each of them refuses a revoked key', async () => {
  const limited = await makeTenant(server, { plan: 'free' });
  const statuses = await Promise.all(
    Array.from({ length: 130 }, () => request(server, '/api/v1/projects', limited.key)),
  );
  assert.equal(statuses.filter((status) => status === 200).length, 100);
  assert.equal(statuses.filter((status) => status === 429).length, 30);

  const { id, key, key_id } = await makeTenant(server);
  for (let i = 0; i < 10; i += 1) assert.equal(await request(server, '/api/v1/projects', key), 200);
  expectResponse(await server.api('POST', `/projects/${id}/api-keys/${key_id}/revoke`, { key: ROOT_KEY }), 200);
  await sleep(1_000); // the promise is one second; requests meanwhile would use up the failed credentials of this address
  for (let i = 0; i < 10; i += 1) assert.equal(await request(server, '/api/v1/projects', key), 401);
});

test('/metrics has the sum of all workers, and no counter falls when one is killed and replaced', async () => {
  const count = async () =>
    sumOf(await readMetrics(server, ROOT_KEY), 'toolgate_http_requests_total', 'route="/healthz"');
  const before = await count();
  for (let i = 0; i < 30; i += 1) await request(server, '/healthz', '');
  assert.equal((await count()) - before, 30);
  const [killed] = workersOf(server.pid);
  process.kill(killed as number, 'SIGKILL');
  await waitUntilComplete(server);
  assert.equal((await count()) - before, 30);
  assert.ok(!workersOf(server.pid).includes(killed as number));
});

test('when the worker that runs the background jobs is killed, another one runs them', async () => {
  for (const pid of workersOf(server.pid)) {
    process.kill(pid, 'SIGKILL');
    await waitUntilComplete(server);
  }
  await makeProject(server);
  const heads = async () => expectResponse(await server.api('GET', '/readyz', { key: ROOT_KEY }), 200).audit_heads;
  const before = JSON.stringify(await heads());
  // A job binds new audit entries to the chain.
  await makeProject(server);
  await waitUntil(async () => JSON.stringify(await heads()) !== before, 60_000, 'the jobs run');
});

test('SIGHUP to the workers themselves changes nothing', async () => {
  const { key } = await makeTenant(server);
  const workers = workersOf(server.pid);
  for (const pid of workers) process.kill(pid, 'SIGHUP');
  for (let i = 0; i < 10; i += 1) assert.equal(await request(server, '/api/v1/projects', key), 200);
  assert.deepEqual(workersOf(server.pid), workers);
});

test('SIGTERM: requests in progress are answered, all processes end, and the exit code is 0', async () => {
  const { key } = await makeTenant(server);
  const workers = workersOf(server.pid);
  const responses = Promise.all(Array.from({ length: 20 }, () => request(server, '/api/v1/projects', key)));
  const ended = server.stop('SIGTERM');
  assert.deepEqual(new Set(await responses), new Set([200]));
  assert.deepEqual(await ended, { code: 0, signal: null });
  assert.ok(workers.every(isGone));
  assert.doesNotMatch(server.output(), /"level":"fatal"/);
  // The primary has stopped its PostgreSQL: the next start finds the data.
  const again = (await startProcess({ TOOLGATE_ROOT_KEY: ROOT_KEY }, server.data_dir)) as Server;
  assert.equal(await request(again, '/api/v1/projects', key), 200);
  await again.stop();
});

test('when the primary is killed, its workers end, and the next start continues', async () => {
  const first = await startWorkers();
  const { key } = await makeTenant(first);
  const workers = workersOf(first.pid);
  await first.stop('SIGKILL');
  await waitUntil(async () => workers.every(isGone), 60_000, 'the workers have ended');
  const second = await startWorkers(first.data_dir);
  assert.equal(await request(second, '/api/v1/projects', key), 200);
  await second.stop();
});

for (const workers of ['1', '2']) {
  test(`a signal during the start ends the server and its PostgreSQL, with ${workers} worker(s)`, async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const starting = await launchProcess({ TOOLGATE_ROOT_KEY: ROOT_KEY, TOOLGATE_WORKERS: workers });
      await waitUntil(async () => starting.hasPostgres(), READY_WITHIN_MS, 'PostgreSQL is launched');
      starting.child.kill(signal);
      assert.deepEqual(await starting.ended, { code: 0, signal: null }, starting.output());
      assert.equal(starting.hasPostgres(), false);
    }
  });
}

test('when the first worker cannot start, the server says why and exits with 1', async () => {
  const failing = await launchProcess({
    ...environment,
    TOOLGATE_MASTER_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  });
  // The data folder is new: the key is used, so the next start with another one fails.
  await waitUntil(async () => failing.output().includes('toolgate listens'), READY_WITHIN_MS, 'it listens');
  failing.child.kill('SIGTERM');
  await failing.ended;
  const other = await launchProcess({
    ...environment,
    TOOLGATE_DATA_DIR: failing.data_dir,
    TOOLGATE_MASTER_KEYS: `k2:${Buffer.alloc(32, 1).toString('base64')}`,
  });
  assert.deepEqual(await other.ended, { code: 1, signal: null });
  assert.match(other.output(), /toolgate cannot start: .*master key/i);
  assert.equal(failing.hasPostgres(), false);
});
