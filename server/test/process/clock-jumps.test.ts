// The wall clock of the server's machine jumps by hours, as after a correction or a suspend: limits, keys and sessions use the
// database's time, so nothing changes.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { copyTemplate } from '../support/database/test-database.ts';
import { expectResponse, makeKey, makeTenant } from '../support/make/make.ts';
import { exchange, isAlive, makeMemberTenant } from '../support/make/make-members.ts';
import { signAssertion } from '../support/make/sign-assertion.ts';
import { type ServerProcess, serverCommand, startProcess } from '../support/servers/start-process.ts';
import { MASTER_KEY, ROOT_KEY, type TestServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const HOUR_MS = 3_600_000;
const REQUESTS = 20;
const FORWARD = 'SIGUSR2';
const BACK = 'SIGURG';

const database = await copyTemplate();
after(database.drop);
const environment = {
  DATABASE_URL: database.url,
  TOOLGATE_ROOT_KEY: ROOT_KEY,
  TOOLGATE_MASTER_KEYS: MASTER_KEY,
};
const fixture = ['--import', './server/test/fixtures/jumping-clock.ts'];
const command = serverCommand(...fixture);
const running = await startProcess(environment, undefined, command);
// The make… functions use only `api`.
const server = running as ServerProcess & TestServer;

async function jump(signal: NodeJS.Signals): Promise<void> {
  const count = () => running.output().split('clock jumped').length;
  const before = count();
  process.kill(running.pid, signal);
  await waitUntil(async () => count() > before, 60_000, 'the clock has jumped');
}

/** Each of many requests right after the jump has this status. */
async function expectEach(key: string, path: string, status: number): Promise<void> {
  for (let i = 0; i < REQUESTS; i += 1) expectResponse(await server.api('GET', path, { key }), status);
}

test('a jump by two hours, forward or back, does not change the hourly limit', async () => {
  const { id, keys } = await makeTenant(server, { plan: 'free' });
  const path = `/projects/${id}`;
  await waitUntil(
    async () => (await server.api('GET', path, { key: keys.read })).status === 429,
    60_000,
    'the hour is used up',
  );
  for (const signal of [FORWARD, BACK, BACK, FORWARD] as const) {
    await jump(signal);
    await expectEach(keys.read, path, 429);
  }
});

test('/readyz reports a clock that is off by more than 2 s, and the replica stays ready', async () => {
  const ready = async () => {
    const { status, problems } = expectResponse(await server.api('GET', '/readyz'), 200);
    return [
      status,
      ...problems.map(({ reason, message }: { reason: string; message: string }) => `${reason}: ${message}`),
    ];
  };
  assert.deepEqual(await ready(), ['ok']);
  await jump(FORWARD);
  const [ahead, text] = await ready();
  assert.equal(ahead, 'degraded');
  assert.match(text, /^clock_offset: This machine's clock is (7199|7200|7201) s ahead of the database's/);
  const { text: metrics } = await server.api('GET', '/metrics', { key: ROOT_KEY });
  const [, offset] = /^toolgate_clock_offset_seconds (\S+)$/m.exec(metrics) ?? [];
  assert.ok(Math.abs(Number(offset) - 7_200) < 2, offset);
  await jump(BACK);
  assert.deepEqual(await ready(), ['ok']);
  await jump(BACK);
  assert.match((await ready())[1], /^clock_offset: .* behind/);
  await jump(FORWARD);
});

test('a jump forward expires no key, and a jump back does not make an expired key valid', async () => {
  const { id } = await makeTenant(server);
  const path = `/projects/${id}`;
  const expiring = (ms: number) =>
    makeKey(server, id, ['read'], { expires_at: new Date(Date.now() + ms).toISOString() });
  const [lasting, ending] = [await expiring(HOUR_MS), await expiring(2_000)];
  await jump(FORWARD);
  await expectEach(lasting.key, path, 200);
  await jump(BACK);
  await waitUntil(
    async () => (await server.api('GET', path, { key: ending.key })).status === 401,
    60_000,
    'it has expired',
  );
  await jump(BACK);
  await expectEach(ending.key, path, 401);
  await jump(FORWARD);
});

test('a jump forward expires no session, and new ones can be created at any time', async () => {
  const tenant = await makeMemberTenant(server);
  const makeSession = async () => {
    const member_assertion = signAssertion(tenant.signer, tenant.id, Date.now(), { claims: { sub: 'ada' } });
    return expectResponse(await exchange(server, tenant.integrationKey.key, { member_assertion }), 200).session_token;
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
