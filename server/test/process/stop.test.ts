// Stopping: SIGTERM finishes the requests in progress; kill -9 loses nothing that was acknowledged.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import pg from 'pg';
import { copyTemplate } from '../support/database/test-database.ts';
import { expectResponse } from '../support/make/make.ts';
import {
  postgresProcesses,
  type ServerProcess,
  serverCommand,
  startProcess,
} from '../support/servers/start-process.ts';
import { MASTER_KEY, ROOT_KEY } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const key = ROOT_KEY;
const embedded = { TOOLGATE_ROOT_KEY: ROOT_KEY };

const makeProject = async (server: ServerProcess) =>
  expectResponse(await server.api('POST', '/projects', { key, body: { name: 'Shop', plan: 'enterprise' } }), 201);

const isRefused = (server: ServerProcess) =>
  server.api('GET', '/healthz').then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'ECONNREFUSED',
  );

/** A server on a database of the test run. */
async function startExternal(
  environment: Record<string, string> = {},
  command?: string[],
): Promise<ServerProcess & { database_url: string }> {
  const database = await copyTemplate();
  const settings = { ...embedded, DATABASE_URL: database.url, TOOLGATE_MASTER_KEYS: MASTER_KEY, ...environment };
  const server = await startProcess(settings, undefined, command);
  after(async () => {
    await server.stop('SIGKILL');
    await database.drop();
  });
  return { ...server, database_url: database.url };
}

test('SIGTERM: a request in progress still gets its response, new ones are not accepted, and the process exits with 0', async () => {
  const server = await startExternal();
  const project = await makeProject(server);
  const other = new pg.Client(server.database_url);
  await other.connect();
  await other.query('begin');
  await other.query('select from projects where id = $1 for update', [project.id]);

  const slow = server.api('PATCH', `/projects/${project.id}`, { key, body: { name: 'Renamed while stopping' } });
  const isWaiting = async () =>
    (await other.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
      .rowCount === 1;
  await waitUntil(isWaiting, 60_000, 'the request waits for the row');
  const ended = server.stop('SIGTERM');
  await waitUntil(() => isRefused(server), 60_000, 'new connections are refused');
  await other.query('commit');

  assert.equal(expectResponse(await slow, 200).name, 'Renamed while stopping');
  assert.deepEqual(await ended, { code: 0, signal: null });
  assert.doesNotMatch(server.output(), /requests in progress are aborted/);
  const { rows } = await other.query('select name from projects where id = $1', [project.id]);
  assert.deepEqual(rows, [{ name: 'Renamed while stopping' }]);
  await other.end();
});

/** Sends one request; null when the connection was refused, so that it was not sent. */
function sendRequest(server: ServerProcess, path: string, agent: Agent | false) {
  return new Promise<{ status: number; closes: boolean } | null>((done, fail) => {
    const request = get(server.url + path, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      const seen = { status: response.statusCode ?? 0, closes: response.headers.connection === 'close' };
      response
        .resume()
        .on('end', () => done(seen))
        .on('error', fail);
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      // Refused or reset while connecting: it was not sent.
      if (error.code === 'ECONNREFUSED' || error.syscall === 'connect') done(null);
      else fail(error);
    });
  });
}

test('SIGTERM: a client that is slow to read a long response still gets all of it', async () => {
  const server = await startExternal({ TOOLGATE_DRAIN_MS: '0' });
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  // Together they are longer than what the system keeps for a client that does not read.
  socket.write('GET /api/v1/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(4));
  await waitUntil(async () => socket.bytesRead > 0, 60_000, 'the response begins');
  const ended = server.stop('SIGTERM');
  // Idle connections have been closed by then.
  await waitUntil(() => isRefused(server), 60_000, 'it accepts no connection');
  const responses = Buffer.concat(await socket.toArray())
    .toString('latin1')
    .split(/(?=HTTP\/1\.1 200 OK\r\n)/);
  for (const response of responses)
    assert.equal(response.split('\r\n\r\n')[1]?.length, Number(/content-length: (\d+)/i.exec(response)?.[1]));
  assert.deepEqual(await ended, { code: 0, signal: null });
});

test('SIGTERM under load: every request that was sent, on an open or a new connection, gets its response', async () => {
  const server = await startExternal({ TOOLGATE_LOG_LEVEL: 'warn' });
  const kept = new Agent({ keepAlive: true });
  let isStopping = false;
  let served = 0;
  let served_while_stopping = 0;
  const client = async (agent: Agent | false) => {
    for (;;) {
      const response = await sendRequest(server, '/api/v1/projects', agent);
      if (response === null) return;
      assert.equal(response.status, 200);
      served += 1;
      if (isStopping && response.closes) served_while_stopping += 1;
    }
  };
  const clients = Promise.all(Array.from({ length: 20 }, (_, i) => client(i % 2 === 0 ? kept : false)));
  await waitUntil(async () => served > 200, 60_000, 'the load runs');
  isStopping = true;
  const ended = server.stop('SIGTERM');
  await clients;
  assert.ok(served_while_stopping > 0);
  assert.deepEqual(await ended, { code: 0, signal: null });
});

test('SIGTERM: while it drains it is not ready, is healthy, and serves with "Connection: close"', async () => {
  const server = await startExternal({ TOOLGATE_DRAIN_MS: '3000' });
  const ended = server.stop('SIGTERM');
  await waitUntil(async () => (await sendRequest(server, '/readyz', false))?.status === 503, 2_000, 'it is not ready');
  const agent = new Agent({ keepAlive: true });
  assert.deepEqual(await sendRequest(server, '/healthz', agent), { status: 200, closes: true });
  assert.deepEqual(await sendRequest(server, '/api/v1/projects', agent), { status: 200, closes: true });
  assert.deepEqual(await ended, { code: 0, signal: null });
});

test('SIGTERM: a request that arrives on an idle connection while the server is busy gets its response', async () => {
  const fixture = ['--import', './server/test/fixtures/busy-while-stopping.ts'];
  const command = serverCommand(...fixture);
  const server = await startExternal({ TOOLGATE_DRAIN_MS: '200' }, command);
  const idle = Array.from({ length: 5 }, () => new Agent({ keepAlive: true }));
  const sendAll = () => Promise.all(idle.map((agent) => sendRequest(server, '/api/v1/projects', agent)));
  assert.deepEqual(await sendAll(), Array(5).fill({ status: 200, closes: false }));

  const ended = server.stop('SIGTERM');
  await waitUntil(async () => server.output().includes('the event loop is blocked'), 60_000, 'the server is busy');
  assert.deepEqual(await sendAll(), Array(5).fill({ status: 200, closes: true }));
  assert.deepEqual(await ended, { code: 0, signal: null });
});

test('SIGINT does not drain', async () => {
  const server = await startExternal({ TOOLGATE_DRAIN_MS: '600000' });
  assert.deepEqual(await server.stop('SIGINT'), { code: 0, signal: null });
});

test('a request that does not end is aborted after TOOLGATE_STOP_TIMEOUT_MS', async () => {
  const server = await startExternal({ TOOLGATE_DRAIN_MS: '0', TOOLGATE_STOP_TIMEOUT_MS: '100' });
  const project = await makeProject(server);
  const other = new pg.Client(server.database_url);
  await other.connect();
  await other.query('begin');
  await other.query('select from projects where id = $1 for update', [project.id]);
  const slow = server.api('PATCH', `/projects/${project.id}`, { key, body: { name: 'Never' } });
  const failed = assert.rejects(slow);
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await waitUntil(async () => (await other.query(waiting)).rowCount === 1, 60_000, 'the request waits for the row');
  const ended = server.stop('SIGTERM');
  await failed;
  await other.query('rollback');
  await other.end();
  assert.deepEqual(await ended, { code: 0, signal: null });
  assert.match(server.output(), /requests in progress are aborted/);
});

test('an embedded PostgreSQL that is frozen is killed, and the next start has all acknowledged data', {
  timeout: 600_000,
}, async () => {
  const server = await startProcess(embedded);
  const project = await makeProject(server);
  for (const pid of postgresProcesses(server.data_dir)) process.kill(pid, 'SIGSTOP');
  assert.deepEqual(await server.stop('SIGTERM'), { code: 0, signal: null });

  const next = await startProcess(embedded, server.data_dir);
  expectResponse(await next.api('GET', `/projects/${project.id}`, { key }), 200);
  assert.deepEqual(await next.stop(), { code: 0, signal: null });
});

test('SIGHUP ends a single process as SIGTERM does', async () => {
  const server = await startExternal();
  assert.deepEqual(await server.stop('SIGHUP'), { code: 0, signal: null });
  assert.match(server.output(), /"msg":"stopped"/);
});

test('SIGTERM: idle connections kept alive do not hold the process, and a second signal changes nothing', async () => {
  const server = await startProcess(embedded);
  await Promise.all(Array.from({ length: 5 }, () => server.api('GET', '/projects', { key })));
  const ended = server.stop('SIGTERM');
  assert.deepEqual(await server.stop('SIGTERM'), { code: 0, signal: null });
  assert.deepEqual(await ended, { code: 0, signal: null });
});

test('SIGTERM to "npm start" reaches the server, and npm ends with 0', async () => {
  const server = await startProcess(embedded, undefined, ['npm', 'start']);
  assert.deepEqual(await server.stop('SIGTERM'), { code: 0, signal: null });
  assert.match(server.output(), /"msg":"stopped"/);
  assert.deepEqual(await (await startProcess(embedded, server.data_dir)).stop(), { code: 0, signal: null });
});

test('kill -9 while keys are made and revoked loses none that was acknowledged, and the next start works', async () => {
  const first = await startProcess(embedded);
  const project = await makeProject(first);
  const keys = `/projects/${project.id}/api-keys`;
  const made: { id: string; key: string }[] = [];
  const revoked: string[] = [];
  // Each writer runs until the server is gone; the responses it received until then are the acknowledged changes.
  const writers = Array.from({ length: 4 }, async () => {
    for (;;) {
      const body = { name: 'k', permissions: ['read'] };
      const [kept, ended] = await Promise.all([
        first.api('POST', keys, { key, body }),
        first.api('POST', keys, { key, body }),
      ]);
      made.push(expectResponse(kept, 201));
      expectResponse(await first.api('POST', `${keys}/${ended.body.id}/revoke`, { key }), 200);
      revoked.push(ended.body.key);
    }
  });
  const allGone = Promise.allSettled(writers);
  await waitUntil(async () => revoked.length >= 12, 60_000, 'a dozen keys are made and as many revoked');
  await first.stop('SIGKILL');
  await allGone;

  const second = await startProcess(embedded, first.data_dir);
  for (const { key } of made) expectResponse(await second.api('GET', `/projects/${project.id}`, { key }), 200);
  for (const key of revoked.slice(0, 50))
    expectResponse(await second.api('GET', `/projects/${project.id}`, { key }), 401);
  assert.deepEqual(await second.stop(), { code: 0, signal: null });
});
