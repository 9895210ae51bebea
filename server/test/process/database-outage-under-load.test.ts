// The database becomes unavailable during tool calls and deliveries: these complete without it, the process survives, requests
// get 503 within 2 s, and operation is normal within 5 s. These are promises of time, so these tests measure it.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startDatabaseProxy } from '../support/database/database-proxy.ts';
import { copyTemplate } from '../support/database/test-database.ts';
import { expectResponse } from '../support/make/make.ts';
import { toolFields } from '../support/make/make-tools.ts';
import { makeWebhook } from '../support/make/make-webhook.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { writeAuthorityFile } from '../support/peers/write-authority-file.ts';
import { killPostgres, postgresProcesses, type ServerProcess, startProcess } from '../support/servers/start-process.ts';
import { MASTER_KEY, ROOT_KEY } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';
import { expectInTime, expectUnavailable, NORMAL_WITHIN_MS, RESPONSE_WITHIN_MS } from './response-times.ts';

const WITHIN_MS = 30_000;
const CALLS = 6;

const customer = await startCustomer();
after(() => customer.close());
const environment = {
  TOOLGATE_ROOT_KEY: ROOT_KEY,
  TOOLGATE_MASTER_KEYS: MASTER_KEY,
  TOOLGATE_EGRESS_ALLOW: customer.address,
  NODE_EXTRA_CA_CERTS: writeAuthorityFile(),
};

type Setup = Awaited<ReturnType<typeof setUp>>;

/** A project with a tool, and a webhook that subscribes to its calls. */
async function setUp(server: ServerProcess) {
  const body = { name: 'Shop', plan: 'enterprise' };
  const project = expectResponse(await server.api('POST', '/projects', { key: ROOT_KEY, body }), 201);
  const keys = `/projects/${project.id}/api-keys`;
  const made = await server.api('POST', keys, { key: ROOT_KEY, body: { name: 'k', permissions: ['admin'] } });
  const { key } = expectResponse(made, 201);
  const fields = toolFields(customer.url, { timeout_ms: 30_000 });
  const tool = expectResponse(await server.api('POST', '/custom-tools', { key, body: fields }), 201);
  const webhook = await makeWebhook(server, customer, project.id, { events: ['tool_call.*'] });
  const call = () => server.api('POST', `/custom-tools/${tool.id}/execute`, { key, body: { arguments: {} } });
  return { server, key: key as string, path: tool.endpoint_path as string, webhook, call };
}

const outages = (server: ServerProcess) => server.output().split('the database is unavailable').length;

/** Calls and a delivery are in progress, the database becomes unavailable, they complete, the database is available again. */
async function completeWithoutDatabase(
  { server, key, path, webhook, call }: Setup,
  { disconnect, reconnect }: { disconnect(): unknown; reconnect(): unknown },
): Promise<void> {
  const isReady = async () => (await server.api('GET', '/readyz')).status === 200;
  await waitUntil(isReady, WITHIN_MS, 'it is ready');
  const [calls, deliveries] = [customer.at(path).length, customer.at(webhook.path).length];
  const held = Promise.withResolvers<void>();
  customer.respond(webhook.path, { status: 200, hold: held.promise });
  expectResponse(await call(), 200);
  await waitUntil(async () => customer.at(webhook.path).length > deliveries, WITHIN_MS, 'a delivery is in progress');
  customer.respond(path, { hold: held.promise });
  const responses = Promise.all(Array.from({ length: CALLS }, call));
  await waitUntil(async () => customer.at(path).length === calls + 1 + CALLS, WITHIN_MS, 'the calls are in progress');

  const noticed = outages(server);
  await disconnect();
  // From the log: a database that only lost its connections is available again before another request could see it.
  await waitUntil(async () => outages(server) > noticed, RESPONSE_WITHIN_MS, 'the outage is noticed');
  held.resolve();
  for (const response of await responses) expectResponse(response, 200);
  customer.respond(path, {});
  await reconnect();

  const list = () => expectInTime(server.api('GET', '/custom-tools', { key }));
  await waitUntil(async () => (await list()).status === 200, NORMAL_WITHIN_MS, 'requests succeed again');
  await waitUntil(isReady, 1_000, 'it is ready again');
  const before = customer.at(webhook.path).length;
  expectResponse(await call(), 200);
  await waitUntil(
    async () => customer.at(webhook.path).length > before,
    WITHIN_MS,
    'calls are delivered to the webhook again',
  );
  assert.doesNotMatch(server.output(), /uncaught error|unhandled rejection/);
}

async function expectAllUnavailable({ server, key }: Setup): Promise<void> {
  const requests = Array.from({ length: 4 }, () => expectInTime(server.api('GET', '/custom-tools', { key })));
  for (const response of await Promise.all(requests)) expectUnavailable(response);
}

test('an external database', async (t) => {
  const database = await copyTemplate();
  t.after(database.drop);
  const proxy = await startDatabaseProxy(database.url);
  const server = await startProcess({ ...environment, DATABASE_URL: proxy.url });
  const setup = await setUp(server);
  for (const [what, disconnect] of [
    ['is stopped', proxy.cut],
    ['no longer responds', () => proxy.freeze()],
  ] as const) {
    await t.test(`that ${what} does not end the process, and calls and deliveries complete`, () =>
      completeWithoutDatabase(setup, {
        disconnect,
        async reconnect() {
          await expectAllUnavailable(setup);
          await proxy.restore();
        },
      }),
    );
  }
  await t.test('with half-open connections is reconnected', () =>
    completeWithoutDatabase(setup, { disconnect: () => proxy.leaveHalfOpen(), reconnect: () => {} }),
  );
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
});

test('an embedded database', async (t) => {
  const server = await startProcess(environment);
  const { data_dir } = server;
  const signalAll = (signal: NodeJS.Signals) => {
    for (const pid of postgresProcesses(data_dir)) process.kill(pid, signal);
  };
  const setup = await setUp(server);
  for (const [what, signal] of [
    ['is killed', 'SIGKILL'],
    ['is terminated', 'SIGINT'],
  ] as const) {
    await t.test(`that ${what} does not end the process, and calls and deliveries complete`, () =>
      completeWithoutDatabase(setup, { disconnect: () => killPostgres(data_dir, signal), reconnect: () => {} }),
    );
  }
  await t.test('that is frozen does not end the process, and calls and deliveries complete', () =>
    completeWithoutDatabase(setup, {
      disconnect: () => signalAll('SIGSTOP'),
      async reconnect() {
        await expectAllUnavailable(setup);
        signalAll('SIGCONT');
      },
    }),
  );
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
});
