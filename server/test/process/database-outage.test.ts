// The database becomes unavailable and available again. These tests measure time, because the promise is one of time:
// a response within 2 s while it is unavailable, normal operation within 5 s of its return.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeToken } from '../../src/secrets/tokens.ts';
import { startDatabaseProxy } from '../support/database/database-proxy.ts';
import { copyTemplate } from '../support/database/test-database.ts';
import { expectResponse } from '../support/make/make.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';
import { killPostgres, postgresProcesses, type ServerProcess, startProcess } from '../support/servers/start-process.ts';
import { MASTER_KEY, ROOT_KEY } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';
import { expectInTime, expectUnavailable, NORMAL_WITHIN_MS, RESPONSE_WITHIN_MS } from './response-times.ts';

const key = ROOT_KEY;

const createProject = (server: ServerProcess) =>
  server.api('POST', '/projects', { key, body: { name: 'Shop', plan: 'enterprise' } });

async function expectNormalAgain(server: ServerProcess): Promise<void> {
  const isNormal = async () => (await createProject(server)).status === 201;
  await waitUntil(isNormal, NORMAL_WITHIN_MS, 'a project can be made again');
  await waitUntil(async () => (await server.api('GET', '/readyz')).status === 200, 1_000, 'it is ready again');
}

const database = await copyTemplate();
after(database.drop);
const proxy = await startDatabaseProxy(database.url);
const external = await startProcess({
  DATABASE_URL: proxy.url,
  TOOLGATE_ROOT_KEY: ROOT_KEY,
  TOOLGATE_MASTER_KEYS: MASTER_KEY,
});

for (const [what, disconnect] of [
  ['is stopped', proxy.cut],
  ['no longer responds', async () => proxy.freeze()],
] as const) {
  test(`when the external database ${what}, requests get 503 in time, and it is normal again soon after`, async () => {
    const project = expectResponse(await createProject(external), 201);
    await disconnect();
    const requests = [
      createProject(external),
      createProject(external),
      external.api('PATCH', `/projects/${project.id}`, { key, body: { name: 'x' } }),
      external.api('GET', '/projects', { key }),
    ];
    for (const response of await Promise.all(requests.map(expectInTime))) expectUnavailable(response);
    expectUnavailable(await external.api('GET', '/readyz'));
    expectResponse(await external.api('GET', '/healthz'), 200);
    const later = [createProject(external), external.api('GET', '/projects', { key })];
    for (const response of await Promise.all(later.map(expectInTime))) expectUnavailable(response);
    await proxy.restore();
    await expectNormalAgain(external);
  });
}

/** Returns a function that sends many more requests at once than there are permits and connections. */
async function prepareMany(server: ServerProcess): Promise<() => Promise<ApiResponse>[]> {
  const project = expectResponse(await createProject(server), 201);
  const keys = `/projects/${project.id}/api-keys`;
  const body = { name: 'k', permissions: ['admin'] };
  const { key: own } = expectResponse(await server.api('POST', keys, { key, body }), 201);
  expectResponse(await server.api('GET', '/custom-tools', { key: own }), 200);
  const sendSome = (i: number) => [
    server.api('GET', '/custom-tools', { key: own }),
    server.api('POST', keys, { key: own, body, headers: { 'idempotency-key': `k${i}` } }),
    server.api('PATCH', `/projects/${project.id}`, { key, body: { name: `n${i}` } }),
    server.api('GET', '/custom-tools', { key: makeToken('svc_live_') }),
  ];
  return () => Array.from({ length: 20 }, (_, i) => sendSome(i)).flat();
}

test('when the database freezes, each of many requests that wait for one another is answered in time', async (t) => {
  for (const [what, disconnect] of [
    ['no longer responds', () => proxy.freeze()],
    ['has half-open connections', () => proxy.leaveHalfOpen()],
  ] as const) {
    await t.test(`a database that ${what}`, async () => {
      const send = await prepareMany(external);
      disconnect();
      for (const response of await Promise.all(send().map(expectInTime)))
        if (response.status >= 500) expectUnavailable(response);
      await proxy.restore();
      await expectNormalAgain(external);
    });
  }
});

test('during an outage longer than any timeout requests still get 503 in time', async () => {
  proxy.freeze();
  await waitUntil(
    async () => (await external.api('GET', '/readyz')).status === 503,
    RESPONSE_WITHIN_MS,
    'it is not ready',
  );
  for (let round = 0; round < 5; round += 1) {
    expectUnavailable(await expectInTime(createProject(external)));
    await proxy.cut();
    expectUnavailable(await expectInTime(createProject(external)));
    await proxy.restore();
    proxy.freeze();
  }
  await proxy.restore();
  await expectNormalAgain(external);
  assert.deepEqual(await external.stop(), { code: 0, signal: null });
});

test('while an embedded PostgreSQL is restarted after a kill, or is frozen, requests get 503 in time', async () => {
  const server = await startProcess({ TOOLGATE_ROOT_KEY: ROOT_KEY });
  const project = expectResponse(await createProject(server), 201);
  killPostgres(server.data_dir, 'SIGKILL');
  const statuses = new Set<number>();
  const isNormal = async () => {
    const response = await expectInTime(createProject(server));
    statuses.add(response.status);
    if (response.status === 503) expectUnavailable(response);
    return response.status === 201;
  };
  // A request right after the kill may still get 201; wait until the outage was noticed.
  await waitUntil(
    async () => (await server.api('GET', '/readyz')).status === 503,
    RESPONSE_WITHIN_MS,
    'it is not ready',
  );
  await waitUntil(isNormal, NORMAL_WITHIN_MS, 'a project can be made again');
  assert.deepEqual([...statuses].sort(), [201, 503]);
  expectResponse(await server.api('GET', `/projects/${project.id}`, { key }), 200);

  const send = await prepareMany(server);
  const frozen = postgresProcesses(server.data_dir);
  for (const pid of frozen) process.kill(pid, 'SIGSTOP');
  for (const response of await Promise.all(send().map(expectInTime))) expectUnavailable(response);
  for (const pid of frozen) process.kill(pid, 'SIGCONT');
  await expectNormalAgain(server);
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
});
