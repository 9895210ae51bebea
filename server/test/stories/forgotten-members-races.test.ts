// What happens at the same time as the deletion of a member: sessions, calls, deliveries and changes that are under way.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { runOnce } from '../../src/api/run-once.ts';
import { insertCalls, insertPayloads } from '../../src/features/activity/analytics/store.ts';
import { insertTraces } from '../../src/features/activity/analytics/trace-store.ts';
import { deliveryJob } from '../../src/features/activity/webhooks/deliver.ts';
import type { Outgoing } from '../../src/features/activity/webhooks/delivery-store.ts';
import { findInDatabase } from '../support/database/find-in-database.ts';
import { untilLockWait } from '../support/database/until-lock-wait.ts';
import { expectResponse, unique } from '../support/make/make.ts';
import { makeHook } from '../support/make/make-hook.ts';
import { exchange, makeMemberTenant } from '../support/make/make-members.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { makeWebhook } from '../support/make/make-webhook.ts';
import { newCall } from '../support/make/new-call.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const customer = await startCustomer();
after(() => customer.close());
const environment = { TOOLGATE_EGRESS_ALLOW: customer.address };
const server = await startServer(environment);
const other = await startServer({ ...environment, DATABASE_URL: server.app.config.database_url ?? '' });
const { api, app } = server;

async function makeShop() {
  const shop = await makeMemberTenant(server, { environment: 'development' });
  const settings = { record_payloads: true };
  expectResponse(await api('PATCH', `/projects/${shop.id}/settings`, { key: shop.keys.admin, body: settings }), 200);
  const session = async (external_id: string) =>
    expectResponse(await exchange(server, shop.integrationKey.key, { member_external_id: external_id }), 200);
  const external_id = unique('person-of-race');
  const { session_token: token, member } = await session(external_id);
  const remove = (on = server) => on.api('DELETE', `/members/${member.id}`, { key: shop.keys.admin });
  return { ...shop, session, external_id, token: token as string, member, remove };
}

type Shop = Awaited<ReturnType<typeof makeShop>>;

/** Where the person is named, apart from the audit log. */
async function placesOf({ member, external_id }: Shop): Promise<string[]> {
  await Promise.all([app, other.app].map(({ batch_writer }) => batch_writer.flush()));
  const found = await findInDatabase(app, [member.id, external_id]);
  return [...found.keys()].filter((table) => table !== 'audit_entries');
}

function hold() {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { held, release };
}

/** Runs `during` while others wait for this table. */
async function whileLocked<T>(table: string, during: () => Promise<T>): Promise<T> {
  const locking = await app.background.pool.connect();
  try {
    await locking.query('begin; set local idle_in_transaction_session_timeout = 0');
    await locking.query(`lock table ${table} in exclusive mode`);
    return await during();
  } finally {
    await locking.query('commit');
    locking.release();
  }
}

test('a deleted member is refused by every replica, and the same person is a new member afterwards', async () => {
  const shop = await makeShop();
  const tool = await makeTool(server, shop.keys.write, customer);
  for (const on of [server, other]) expectResponse(await execute(on, shop.token, tool.id), 200);
  expectResponse(await shop.remove(), 204);
  expectResponse(await execute(server, shop.token, tool.id), 401);
  const isRefused = async () => (await execute(other, shop.token, tool.id)).status === 401;
  await waitUntil(isRefused, 1_000, 'the other replica refuses the session');
  expectResponse(await shop.remove(), 404, 'Not found');
  const again = await shop.session(shop.external_id);
  assert.notEqual(again.member.id, shop.member.id);
  expectResponse(await execute(other, again.session_token, tool.id), 200);
});

test('a session that is created while the member is being deleted is one of a new member', async () => {
  const shop = await makeShop();
  const [deleted, created] = await whileLocked('member_deletions', async () => {
    const deleting = shop.remove();
    await untilLockWait(app, 1);
    const creating = shop.session(shop.external_id);
    await untilLockWait(app, 2);
    return [deleting, creating] as const;
  }).then((both) => Promise.all(both));
  expectResponse(deleted, 204);
  assert.notEqual(created.member.id, shop.member.id);
  expectResponse(await api('GET', `/members/${created.member.id}`, { key: shop.keys.admin }), 200);
  expectResponse(await api('GET', `/members/${shop.member.id}`, { key: shop.keys.admin }), 404);
});

test('a call that was under way is in the log without the member, and what was said in it is not recorded', async () => {
  const shop = await makeShop();
  await makeWebhook(server, customer, shop.id, { events: ['tool_call.*'] });
  const tool = await makeTool(server, shop.keys.write, customer);
  const response = hold();
  customer.respond(tool.endpoint_path, { hold: response.held });
  const calling = execute(server, shop.token, tool.id, { who: shop.external_id }, { 'idempotency-key': 'once' });
  await waitUntil(async () => customer.at(tool.endpoint_path).length > 0, 10_000, 'the call is at the API');
  expectResponse(await shop.remove(other), 204);
  response.release();
  const { call_id } = expectResponse(await calling, 200);
  assert.deepEqual(await placesOf(shop), []);
  const call = expectResponse(
    await api('GET', `/projects/${shop.id}/tool-calls/${call_id}`, { key: shop.keys.admin }),
    200,
  );
  assert.deepEqual([call.member_id, call.session_id, call.arguments], [null, null, undefined]);
  assert.equal(call.api_key_id, shop.integrationKey.id);
  const { data } = expectResponse(await api('GET', `/projects/${shop.id}/events`, { key: shop.keys.admin }), 200);
  const event = data.find(({ type }: { type: string }) => type === 'tool_call.succeeded');
  assert.equal(event.data.member_id, 'deleted_member');
});

test('what was said in a call is deleted also if its row of the log is written after the deletion', async () => {
  const shop = await makeShop();
  const { id: project_id, member, keys } = shop;
  const call = newCall(project_id, { member_id: member.id, created_at: app.now() });
  const said = { call_id: call.id, project_id, arguments: null, result: null };
  await insertPayloads(app.pool, [{ ...said, member_id: member.id, created_at: call.created_at }]);
  expectResponse(await shop.remove(), 204);
  await insertCalls(app.pool, [call]);
  const logged = expectResponse(
    await api('GET', `/projects/${project_id}/tool-calls/${call.id}`, { key: keys.admin }),
    200,
  );
  assert.equal(logged.member_id, null);
  const payloads = await app.database.selectFrom('tool_call_payloads').select('call_id').execute();
  assert.deepEqual(
    payloads.filter(({ call_id }) => call_id === call.id),
    [],
  );
});

test('a call that a policy was asked about when its member was deleted counts for no limit and asks nobody', async () => {
  for (const confirm of [null, { by: 'approver' }]) {
    const shop = await makeShop();
    const tool = await makeTool(server, shop.keys.write, customer, { confirm });
    const limit = { name: 'l', match: null, per: 'member', limit: 100, window_seconds: 60 };
    expectResponse(await api('POST', `/projects/${shop.id}/limits`, { key: shop.keys.write, body: limit }), 201);
    const policy = hold();
    const reason = `${shop.external_id} may`;
    const hook = await makeHook(server, customer, shop.id, { timeout_ms: 3000 }, () => ({
      body: { decision: 'allow', reason },
      hold: policy.held,
    }));
    const calling = execute(server, shop.token, tool.id);
    await waitUntil(async () => customer.at(hook.path).length > 0, 10_000, 'the policy is asked');
    expectResponse(await shop.remove(other), 204);
    policy.release();
    await calling;
    assert.deepEqual(await placesOf(shop), [], JSON.stringify(confirm));
  }
});

test('nothing is stored for an Idempotency-Key of a member who was deleted meanwhile', async () => {
  const shop = await makeShop();
  expectResponse(await shop.remove(), 204);
  const { id: project_id, member } = shop;
  const claim = {
    project_id,
    fairness_key: project_id,
    scope: `${project_id} - ${member.id}`,
    member_id: member.id,
    key: 'late',
    fingerprint: Buffer.alloc(32),
    lease_ms: 1000,
  };
  await assert.rejects(
    runOnce(app, claim, () => assert.fail('it runs')),
    { code: 'IDEMPOTENCY_KEY_IN_USE' },
  );
  assert.deepEqual(await placesOf(shop), []);
});

test('a refused request of a member who was deleted meanwhile is traced without them', async () => {
  const shop = await makeShop();
  expectResponse(await shop.remove(), 204);
  const { id: project_id, member } = shop;
  const trace = {
    project_id,
    request_id: unique('req'),
    method: 'GET',
    route: '/api/v1/projects',
    status: 403,
    code: 'INSUFFICIENT_PERMISSIONS',
    caller_kind: 'member' as const,
    account_id: null,
    api_key_id: null,
    session_id: 'ses_of_race',
    member_id: member.id,
    integration_id: null,
    failed_step: 'permission',
    reason: 'insufficient_permissions',
    remedy: '',
    created_at: app.now(),
  };
  await insertTraces(app.pool, [trace]);
  const path = `/projects/${project_id}/requests/${trace.request_id}`;
  const { caller } = expectResponse(await api('GET', path, { key: shop.keys.admin }), 200);
  assert.deepEqual([caller.kind, caller.member_id, caller.session_id], ['member', null, null]);
  assert.deepEqual(await placesOf(shop), []);
});

test('a delivery that was claimed before the deletion is sent later, without the member', async () => {
  const shop = await makeShop();
  const webhook = await makeWebhook(server, customer, shop.id, { events: ['member_session.created'] });
  await shop.session(shop.external_id);
  const [delivery] = await app.database
    .selectFrom('deliveries')
    .select('id')
    .where('webhook_id', '=', webhook.id)
    .execute();
  const claimed = await deliveryJob.load(app, [{ subject: delivery?.id } as never]);
  const outgoing = claimed.get(delivery?.id ?? '') as Outgoing;
  assert.match(outgoing.payload, new RegExp(shop.member.id));
  expectResponse(await shop.remove(), 204);
  const { next_run_at } = await deliveryJob.run(app, outgoing);
  assert.ok(next_run_at !== null && next_run_at > app.now());
  assert.equal(customer.at(webhook.path).length, 0, 'what was claimed is not sent');
  await server.runJobs();
  const [received] = customer.at(webhook.path);
  const { data } = JSON.parse(String(received?.body));
  assert.deepEqual([data.member_id, data.external_id], ['deleted_member', 'deleted_member']);
});

test('what a receiver responds to an attempt that was under way is not stored', async () => {
  const shop = await makeShop();
  const webhook = await makeWebhook(server, customer, shop.id, { events: ['member_session.created'] });
  const response = hold();
  customer.respond(webhook.path, ({ body }) => ({ body: String(body), hold: response.held }));
  await shop.session(shop.external_id);
  const delivering = server.runJobs();
  await waitUntil(async () => customer.at(webhook.path).length > 0, 10_000, 'the delivery is at its receiver');
  expectResponse(await shop.remove(), 204);
  response.release();
  await delivering;
  const path = `/projects/${shop.id}/webhooks/${webhook.id}/deliveries`;
  const { data } = expectResponse(await api('GET', path, { key: shop.keys.admin }), 200);
  assert.equal(data[0].status, 'succeeded');
  assert.deepEqual(await placesOf(shop), []);
});

test('whatever is done at the same time, nothing names a member who was deleted', async () => {
  const shop = await makeShop();
  await makeWebhook(server, customer, shop.id, { events: ['*'] });
  const confirm = { by: 'user', remember_seconds: 60 };
  const tools = [
    await makeTool(server, shop.keys.write, customer),
    await makeTool(server, shop.keys.write, customer, { confirm }),
  ];
  const limit = { name: 'l', match: null, per: 'member', limit: 3, window_seconds: 60 };
  expectResponse(await api('POST', `/projects/${shop.id}/limits`, { key: shop.keys.write, body: limit }), 201);
  const statuses = new Map<number, number>();
  for (let round = 0; round < 12; round += 1) {
    const { session_token, member } = await shop.session(shop.external_id);
    const acts = [server, other].flatMap((on) => [
      () => exchange(on, shop.integrationKey.key, { member_external_id: shop.external_id }),
      () => execute(on, session_token, tools[0]?.id ?? '', {}, { 'idempotency-key': `key-${round}` }),
      () => execute(on, session_token, tools[0]?.id ?? ''),
      () => execute(on, session_token, tools[1]?.id ?? ''),
      () => on.api('GET', '/projects', { key: session_token }),
      () => on.api('POST', `/members/${member.id}/revoke-sessions`, { key: shop.keys.admin }),
      () => on.api('DELETE', `/members/${member.id}`, { key: shop.keys.admin }),
    ]);
    // In another order each time.
    const shift = round % acts.length;
    const responses = await Promise.all([...acts.slice(shift), ...acts.slice(0, shift)].map((act) => act()));
    for (const { status } of responses) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  assert.equal(
    [...statuses.keys()].some((status) => status === 500),
    false,
    JSON.stringify([...statuses]),
  );
  assert.ok((statuses.get(204) ?? 0) >= 12);
  await server.runJobs();
  await Promise.all([app, other.app].map(({ batch_writer }) => batch_writer.flush()));
  const known = new Set((await app.database.selectFrom('members').select('id').execute()).map(({ id }) => id));
  const found = await findInDatabase(app, ['mem_']);
  found.delete('audit_entries');
  for (const [table, rows] of found)
    for (const [id] of rows.join().matchAll(/mem_[0-9A-Za-z]{22}/g)) assert.ok(known.has(id), `${table} names ${id}`);
});
