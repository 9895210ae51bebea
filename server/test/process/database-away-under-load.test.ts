// The database goes away while tool calls and deliveries are under way: they end without it, the process lives, requests
// get 503 within 2 s, and it is well again within 5 s. These are promises of time, so these tests look at the clock.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { cutOff } from '../cut-off.ts';
import { startCustomer, testAuthority } from '../fake-customer.ts';
import { expectAnswer } from '../make.ts';
import { toolFields } from '../make-tools.ts';
import { makeWebhook } from '../make-webhook.ts';
import { killPostgres, type ServerProcess, signalAllOfPostgres, startProcess, until } from '../start-process.ts';
import { type Answer, ROOT_KEY } from '../start-server.ts';
import { copyTemplate } from '../test-database.ts';

const ANSWER_WITHIN_MS = 2_000;
const NORMAL_WITHIN_MS = 5_000;
const WITHIN_MS = 30_000;
const CALLS = 6;

const folder = mkdtempSync(join(tmpdir(), 'toolgate-ca-'));
after(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'ca.pem'), testAuthority.certificate);
const customer = await startCustomer();
after(() => customer.close());
const environment = {
  TOOLGATE_ROOT_KEY: ROOT_KEY,
  TOOLGATE_MASTER_KEYS: `t1:${Buffer.alloc(32, 7).toString('base64')}`,
  TOOLGATE_EGRESS_ALLOW: customer.address,
  NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
};

type World = Awaited<ReturnType<typeof makeWorld>>;

/** A project with a tool, and a webhook that is told of its calls. */
async function makeWorld(server: ServerProcess) {
  const body = { name: 'Shop', plan: 'enterprise' };
  const project = expectAnswer(await server.api('POST', '/projects', { key: ROOT_KEY, body }), 201);
  const keys = `/projects/${project.id}/api-keys`;
  const made = await server.api('POST', keys, { key: ROOT_KEY, body: { name: 'k', permissions: ['admin'] } });
  const { key } = expectAnswer(made, 201);
  const fields = toolFields(customer.url, { timeout_ms: 30_000 });
  const tool = expectAnswer(await server.api('POST', '/custom-tools', { key, body: fields }), 201);
  const webhook = await makeWebhook(server, customer, project.id, { events: ['tool_call.*'] });
  const call = () => server.api('POST', `/custom-tools/${tool.id}/execute`, { key, body: { arguments: {} } });
  return { server, key: key as string, path: tool.endpoint_path as string, webhook, call };
}

async function inTime(request: Promise<Answer>): Promise<Answer> {
  const began = performance.now();
  const answer = await request;
  const took = performance.now() - began;
  assert.ok(took <= ANSWER_WITHIN_MS, `${answer.status} after ${Math.round(took)} ms`);
  return answer;
}

/** Calls and a delivery are under way, the database leaves, they end, it comes back. */
async function endWithoutDatabase(
  { server, key, path, webhook, call }: World,
  { leave, comeBack }: { leave(): unknown; comeBack(): unknown },
): Promise<void> {
  const isReady = async () => (await server.api('GET', '/readyz')).status === 200;
  await until(isReady, WITHIN_MS, 'it is ready');
  const [calls, deliveries] = [customer.at(path).length, customer.at(webhook.path).length];
  const held = Promise.withResolvers<void>();
  customer.answer(webhook.path, { status: 200, hold: held.promise });
  expectAnswer(await call(), 200);
  await until(async () => customer.at(webhook.path).length > deliveries, WITHIN_MS, 'a delivery is under way');
  customer.answer(path, { hold: held.promise });
  const answers = Promise.all(Array.from({ length: CALLS }, call));
  await until(async () => customer.at(path).length === calls + 1 + CALLS, WITHIN_MS, 'the calls are under way');

  await leave();
  await until(async () => (await server.api('GET', '/readyz')).status === 503, ANSWER_WITHIN_MS, 'it is missed');
  held.resolve();
  for (const answer of await answers) expectAnswer(answer, 200);
  customer.answer(path, {});
  await comeBack();

  const list = () => inTime(server.api('GET', '/custom-tools', { key }));
  await until(async () => (await list()).status === 200, NORMAL_WITHIN_MS, 'requests are answered again');
  await until(isReady, 1_000, 'it is ready again');
  const before = customer.at(webhook.path).length;
  expectAnswer(await call(), 200);
  await until(async () => customer.at(webhook.path).length > before, WITHIN_MS, 'calls are told of again');
  assert.doesNotMatch(server.output(), /uncaught error|unhandled rejection/);
}

async function expectAway({ server, key }: World): Promise<void> {
  for (const answer of await Promise.all(
    Array.from({ length: 4 }, () => inTime(server.api('GET', '/custom-tools', { key }))),
  )) {
    expectAnswer(answer, 503, 'Service unavailable');
  }
}

test('an external database', async (t) => {
  const database = await copyTemplate();
  t.after(database.drop);
  const way = await cutOff(database.url);
  const server = await startProcess({ ...environment, DATABASE_URL: way.url });
  const world = await makeWorld(server);
  for (const [what, leave] of [
    ['is stopped', way.cut],
    ['no longer answers', () => way.freeze()],
  ] as const) {
    await t.test(`that ${what} ends no process, while calls and deliveries end`, () =>
      endWithoutDatabase(world, {
        leave,
        async comeBack() {
          await expectAway(world);
          await way.restore();
        },
      }),
    );
  }
  await t.test('whose connections are half-open is connected to anew', () =>
    endWithoutDatabase(world, { leave: () => way.leaveHalfOpen(), comeBack: () => {} }),
  );
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
});

test('an embedded database', async (t) => {
  const server = await startProcess(environment);
  const { data_dir } = server;
  const world = await makeWorld(server);
  for (const [what, signal] of [
    ['is killed', 'SIGKILL'],
    ['is told to end', 'SIGINT'],
  ] as const) {
    await t.test(`that ${what} ends no process, while calls and deliveries end`, () =>
      endWithoutDatabase(world, { leave: () => killPostgres(data_dir, signal), comeBack: () => {} }),
    );
  }
  await t.test('that is frozen ends no process, while calls and deliveries end', () =>
    endWithoutDatabase(world, {
      leave: () => signalAllOfPostgres(data_dir, 'SIGSTOP'),
      async comeBack() {
        await expectAway(world);
        signalAllOfPostgres(data_dir, 'SIGCONT');
      },
    }),
  );
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
});
