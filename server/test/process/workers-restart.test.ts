// SIGHUP with TOOLGATE_WORKERS: all workers are replaced without a lost request, whatever fails meanwhile.

import assert from 'node:assert/strict';
import { copyFileSync, renameSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { copyDataDir, serverCommand, startProcess, workersOf } from '../support/servers/start-process.ts';
import { waitUntil } from '../support/wait-until.ts';
import {
  environment,
  isGone,
  makeTenant,
  READY_WITHIN_MS,
  request,
  type Server,
  startWorkers,
  WORKERS,
  waitUntilComplete,
} from './start-workers.ts';

/** How often all workers were replaced. */
const countReplaced = ({ output }: Server) => output().split('all workers were replaced').length - 1;

const server = await startWorkers();

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
  await waitUntil(async () => served > 50, 60_000, 'the load runs');
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
  const folder = copyDataDir();
  const program = join(folder, 'node');
  copyFileSync(process.execPath, program);
  const command = [program, ...serverCommand().slice(1)];
  const server = (await startProcess(environment, folder, command)) as Server;
  await waitUntilComplete(server);
  const { key } = await makeTenant(server);
  const workers = workersOf(server.pid);

  renameSync(program, `${program}-away`);
  process.kill(server.pid, 'SIGHUP');
  await waitUntil(async () => server.output().includes('the old ones continue'), READY_WITHIN_MS, 'the restart ends');
  assert.deepEqual(workersOf(server.pid), workers);
  process.kill(workers[0] as number, 'SIGKILL');
  const hasFailed = async () => /ENOENT.*a worker exited and is replaced/.test(server.output());
  await waitUntil(hasFailed, READY_WITHIN_MS, 'a launch fails');
  assert.equal(await request(server, '/api/v1/projects', key), 200);

  renameSync(`${program}-away`, program);
  await waitUntilComplete(server);
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
});

test('a frozen worker is killed during a restart, and a second SIGHUP meanwhile is not lost', async () => {
  const limits = { TOOLGATE_DRAIN_MS: '0', TOOLGATE_STOP_TIMEOUT_MS: '100' };
  const server = await startWorkers(copyDataDir(), limits);
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
