// Stopping: SIGTERM finishes what is under way; kill -9 loses nothing that was acknowledged.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { expectAnswer } from '../make.ts';
import { type ServerProcess, startProcess, until } from '../start-process.ts';
import { ROOT_KEY } from '../start-server.ts';
import { copyTemplate } from '../test-database.ts';

const MASTER_KEY = `t1:${Buffer.alloc(32, 7).toString('base64')}`;
const key = ROOT_KEY;
const embedded = { TOOLGATE_ROOT_KEY: ROOT_KEY };

const makeProject = async (server: ServerProcess) =>
  expectAnswer(await server.api('POST', '/projects', { key, body: { name: 'Shop', plan: 'enterprise' } }), 201);

const isRefused = (server: ServerProcess) =>
  server.api('GET', '/healthz').then(
    () => false,
    (error: Error) => (error.cause as NodeJS.ErrnoException)?.code === 'ECONNREFUSED',
  );

test('SIGTERM: a request under way still gets its answer, new ones are not accepted, and the process ends with 0', async () => {
  const database = await copyTemplate();
  const server = await startProcess({
    ...embedded,
    DATABASE_URL: database.url,
    TOOLGATE_MASTER_KEYS: MASTER_KEY,
  });
  const project = await makeProject(server);
  const other = new pg.Client(database.url);
  await other.connect();
  await other.query('begin');
  await other.query('select from projects where id = $1 for update', [project.id]);

  const slow = server.api('PATCH', `/projects/${project.id}`, { key, body: { name: 'Renamed while stopping' } });
  const isWaiting = async () =>
    (await other.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
      .rowCount === 1;
  await until(isWaiting, 10_000, 'the request waits for the row');
  const ended = server.stop('SIGTERM');
  await until(() => isRefused(server), 5_000, 'new connections are refused');
  await other.query('commit');

  assert.equal(expectAnswer(await slow, 200).name, 'Renamed while stopping');
  assert.deepEqual(await ended, { code: 0, signal: null });
  assert.doesNotMatch(server.output(), /broken off/);
  const { rows } = await other.query('select name from projects where id = $1', [project.id]);
  assert.deepEqual(rows, [{ name: 'Renamed while stopping' }]);
  await other.end();
  await database.drop();
});

test('SIGTERM: idle connections kept alive do not hold the process, and a second signal changes nothing', async () => {
  const server = await startProcess(embedded);
  await Promise.all(Array.from({ length: 5 }, () => server.api('GET', '/projects', { key })));
  const ended = server.stop('SIGTERM');
  void server.stop('SIGTERM');
  assert.deepEqual(await ended, { code: 0, signal: null });
});

test('SIGTERM to "npm start" reaches the server', async () => {
  const server = await startProcess(embedded, undefined, ['npm', 'start']);
  await server.stop('SIGTERM');
  assert.match(server.output(), /"msg":"stopped"/);
  assert.deepEqual(await (await startProcess(embedded, server.data_dir)).stop(), { code: 0, signal: null });
});

test('kill -9 while keys are made and revoked loses none that was acknowledged, and the next start works', async () => {
  const first = await startProcess(embedded);
  const project = await makeProject(first);
  const keys = `/projects/${project.id}/api-keys`;
  const made: { id: string; key: string }[] = [];
  const revoked: string[] = [];
  // Each writer goes on until the server is gone; what it has been told by then is acknowledged.
  const writers = Array.from({ length: 4 }, async () => {
    for (;;) {
      const body = { name: 'k', permissions: ['read'] };
      const [kept, ended] = await Promise.all([
        first.api('POST', keys, { key, body }),
        first.api('POST', keys, { key, body }),
      ]);
      made.push(expectAnswer(kept, 201));
      expectAnswer(await first.api('POST', `${keys}/${ended.body.id}/revoke`, { key }), 200);
      revoked.push(ended.body.key);
    }
  });
  const allGone = Promise.allSettled(writers);
  await until(async () => revoked.length >= 12, 30_000, 'a dozen keys are made and as many revoked');
  await first.stop('SIGKILL');
  await allGone;

  const second = await startProcess(embedded, first.data_dir);
  for (const { key } of made) expectAnswer(await second.api('GET', `/projects/${project.id}`, { key }), 200);
  for (const key of revoked.slice(0, 50))
    expectAnswer(await second.api('GET', `/projects/${project.id}`, { key }), 401);
  assert.deepEqual(await second.stop(), { code: 0, signal: null });
});
