// A call with an Idempotency-Key: a retry gets the first result, and the customer's API is called once.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectResponse, makeKey, unique } from '../support/make/make.ts';
import { makeMemberTenant, makeSession } from '../support/make/make-members.ts';
import { callAndDisconnect, execute, makeTool } from '../support/make/make-tools.ts';
import { makeToolset } from '../support/make/make-toolset.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startServer, type TestServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const tenant = await makeMemberTenant(server);
const callKey = tenant.integrationKey.key;
const make = (fields: object = {}) => makeTool(server, tenant.keys.write, customer, fields);
const withKey = (key = unique('retry')) => ({ 'idempotency-key': key });
let count = 0;
const counting = () => {
  count += 1;
  return { body: { count } };
};

test('a retry with the same key and body is given the first result again', async () => {
  const tool = await make();
  customer.respond(tool.endpoint_path, counting);
  const headers = withKey();
  const first = await execute(server, callKey, tool.id, { a: 1 }, headers);
  const again = await execute(server, callKey, tool.id, { a: 1 }, headers);
  assert.equal(expectResponse(first, 200).body.count, count);
  assert.equal(again.text, first.text);
  assert.deepEqual(
    [first, again].map((response) => response.headers.get('idempotent-replayed')),
    [null, 'true'],
  );
  assert.match(again.headers.get('content-type') ?? '', /^application\/json/);
  assert.equal(customer.at(tool.endpoint_path).length, 1);
});

test('the same key with another body is 422, and another key is another call', async () => {
  const tool = await make();
  const headers = withKey();
  expectResponse(await execute(server, callKey, tool.id, { a: 1 }, headers), 200);
  expectResponse(
    await execute(server, callKey, tool.id, { a: 2 }, headers),
    422,
    'Idempotency key was used with another request',
  );
  expectResponse(await execute(server, callKey, tool.id, { a: 2 }, withKey()), 200);
  assert.equal(customer.at(tool.endpoint_path).length, 2);
});

test('a retry is refused like a call when the tool is disabled, the key is narrowed, or the tool is deleted', async () => {
  const tool = await make();
  const { id, key } = await makeKey(server, tenant.id, ['read']);
  const headers = withKey();
  const retry = () => execute(server, key, tool.id, {}, headers);
  const change = (path: string, body: object) => server.api('PATCH', path, { key: tenant.keys.admin, body });
  expectResponse(await retry(), 200);
  expectResponse(await change(`/custom-tools/${tool.id}`, { is_enabled: false }), 200);
  expectResponse(await retry(), 403, 'Tool not enabled for this project');
  expectResponse(await change(`/custom-tools/${tool.id}`, { is_enabled: true }), 200);
  assert.equal((await retry()).headers.get('idempotent-replayed'), 'true');
  const other = await makeToolset(server, tenant.id, { tool_ids: [(await make()).id] });
  expectResponse(await change(`/projects/${tenant.id}/api-keys/${id}`, { toolset_ids: [other.id] }), 200);
  expectResponse(await retry(), 404);
  expectResponse(await change(`/projects/${tenant.id}/api-keys/${id}`, { toolset_ids: null }), 200);
  expectResponse(await retry(), 200);
  expectResponse(await server.api('DELETE', `/custom-tools/${tool.id}`, { key: tenant.keys.admin }), 204);
  expectResponse(await retry(), 404);
  assert.equal(customer.at(tool.endpoint_path).length, 1);
});

test('while the first call is running a retry is 409; afterwards it gets the result', async () => {
  const tool = await make();
  let arrived = () => {};
  const isThere = new Promise<void>((resolve) => (arrived = resolve));
  let release = () => {};
  const hold = new Promise<void>((resolve) => (release = resolve));
  customer.respond(tool.endpoint_path, () => {
    arrived();
    return { hold };
  });
  const headers = withKey();
  const first = execute(server, callKey, tool.id, {}, headers);
  await isThere;
  const during = await execute(server, callKey, tool.id, {}, headers);
  expectResponse(during, 409, 'Idempotency key in use');
  assert.equal(during.headers.get('retry-after'), '1');
  release();
  const { text } = await first;
  assert.equal((await execute(server, callKey, tool.id, {}, headers)).text, text);
  assert.equal(customer.at(tool.endpoint_path).length, 1);
});

test('of twenty concurrent calls with one key one is made', async () => {
  const tool = await make();
  const headers = withKey();
  const responses = await Promise.all(Array.from({ length: 20 }, () => execute(server, callKey, tool.id, {}, headers)));
  assert.ok(responses.every(({ status }) => status === 200 || status === 409));
  assert.equal(customer.at(tool.endpoint_path).length, 1);
});

test('a failed call is not stored: a retry calls again', async () => {
  const tool = await make();
  const headers = withKey();
  customer.respond(tool.endpoint_path, { status: 503 });
  expectResponse(await execute(server, callKey, tool.id, {}, headers), 502);
  customer.respond(tool.endpoint_path, counting);
  expectResponse(await execute(server, callKey, tool.id, {}, headers), 200);
  const sent = customer.at(tool.endpoint_path).map((request) => request.headers['idempotency-key']);
  assert.equal(sent.length, 2);
  assert.equal(sent[0], sent[1], 'the customer can tell a retry');
  assert.notEqual(sent[0], headers['idempotency-key']);
});

test('the key sent to the customer belongs to one caller, and is the same in every session, tool and process', async () => {
  const [tool, second] = [await make(), await make()];
  const headers = withKey('order-1');
  const replica = await startServer({
    TOOLGATE_EGRESS_ALLOW: customer.address,
    DATABASE_URL: server.app.config.database_url ?? '',
  });
  const at = async (where: TestServer, key: string, { id, endpoint_path }: typeof tool) => {
    // A failure is not kept, so that each call reaches the customer.
    customer.respond(endpoint_path, { status: 503 });
    expectResponse(await execute(where, key, id, {}, headers), 502);
    return customer.at(endpoint_path).at(-1)?.headers['idempotency-key'];
  };
  const token = async (name: string) => (await makeSession(server, tenant, name)).session_token;
  const ann = await at(server, await token('ann'), tool);
  assert.equal(await at(server, await token('ann'), second), ann);
  assert.equal(await at(replica, await token('ann'), tool), ann);
  const other = await makeMemberTenant(server);
  const other_tool = await makeTool(server, other.keys.write, customer);
  const keys = [
    ann,
    await at(server, await token('bob'), tool),
    await at(server, callKey, tool),
    await at(server, tenant.keys.read, tool),
    await at(server, tenant.keys.write, tool),
    await at(server, (await makeSession(server, other, 'ann')).session_token, other_tool),
  ];
  assert.equal(new Set(keys).size, keys.length, String(keys));
});

test('a caller that disconnects gets the result with its retry', async () => {
  const tool = await make();
  let arrived = () => {};
  const isThere = new Promise<void>((resolve) => (arrived = resolve));
  let release = () => {};
  const hold = new Promise<void>((resolve) => (release = resolve));
  customer.respond(tool.endpoint_path, () => {
    arrived();
    return { ...counting(), hold };
  });
  const headers = withKey();
  await callAndDisconnect(server, callKey, tool, isThere, headers);
  release();
  let response = await execute(server, callKey, tool.id, {}, headers);
  while (response.status === 409) response = await execute(server, callKey, tool.id, {}, headers);
  assert.equal(expectResponse(response, 200).body.count, count);
  assert.equal(customer.at(tool.endpoint_path).length, 1);
});

test('a key belongs to one caller: the same text from another member, key or project makes another call', async () => {
  const tool = await make();
  customer.respond(tool.endpoint_path, ({ body }) => ({
    body: body.toString(),
    headers: { 'content-type': 'application/json' },
  }));
  const headers = withKey();
  const [ann, bob] = [await makeSession(server, tenant, 'ann'), await makeSession(server, tenant, 'bob')];
  const callers = [ann.session_token, bob.session_token, callKey, tenant.keys.read];
  const responses = [];
  for (const key of callers) responses.push(expectResponse(await execute(server, key, tool.id, {}, headers), 200).body);
  assert.deepEqual(
    responses.map(({ member_id, integration_id }) => [member_id, integration_id]),
    [
      ['ann', tenant.integration.id],
      ['bob', tenant.integration.id],
      [undefined, tenant.integration.id],
      [undefined, undefined],
    ],
  );
});

test('a key that a crash left claimed can be claimed again after a minute, for the same call only', async () => {
  const tool = await make();
  const headers = withKey();
  const claim = { locked_until: new Date(server.app.now() + 65_000).toISOString() };
  expectResponse(await execute(server, callKey, tool.id, {}, headers), 200);
  await server.app.database
    .updateTable('idempotency_keys')
    .set({ ...claim, answer: null, status: null })
    .where('key', '=', headers['idempotency-key'])
    .execute();
  expectResponse(await execute(server, callKey, tool.id, {}, headers), 409);
  server.advance(66_000);
  expectResponse(await execute(server, callKey, tool.id, { other: 1 }, headers), 422);
  expectResponse(await execute(server, callKey, tool.id, {}, headers), 200);
  server.advance(-66_000);
  assert.equal(customer.at(tool.endpoint_path).length, 2);
});

test('stored results are sealed, and deleted after 24 hours', async () => {
  const tool = await make();
  customer.respond(tool.endpoint_path, { body: { private: 'words-of-the-customer' } });
  const headers = withKey();
  expectResponse(await execute(server, callKey, tool.id, {}, headers), 200);
  const { answer: sealed } = await server.app.database
    .selectFrom('idempotency_keys')
    .select('answer')
    .where('key', '=', headers['idempotency-key'])
    .executeTakeFirstOrThrow();
  assert.match(sealed ?? '', /^v1\./);
  server.advance(24 * 3_600_000 + 1000);
  expectResponse(await execute(server, callKey, tool.id, {}, headers), 200);
  server.advance(-(24 * 3_600_000 + 1000));
  assert.equal(customer.at(tool.endpoint_path).length, 2);
});

test('a key that is empty or not ASCII is 422, and no call is made', async () => {
  const tool = await make();
  for (const key of ['x'.repeat(256), 'a b'])
    expectResponse(await execute(server, callKey, tool.id, {}, withKey(key)), 422);
  assert.deepEqual(customer.at(tool.endpoint_path), []);
});
