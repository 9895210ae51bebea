// The wall clock of the server's machine jumps by hours, as after a correction or when a machine resumes: limits, keys and
// sessions go by the database's time, so nothing changes, not even for an instant.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectAnswer, makeKey, makeTenant } from '../make.ts';
import { exchange, isAlive, makeMemberTenant } from '../make-members.ts';
import { signAssertion } from '../sign-assertion.ts';
import { type ServerProcess, startProcess, until } from '../start-process.ts';
import { ROOT_KEY, type TestServer } from '../start-server.ts';
import { copyTemplate } from '../test-database.ts';

const HOUR_MS = 3_600_000;
const REQUESTS = 20;
const FORWARD = 'SIGUSR2';
const BACK = 'SIGHUP';

const database = await copyTemplate();
after(database.drop);
const environment = {
  DATABASE_URL: database.url,
  TOOLGATE_ROOT_KEY: ROOT_KEY,
  TOOLGATE_MASTER_KEYS: `t1:${Buffer.alloc(32, 7).toString('base64')}`,
};
const fixture = ['--import', './server/test/fixtures/jumping-clock.ts'];
const command = [process.execPath, '--require', './require-node-24.cjs', ...fixture, 'server/src/main.ts'];
const running = await startProcess(environment, undefined, command);
// What makes things in tests needs no more of a server than its API.
const server = running as ServerProcess & TestServer;

async function jump(signal: NodeJS.Signals): Promise<void> {
  const count = () => running.output().split('clock jumped').length;
  const before = count();
  process.kill(running.pid, signal);
  await until(async () => count() > before, 10_000, 'the clock has jumped');
}

/** Each of many requests, from the moment after the jump on, has this status. */
async function expectEach(key: string, path: string, status: number): Promise<void> {
  for (let i = 0; i < REQUESTS; i += 1) expectAnswer(await server.api('GET', path, { key }), status);
}

test('a jump by two hours, forward or back, lets no request more through the hour', async () => {
  const { id, keys } = await makeTenant(server, { plan: 'free' });
  const path = `/projects/${id}`;
  await until(
    async () => (await server.api('GET', path, { key: keys.read })).status === 429,
    30_000,
    'the hour is used up',
  );
  for (const signal of [FORWARD, BACK, BACK, FORWARD] as const) {
    await jump(signal);
    await expectEach(keys.read, path, 429);
  }
});

test('a jump forward ends no key, and a jump back does not revive one that has expired', async () => {
  const { id } = await makeTenant(server);
  const path = `/projects/${id}`;
  const expiring = (ms: number) =>
    makeKey(server, id, ['read'], { expires_at: new Date(Date.now() + ms).toISOString() });
  const [lasting, ending] = [await expiring(HOUR_MS), await expiring(2_000)];
  await jump(FORWARD);
  await expectEach(lasting.key, path, 200);
  await jump(BACK);
  await until(
    async () => (await server.api('GET', path, { key: ending.key })).status === 401,
    30_000,
    'it has expired',
  );
  await jump(BACK);
  await expectEach(ending.key, path, 401);
  await jump(FORWARD);
});

test('a jump forward ends no session, and new ones are made all the time', async () => {
  const tenant = await makeMemberTenant(server);
  const makeSession = async () => {
    const member_assertion = signAssertion(tenant.signer, tenant.id, Date.now(), { claims: { sub: 'ada' } });
    return expectAnswer(await exchange(server, tenant.integrationKey.key, { member_assertion }), 200).session_token;
  };
  const before = await makeSession();
  for (const signal of [FORWARD, BACK] as const) {
    await jump(signal);
    const during = await makeSession();
    for (let i = 0; i < REQUESTS; i += 1) {
      assert.ok(await isAlive(server, before));
      assert.ok(await isAlive(server, during));
    }
  }
});
