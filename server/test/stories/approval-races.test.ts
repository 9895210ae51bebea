// What happens at the same time as a yes: the tool changes, the key is revoked, the session ends. On two servers with one database. A
// call is sent once or not at all, and the answers say which.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { untilLockWait } from '../support/database/until-lock-wait.ts';
import { expectResponse, makeKey, makeTenant, unique } from '../support/make/make.ts';
import { exchange, makeIntegration, makeIntegrationKey } from '../support/make/make-members.ts';
import { execute, type MadeTool, makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';
import { startServer } from '../support/servers/start-server.ts';

const ROUNDS = 6;
const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const two = await startServer({
  TOOLGATE_EGRESS_ALLOW: customer.address,
  DATABASE_URL: server.app.config.database_url ?? '',
});
const tenant = await makeTenant(server, { plan: 'enterprise' });
const { id: project_id, keys } = tenant;
const tool = await makeTool(server, keys.write, customer, { confirm: { by: 'approver' } });

type Asked = { id: string; n: string; key: string };

const call = ({ id, n, key }: Asked, on = server) => execute(on, key, tool.id, { n }, { 'x-toolgate-approval': id });

async function ask(key: string): Promise<Asked> {
  const n = unique('n');
  const { error } = expectResponse(await execute(server, key, tool.id, { n }), 409);
  return { id: error.details.approval.id, n, key };
}

const approve = ({ id }: Asked, on = server) =>
  on.api('POST', `/projects/${project_id}/approvals/${id}/approve`, { key: keys.admin });

const sentOf = ({ n }: Asked, { endpoint_path }: Pick<MadeTool, 'endpoint_path'> = tool) =>
  customer.at(endpoint_path).filter(({ body }) => JSON.parse(String(body)).n === n).length;

const statusOf = async ({ id }: Asked): Promise<string> =>
  expectResponse(await server.api('GET', `/projects/${project_id}/approvals/${id}`, { key: keys.read }), 200).status;

/** As many answers say that it was sent as it was sent, once at most; the others have one of these codes. */
function expectHonest(asked: Asked, responses: ApiResponse[], codes: string[]): void {
  const sent = sentOf(asked);
  assert.ok(sent <= 1, `sent ${sent} times`);
  assert.equal(responses.filter(({ status }) => status === 200).length, sent);
  for (const { status, body } of responses)
    assert.ok(status === 200 || codes.includes(body.error.code), JSON.stringify(body));
}

test('a yes counts for no other definition of the tool, also if it changes at that moment', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const asked = await ask(keys.read);
    const endpoint_path = `/${unique('changed')}`;
    const change = (path: string) =>
      server.api('PATCH', `/custom-tools/${tool.id}`, { key: keys.write, body: { endpoint_path: path } });
    const [, changed, ...responses] = await Promise.all([
      approve(asked, two),
      change(endpoint_path),
      ...[server, two, server].map((on) => call(asked, on)),
    ]);
    expectResponse(changed, 200);
    const late = await call(asked, two);
    assert.equal(late.status, 409);
    expectHonest(asked, [...responses, late], ['CONFIRMATION_REQUIRED']);
    assert.equal(sentOf(asked, { endpoint_path }), 0, 'what was approved is not what was sent');
    assert.equal(await statusOf(asked), sentOf(asked) === 1 ? 'used' : 'cancelled');
    expectResponse(await change(tool.endpoint_path), 200);
  }
});

test('a tool that changes while a call takes its yes is not called as it became', async () => {
  const asked = await ask(keys.read);
  expectResponse(await approve(asked), 200);
  const endpoint_path = `/${unique('changed')}`;
  const change = (path: string) =>
    two.api('PATCH', `/custom-tools/${tool.id}`, { key: keys.write, body: { endpoint_path: path } });
  const lock = await server.app.pool.connect();
  let called: Promise<ApiResponse>;
  let changed: Promise<ApiResponse>;
  try {
    await lock.query('begin');
    await lock.query('select from approvals where id = $1 for update', [asked.id]);
    called = call(asked);
    await untilLockWait(server.app);
    // It cancels the approval before its response, so it waits, too.
    changed = change(endpoint_path);
    await untilLockWait(server.app, 2);
    await lock.query('commit');
  } finally {
    lock.release();
  }
  expectResponse(await changed, 200);
  expectHonest(asked, [await called], ['CONFIRMATION_REQUIRED']);
  assert.equal((await call(asked)).status, 409);
  assert.equal(sentOf(asked, { endpoint_path }), 0);
  expectResponse(await change(tool.endpoint_path), 200);
});

test('a key that is revoked takes its questions with it, also if somebody says yes at that moment', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id, key } = await makeKey(server, project_id, ['read']);
    const asked = await ask(key);
    const revoke = () => server.api('POST', `/projects/${project_id}/api-keys/${id}/revoke`, { key: keys.admin });
    const isBefore = round % 2 === 0;
    if (isBefore) expectResponse(await revoke(), 200);
    const [decided, early] = await Promise.all([
      approve(asked, two),
      call(asked, two),
      ...(isBefore ? [] : [revoke()]),
    ]);
    if (isBefore) assert.equal(decided.status, 409);
    const late = await call(asked);
    // Another key does not have the yes.
    const stolen = await call({ ...asked, key: keys.read });
    assert.deepEqual([late.status, stolen.status], [401, 409]);
    expectHonest(asked, [early, late, stolen], ['INVALID_API_KEY', 'CONFIRMATION_REQUIRED']);
    if (isBefore) assert.equal(sentOf(asked), 0);
    assert.equal(await statusOf(asked), sentOf(asked) === 1 ? 'used' : 'cancelled');
  }
});

test("a member's yes ends with the sessions of the member, also if they are revoked at that moment", async () => {
  const integration = await makeIntegration(server, project_id);
  const { key: backend } = await makeIntegrationKey(server, project_id, integration.id);
  for (let round = 0; round < ROUNDS; round += 1) {
    const member_external_id = unique('member');
    const { session_token, member } = expectResponse(await exchange(server, backend, { member_external_id }), 200);
    const asked = await ask(session_token);
    const [, early, revoked] = await Promise.all([
      approve(asked),
      call(asked, two),
      server.api('POST', `/members/${member.id}/revoke-sessions`, { key: keys.admin }),
    ]);
    assert.ok(revoked.status < 300, revoked.text);
    // In a new session the same member is asked again.
    const again = expectResponse(await exchange(server, backend, { member_external_id }), 200);
    const late = await call({ ...asked, key: again.session_token }, two);
    assert.equal(late.status, 409);
    expectHonest(asked, [early, late], ['INVALID_API_KEY', 'CONFIRMATION_REQUIRED']);
    assert.equal(await statusOf(asked), sentOf(asked) === 1 ? 'used' : 'cancelled');
  }
});
