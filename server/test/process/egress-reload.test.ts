// SIGHUP reads TOOLGATE_EGRESS_ALLOW_FILE again: in a single process, and with several workers.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeDataDir, runProcess, type ServerProcess, startProcess } from '../support/servers/start-process.ts';
import { ROOT_KEY } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const file = join(makeDataDir(), 'egress-allow');
const environment = { TOOLGATE_ROOT_KEY: ROOT_KEY, TOOLGATE_EGRESS_ALLOW_FILE: file };
const READ_WITHIN_MS = 60_000;

const listOf = async (server: ServerProcess): Promise<string[]> =>
  (await server.api('GET', '/readyz', { key: ROOT_KEY })).body.egress_allow;

test('a single process reads the list again and goes on; a list with a mistake changes nothing', async () => {
  writeFileSync(file, '10.0.0.5:8443\n');
  const server = await startProcess(environment);
  assert.deepEqual(await listOf(server), ['10.0.0.5:8443']);
  assert.match(server.output(), /Tools can also reach: 10\.0\.0\.5:8443/);

  writeFileSync(file, '# ours\n10.0.0.0/8\n*.svc.local # the cluster\nhttp://127.0.0.1:8080\n');
  process.kill(server.pid, 'SIGHUP');
  const now = ['10.0.0.0/8', '*.svc.local', 'http://127.0.0.1:8080'];
  await waitUntil(async () => (await listOf(server)).length === 3, READ_WITHIN_MS, 'the list is read again');
  assert.deepEqual(await listOf(server), now);

  writeFileSync(file, '10.0.0.5/8');
  process.kill(server.pid, 'SIGHUP');
  const isReported = async () =>
    /has an invalid entry: \\"10\.0\.0\.5\/8\\": the range begins at/.test(server.output());
  await waitUntil(isReported, READ_WITHIN_MS, 'the mistake is logged');
  assert.deepEqual(await listOf(server), now);
  assert.deepEqual(await server.stop('SIGTERM'), { code: 0, signal: null });
});

test('with several workers each new one has the list of then', async () => {
  writeFileSync(file, '10.0.0.5:8443');
  const server = await startProcess({ ...environment, TOOLGATE_WORKERS: '2' });
  assert.deepEqual(await listOf(server), ['10.0.0.5:8443']);
  writeFileSync(file, 'api.internal:443');
  process.kill(server.pid, 'SIGHUP');
  await waitUntil(async () => server.output().includes('all workers were replaced'), 120_000, 'all are replaced');
  for (let i = 0; i < 4; i += 1) assert.deepEqual(await listOf(server), ['api.internal:443']);
  assert.deepEqual(await server.stop('SIGTERM'), { code: 0, signal: null });
});

test('a start with an entry that means nothing ends with a sentence that names it', async () => {
  const { code, output } = await runProcess({ TOOLGATE_EGRESS_ALLOW: '10.0.0.1, https://api.internal' });
  assert.equal(code, 1);
  assert.match(
    output,
    /TOOLGATE_EGRESS_ALLOW has an invalid entry: "https:\/\/api\.internal": remove everything before the host/,
  );
});
