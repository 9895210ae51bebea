// Approvals that end with what they depend on: they are settled before the response to whoever ended it, also while somebody decides
// about them at that moment, and do not count again when it is set back.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { untilLockWait } from '../support/database/until-lock-wait.ts';
import { expectResponse, makeKey, makeTenant } from '../support/make/make.ts';
import { makeMemberSessions } from '../support/make/make-members.ts';
import { execute, type MadeTool, makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { api, app } = server;
const tenant = await makeTenant(server, { plan: 'enterprise' });
const { keys } = tenant;
const project = `/projects/${tenant.id}`;

const tool = (confirm: object = { by: 'approver' }) => makeTool(server, keys.write, customer, { confirm });
const requestsOf = ({ endpoint_path }: MadeTool) => customer.at(endpoint_path).length;
const named = (id: string) => ({ 'x-toolgate-approval': id });
const approve = async (id: string, key = keys.admin) =>
  expectResponse(await api('POST', `${project}/approvals/${id}/approve`, { key }), 200);

async function ask(called: MadeTool, key: string, given: object = {}): Promise<string> {
  return expectResponse(await execute(server, key, called.id, given), 409).error.details.approval.id;
}

/** What is written, not what it counts as. */
async function storedStatus(id: string): Promise<string> {
  const { rows } = await app.pool.query('select status from approvals where id = $1', [id]);
  return rows[0].status;
}

const switchKey = (id: string, is_active: boolean) =>
  api('PATCH', `${project}/api-keys/${id}`, { key: keys.admin, body: { is_active } });

/** Like a decision: the row is locked, a request that `meanwhile` sends waits for it, and then the approval is saved. */
async function decideDuring(id: string, meanwhile: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const deciding = await app.pool.connect();
  try {
    await deciding.query('begin');
    await deciding.query('select from approvals where id = $1 for update', [id]);
    const response = meanwhile();
    assert.equal(await Promise.race([untilLockWait(app), response]), undefined, 'the response did not wait');
    await deciding.query(`update approvals set status = 'approved', decided_at = clock_timestamp() where id = $1`, [
      id,
    ]);
    await deciding.query('commit');
    return response;
  } finally {
    deciding.release();
  }
}

test('a key that is disabled and enabled again has none of its approvals back, nor what was remembered', async () => {
  const called = await tool({ by: 'user', remember_seconds: 3600 });
  const { id: key_id, key } = await makeKey(server, tenant.id, ['read']);
  const used = await ask(called, key, { n: 1 });
  await approve(used);
  expectResponse(await execute(server, key, called.id, { n: 1 }, named(used)), 200);
  expectResponse(await execute(server, key, called.id, { n: 2 }), 200);
  const other = await tool();
  const [pending, approved] = [await ask(other, key, { n: 1 }), await ask(other, key, { n: 2 })];
  await approve(approved);
  expectResponse(await switchKey(key_id, false), 200);
  for (const id of [pending, approved]) assert.equal(await storedStatus(id), 'cancelled');
  expectResponse(await switchKey(key_id, true), 200);
  expectResponse(await execute(server, key, called.id, { n: 3 }), 409);
  expectResponse(await execute(server, key, other.id, { n: 2 }, named(approved)), 409);
  expectResponse(await api('POST', `${project}/approvals/${pending}/approve`, { key: keys.admin }), 409);
  assert.deepEqual([requestsOf(called), requestsOf(other)], [2, 0]);
  // What it asks for now counts as always.
  const again = await ask(other, key, { n: 2 });
  await approve(again);
  expectResponse(await execute(server, key, other.id, { n: 2 }, named(again)), 200);
});

test('approvals of a key that was disabled before it was settled do not count again either', async () => {
  const called = await tool();
  const { id: key_id, key } = await makeKey(server, tenant.id, ['read']);
  const id = await ask(called, key);
  await approve(id);
  // As if the process had ended between the two statements of the request.
  await app.pool.query('update api_keys set is_active = false, session_epoch = session_epoch + 1 where id = $1', [
    key_id,
  ]);
  expectResponse(await switchKey(key_id, true), 200);
  expectResponse(await execute(server, key, called.id, {}, named(id)), 409);
  assert.equal(requestsOf(called), 0);
});

const { key: backend, session } = await makeMemberSessions(server, tenant.id);

test('ending a credential while somebody decides settles the approval before the response', async () => {
  const called = await tool();
  const cases: [
    string,
    (key: { id: string; key: string }) => Promise<{ asks: string; end(): Promise<ApiResponse> }>,
  ][] = [
    ['a disabled key', async ({ id, key }) => ({ asks: key, end: () => switchKey(id, false) })],
    [
      'a revoked key',
      async ({ id, key }) => ({
        asks: key,
        end: () => api('POST', `${project}/api-keys/${id}/revoke`, { key: keys.admin }),
      }),
    ],
    [
      'a deleted key',
      async ({ id, key }) => ({
        asks: key,
        end: () => api('DELETE', `${project}/api-keys/${id}`, { key: keys.admin }),
      }),
    ],
    [
      'the sessions of a member',
      async () => {
        const asks = await session('member-revoked');
        const { rows } = await app.pool.query(`select id from members where external_id = 'member-revoked'`);
        return {
          asks,
          end: () => api('POST', `/members/${rows[0].id}/revoke-sessions`, { key: keys.admin }),
        };
      },
    ],
    [
      'the tool itself',
      async ({ key }) => ({
        asks: key,
        end: () => api('PATCH', `/custom-tools/${called.id}`, { key: keys.write, body: { title: 'Other' } }),
      }),
    ],
  ];
  for (const [what, prepare] of cases) {
    const { asks, end } = await prepare(await makeKey(server, tenant.id, ['read']));
    const id = await ask(called, asks);
    const ended = await decideDuring(id, end);
    assert.ok(ended.status < 300, what);
    assert.equal(await storedStatus(id), 'cancelled', what);
  }
  assert.equal(requestsOf(called), 0);
});

test('a member whose sessions were revoked while somebody decides is asked anew for the same call', async () => {
  const called = await tool({ by: 'user' });
  const id = await ask(called, await session('member-again'));
  await app.pool.query(
    `update member_sessions set revoked_at = clock_timestamp()
     from members m where m.id = member_id and m.external_id = 'member-again'`,
  );
  const other = await session('member-again');
  const response = await decideDuring(id, () => execute(server, other, called.id));
  const { approval } = expectResponse(response, 409).error.details;
  assert.notEqual(approval.id, id);
  assert.equal(await storedStatus(id), 'cancelled');
  await approve(approval.id, backend.key);
  expectResponse(await execute(server, other, called.id, {}, named(approval.id)), 200);
});

test('two changes that end the same approvals in opposite order, and decisions about them, all succeed', async () => {
  const [one, two] = [await tool(), await tool()];
  for (let round = 0; round < 3; round += 1) {
    const made = await makeKey(server, tenant.id, ['read']);
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) ids.push(await ask(n % 2 === 0 ? one : two, made.key, { n, round }));
    const change = (called: MadeTool) =>
      api('PATCH', `/custom-tools/${called.id}`, { key: keys.write, body: { title: `Round ${round}` } });
    const decisions = ids.map((id) => api('POST', `${project}/approvals/${id}/approve`, { key: keys.admin }));
    const changes = [change(two), switchKey(made.id, false), change(one)];
    for (const response of await Promise.all(changes)) expectResponse(response, 200);
    for (const { status } of await Promise.all(decisions)) assert.ok(status === 200 || status === 409, String(status));
    for (const id of ids) assert.equal(await storedStatus(id), 'cancelled');
  }
});
