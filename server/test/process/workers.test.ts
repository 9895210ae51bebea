// TOOLGATE_WORKERS: several processes on one port and one embedded store. A crashed one is replaced, SIGTERM drains all, SIGHUP
// replaces all without a lost request.

import assert from 'node:assert/strict';
import { copyFileSync, renameSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectAnswer, makeKey, makeProject } from '../make.ts';
import { readMetrics, sumOf } from '../read-metrics.ts';
import { launchProcess, makeDataDir, type ServerProcess, startProcess, workersOf } from '../start-process.ts';
import { ROOT_KEY, type TestServer } from '../start-server.ts';
import { waitUntil } from '../wait-until.ts';

const WORKERS = 3;
const environment = { TOOLGATE_ROOT_KEY: ROOT_KEY, TOOLGATE_WORKERS: String(WORKERS) };
const READY_WITHIN_MS = 60_000;

type Server = ServerProcess & TestServer;

async function startWorkers(data_dir = makeDataDir(), more: Record<string, string> = {}): Promise<Server> {
  const server = (await startProcess({ ...environment, ...more }, data_dir)) as Server;
  await waitUntilComplete(server);
  return server;
}

/** All workers have started, and answer the one that is asked for metrics. */
async function waitUntilComplete(server: Server): Promise<void> {
  const countServing = async () => {
    // A connection that was passed to a killed worker is not answered.
    const signal = AbortSignal.timeout(5_000);
    const headers = { authorization: `Bearer ${ROOT_KEY}`, connection: 'close' };
    const text = await (await fetch(`${server.url}/metrics`, { headers, signal })).text();
    return Number(/^toolgate_worker_processes (\d+)$/m.exec(text)?.[1]);
  };
  const isComplete = async () => workersOf(server.pid).length === WORKERS && (await countServing()) === WORKERS;
  await waitUntil(isComplete, READY_WITHIN_MS, 'all workers serve');
}

/** One request on a new or a kept connection. */
function request(server: Server, path: string, key: string, agent: Agent | false = false): Promise<number> {
  return new Promise((done, fail) => {
    get(server.url + path, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      response
        .resume()
        .on('end', () => done(response.statusCode ?? 0))
        .on('error', fail);
    }).on('error', fail);
  });
}

async function makeTenant(server: Server, fields: object = { plan: 'enterprise' }) {
  const { id } = await makeProject(server, fields);
  const { id: key_id, key } = await makeKey(server, id, ['read']);
  return { id, key, key_id };
}

const isGone = (pid: number) => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

/** How often all workers were replaced. */
const countReplaced = ({ output }: Server) => output().split('all workers were replaced').length - 1;

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
  expectAnswer(await server.api('POST', `/projects/${id}/api-keys/${key_id}/revoke`, { key: ROOT_KEY }), 200);
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
  const heads = async () => expectAnswer(await server.api('GET', '/readyz', { key: ROOT_KEY }), 200).audit_heads;
  const before = JSON.stringify(await heads());
  // A job binds new audit entries to the chain.
  await makeProject(server);
  await waitUntil(async () => JSON.stringify(await heads()) !== before, 60_000, 'the jobs run');
});

test('SIGHUP under load: every request is served, it stays ready, and all workers are new', async () => {
  const { key } = await makeTenant(server, { plan: 'enterprise', requests_per_hour: 1_000_000 });
  const old = workersOf(server.pid);
  const kept = new Agent({ keepAlive: true, maxSockets: 4 });
  const before = countReplaced(server);
  let isOver = false;
  let served = 0;
  const client = async (path: string, agent: Agent | false) => {
    while (!isOver) {
      assert.equal(await request(server, path, key, agent), 200);
      served += 1;
    }
  };
  const clients = Promise.all([
    client('/api/v1/projects', false),
    client('/api/v1/projects', false),
    client('/api/v1/projects', kept),
    client('/api/v1/projects', kept),
    client('/readyz', false),
  ]);
  await waitUntil(async () => served > 50, 30_000, 'the load runs');
  process.kill(server.pid, 'SIGHUP');
  await waitUntil(async () => countReplaced(server) > before, 120_000, 'all are replaced');
  isOver = true;
  await clients;
  kept.destroy();
  const now = workersOf(server.pid);
  assert.equal(now.length, WORKERS);
  assert.deepEqual(
    now.filter((pid) => old.includes(pid)),
    [],
  );
});

test('SIGHUP while the workers start ends nothing: they start, and are replaced then', async () => {
  const server = (await startProcess(environment)) as Server;
  // The first worker serves; the others have not started.
  const before = workersOf(server.pid);
  process.kill(server.pid, 'SIGHUP');
  const isReplaced = async () => !workersOf(server.pid).some((pid) => before.includes(pid));
  await waitUntil(isReplaced, 3 * READY_WITHIN_MS, 'the first worker is replaced');
  await waitUntilComplete(server);
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
});

test('SIGHUP to the workers themselves changes nothing', async () => {
  const { key } = await makeTenant(server);
  const workers = workersOf(server.pid);
  for (const pid of workers) process.kill(pid, 'SIGHUP');
  for (let i = 0; i < 10; i += 1) assert.equal(await request(server, '/api/v1/projects', key), 200);
  assert.deepEqual(workersOf(server.pid), workers);
});

test('a worker that crashes while its successor starts leaves as many workers as there should be', async () => {
  const [first] = workersOf(server.pid);
  const before = countReplaced(server);
  process.kill(server.pid, 'SIGHUP');
  await waitUntil(async () => workersOf(server.pid).length > WORKERS, READY_WITHIN_MS, 'a successor starts');
  process.kill(first as number, 'SIGKILL');
  await waitUntil(async () => countReplaced(server) > before, 3 * READY_WITHIN_MS, 'all are replaced');
  await waitUntilComplete(server);
});

test('when no worker can be launched the others go on, and a missing one is replaced as soon as that is possible', async () => {
  // The program of Node is gone, as while its package is installed again.
  const folder = makeDataDir();
  const program = join(folder, 'node');
  copyFileSync(process.execPath, program);
  const command = [program, '--require', './require-node-24.cjs', 'server/src/main.ts'];
  const server = (await startProcess(environment, folder, command)) as Server;
  await waitUntilComplete(server);
  const { key } = await makeTenant(server);
  const workers = workersOf(server.pid);

  renameSync(program, `${program}-away`);
  process.kill(server.pid, 'SIGHUP');
  await waitUntil(async () => server.output().includes('the old ones go on'), READY_WITHIN_MS, 'the restart ends');
  assert.deepEqual(workersOf(server.pid), workers);
  process.kill(workers[0] as number, 'SIGKILL');
  const hasFailed = async () => /ENOENT.*a worker ended and is replaced/.test(server.output());
  await waitUntil(hasFailed, READY_WITHIN_MS, 'a launch fails');
  assert.equal(await request(server, '/api/v1/projects', key), 200);

  renameSync(`${program}-away`, program);
  await waitUntilComplete(server);
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
});

test('a frozen worker is killed during a restart, and a second SIGHUP meanwhile is not lost', async () => {
  const limits = { TOOLGATE_DRAIN_MS: '0', TOOLGATE_STOP_TIMEOUT_MS: '100' };
  const server = await startWorkers(makeDataDir(), limits);
  const [frozen] = workersOf(server.pid);
  process.kill(frozen as number, 'SIGSTOP');
  process.kill(server.pid, 'SIGHUP');
  await waitUntil(async () => workersOf(server.pid).length > WORKERS, READY_WITHIN_MS, 'a successor starts');
  process.kill(server.pid, 'SIGHUP');
  await waitUntil(async () => countReplaced(server) === 2, 4 * READY_WITHIN_MS, 'all are replaced twice');
  assert.ok(isGone(frozen as number));
  await waitUntilComplete(server);
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
});

test('SIGTERM: requests in progress are answered, all processes end, and the exit code is 0', async () => {
  const { key } = await makeTenant(server);
  const workers = workersOf(server.pid);
  const answers = Promise.all(Array.from({ length: 20 }, () => request(server, '/api/v1/projects', key)));
  const ended = server.stop('SIGTERM');
  assert.deepEqual(new Set(await answers), new Set([200]));
  assert.deepEqual(await ended, { code: 0, signal: null });
  assert.ok(workers.every(isGone));
  assert.doesNotMatch(server.output(), /"level":"fatal"/);
  // The primary has stopped its PostgreSQL: the next start finds the data.
  const again = await startWorkers(server.data_dir);
  assert.equal(await request(again, '/api/v1/projects', key), 200);
  await again.stop();
});

test('when the primary is killed, its workers end, and the next start continues', async () => {
  const first = await startWorkers();
  const { key } = await makeTenant(first);
  const workers = workersOf(first.pid);
  await first.stop('SIGKILL');
  await waitUntil(async () => workers.every(isGone), 10_000, 'the workers have ended');
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
