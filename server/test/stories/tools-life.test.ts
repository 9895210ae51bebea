// The life of a tool: registered, listed, updated in versions, disabled and enabled on every replica, deleted.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { callAndDisconnect, execute, makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';
import { startServer } from '../support/servers/start-server.ts';
import { withinASecond } from '../support/within-a-second.ts';

const customer = await startCustomer();
after(() => customer.close());
const environment = { TOOLGATE_EGRESS_ALLOW: customer.address };
const server = await startServer(environment);
const replica = await startServer({ ...environment, DATABASE_URL: server.app.config.database_url ?? '' });
const { api } = server;
const tenant = await makeTenant(server);
const { keys } = tenant;
const make = (fields: object = {}) => makeTool(server, keys.write, customer, fields);
const read = async (id: string) => expectResponse(await api('GET', `/custom-tools/${id}`, { key: keys.read }), 200);
const patch = async (id: string, body: object) =>
  expectResponse(await api('PATCH', `/custom-tools/${id}`, { key: keys.write, body }), 200);

test('a new tool has its fields and the defaults, and reads back the same', async () => {
  const given = {
    description: 'Finds orders',
    title: 'Orders',
    input_schema: { type: 'object', properties: { b: {}, a: {} } },
  };
  const tool = await make(given);
  const { id, name, endpoint_path, created_at, updated_at, definition_hash, created_by, ...rest } = tool;
  assert.match(id, /^tool_[0-9A-Za-z]{22}$/);
  assert.match(definition_hash, /^[0-9a-f]{64}$/);
  assert.deepEqual(rest, {
    object: 'custom_tool',
    project_id: tenant.id,
    ...given,
    base_url: customer.url,
    method: 'POST',
    body_format: 'json',
    certificate_id: null,
    body_encoding: {},
    body_argument: null,
    body_content_type: null,
    timeout_ms: 30_000,
    headers: {},
    context_in: 'arguments',
    require_member: false,
    output_schema: null,
    annotations: null,
    fixed_arguments: {},
    response: null,
    confirm: null,
    polling: null,
    source: null,
    derived_annotations: ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'],
    listed_annotations: {
      ...{ title: 'Orders', readOnlyHint: false, destructiveHint: true },
      ...{ idempotentHint: false, openWorldHint: false },
    },
    auth_strategy: 'none',
    auth_config: {},
    tags: [],
    weight: 1,
    is_enabled: true,
    is_approved: true,
    has_auth_secret: false,
    previous_secret_ends_at: null,
    version: 1,
  });
  const again = await api('GET', `/custom-tools/${id}`, { key: keys.read });
  assert.deepEqual(again.body, tool);
  assert.ok(again.text.includes('{"b":{},"a":{}}'), 'the order of the properties is lost');
});

test('the origin is stored in the spelling of the Host header', async () => {
  assert.equal((await make({ base_url: 'https://API.Example.com:443/' })).base_url, 'https://api.example.com');
});

test('lists are filtered by is_enabled and by any text in the name, title or description', async () => {
  const other = await makeTenant(server);
  const makeOther = (fields: object) => makeTool(server, other.keys.write, customer, fields);
  const [one, two, three] = [
    await makeOther({ name: 'find_orders', is_enabled: false }),
    await makeOther({ name: 'b', title: 'Alle BESTELLUNGEN' }),
    await makeOther({ name: 'c', description: '100% of \\ "orders"' }),
  ];
  const list = async (query: string) =>
    expectResponse(await api('GET', `/custom-tools?${query}`, { key: other.keys.read }), 200).data.map(
      (tool: any) => tool.id,
    );
  assert.deepEqual(await list(''), [three.id, two.id, one.id]);
  assert.deepEqual(await list('is_enabled=true'), [three.id, two.id]);
  assert.deepEqual(await list('is_enabled=false'), [one.id]);
  assert.deepEqual(await list('search=ORDERS'), [three.id, one.id]);
  assert.deepEqual(await list('search=bestell'), [two.id]);
  assert.deepEqual(await list('search=%25'), [three.id]);
  assert.deepEqual(await list('search=%5C'), [three.id]);
  assert.deepEqual(await list('search=_'), [one.id]);
  assert.deepEqual(await list('search=orders&is_enabled=false&limit=1'), [one.id]);
  for (const query of ['is_enabled=yes', 'serch=x', 'search='])
    expectResponse(await api('GET', `/custom-tools?${query}`, { key: other.keys.read }), 422);
});

test('each save is a new version; old versions stay readable; enabling and disabling make none', async () => {
  const tool = await make({ description: 'one', auth_strategy: 'bearer_token', encrypted_auth_secret: 'first' });
  const second = await patch(tool.id, { description: 'two', headers: { 'X-A': '1' } });
  assert.equal(second.version, 2);
  assert.notEqual(second.definition_hash, tool.definition_hash);
  assert.ok(second.updated_at > tool.updated_at);
  const third = await patch(tool.id, { encrypted_auth_secret: 'second' });
  assert.deepEqual([third.version, third.definition_hash], [3, second.definition_hash]);
  assert.equal((await patch(tool.id, { description: 'two', is_enabled: false })).version, 3, 'nothing of it is new');
  assert.equal((await patch(tool.id, {})).version, 3);
  const back = await patch(tool.id, { description: 'one', headers: {} });
  assert.deepEqual([back.version, back.definition_hash], [4, tool.definition_hash]);

  const list = expectResponse(await api('GET', `/custom-tools/${tool.id}/versions`, { key: keys.read }), 200);
  assert.deepEqual(
    list.data.map((version: any) => [version.version, version.definition.description]),
    [
      [4, 'one'],
      [3, 'two'],
      [2, 'two'],
      [1, 'one'],
    ],
  );
  const first = expectResponse(await api('GET', `/custom-tools/${tool.id}/versions/1`, { key: keys.read }), 200);
  assert.deepEqual(
    [first.tool_id, first.definition_hash, first.definition.headers],
    [tool.id, tool.definition_hash, {}],
  );
  assert.ok(!JSON.stringify(list).includes('secret'));
  for (const wrong of ['5', '0', '-1', 'x', '99999999999'])
    assert.ok(
      [404, 422].includes((await api('GET', `/custom-tools/${tool.id}/versions/${wrong}`, { key: keys.read })).status),
      wrong,
    );
});

test('two concurrent updates are both saved, one version each', async () => {
  const tool = await make();
  await Promise.all([patch(tool.id, { title: 'A title' }), patch(tool.id, { description: 'A description' })]);
  const { title, description, version } = await read(tool.id);
  assert.deepEqual([title, description, version], ['A title', 'A description', 3]);
});

test('a change of the strategy removes the auth_config of the previous one', async () => {
  const tool = await make({
    auth_strategy: 'api_key_header',
    encrypted_auth_secret: 'k',
    auth_config: { header_name: 'X-Key' },
  });
  const changed = await patch(tool.id, { auth_strategy: 'bearer_token', encrypted_auth_secret: 'token' });
  assert.deepEqual(changed.auth_config, {});
});

test('a tool that the current rules refuse can still be disabled', async () => {
  const tool = await make();
  await server.app.database
    .updateTable('custom_tools')
    .set({ base_url: 'https://10.0.0.1' })
    .where('id', '=', tool.id)
    .execute();
  assert.equal(
    expectResponse(await api('POST', `/custom-tools/${tool.id}/disable`, { key: keys.write }), 200).is_enabled,
    false,
  );
  expectResponse(await api('PATCH', `/custom-tools/${tool.id}`, { key: keys.write, body: { title: 'x' } }), 422);
});

test('a change is used by the next call', async () => {
  const tool = await make();
  for (let i = 0; i < 10; i += 1) {
    const endpoint_path = `/moved-${i}`;
    await patch(tool.id, { endpoint_path });
    expectResponse(await execute(server, keys.read, tool.id), 200);
    assert.equal(customer.at(endpoint_path).length, 1);
  }
});

const hasStatus =
  (expected: number) =>
  ({ status }: ApiResponse) =>
    status === expected;

test('a tool disabled, updated or deleted on one replica is so on the other within a second', async () => {
  const tool = await make();
  const call = () => execute(replica, keys.read, tool.name);
  expectResponse(await call(), 200);
  expectResponse(await api('POST', `/custom-tools/${tool.id}/disable`, { key: keys.write }), 200);
  expectResponse(await withinASecond(call, hasStatus(403)), 403, 'Tool not enabled for this project');
  expectResponse(await api('POST', `/custom-tools/${tool.id}/enable`, { key: keys.write }), 200);
  await withinASecond(call, hasStatus(200));
  await patch(tool.id, { require_member: true });
  expectResponse(await withinASecond(call, hasStatus(403)), 403, 'Member context required for this tool');
  expectResponse(await api('DELETE', `/custom-tools/${tool.id}`, { key: keys.admin }), 204);
  await withinASecond(call, hasStatus(404));
});

test('a deleted tool has no versions, and its name can be used again', async () => {
  const tool = await make();
  expectResponse(await api('DELETE', `/custom-tools/${tool.id}`, { key: keys.admin }), 204);
  for (const path of ['', '/versions', '/versions/1'])
    expectResponse(await api('GET', `/custom-tools/${tool.id}${path}`, { key: keys.read }), 404, 'Not found');
  expectResponse(await api('DELETE', `/custom-tools/${tool.id}`, { key: keys.admin }), 404);
  await make({ name: tool.name });
});

test('every call of a tool, also a refused one, has one row in the call log, without arguments and response', async () => {
  const tool = await make({ input_schema: { type: 'object', properties: { n: { type: 'integer' } } } });
  customer.respond(tool.endpoint_path, { body: { private: 'words' } });
  const { call_id } = expectResponse(await execute(server, keys.read, tool.name, { n: 1 }), 200);
  expectResponse(await execute(server, keys.read, tool.id, { n: 'private' }), 422);
  customer.respond(tool.endpoint_path, { status: 503 });
  expectResponse(await execute(server, keys.read, tool.id), 502);
  await server.app.batch_writer.flush();
  const rows = await server.app.database
    .selectFrom('tool_calls')
    .selectAll()
    .where('tool_id', '=', tool.id)
    .orderBy('created_at')
    .execute();
  assert.deepEqual(
    rows.map(({ status, error_code, upstream_status }) => [status, error_code, upstream_status]),
    [
      [200, null, 200],
      [422, 'VALIDATION_ERROR', null],
      [502, 'UPSTREAM_STATUS', 503],
    ],
  );
  const [first] = rows;
  assert.ok(first);
  assert.deepEqual([first.id, first.project_id, first.tool_version, first.response_bytes], [call_id, tenant.id, 1, 19]);
  assert.ok(first.api_key_id?.startsWith('key_') && first.request_id.startsWith('req_') && first.request_bytes > 0);
  assert.ok(!JSON.stringify(rows).includes('private'));
});

test('a caller that disconnects ends its call', async () => {
  const tool = await make();
  let arrived = () => {};
  const isThere = new Promise<void>((resolve) => (arrived = resolve));
  customer.respond(tool.endpoint_path, () => {
    arrived();
    return { hang: true };
  });
  await callAndDisconnect(server, keys.read, tool, isThere);
  const select = () =>
    server.app.database.selectFrom('tool_calls').select('error_code').where('tool_id', '=', tool.id).execute();
  let rows = await select();
  while (rows.length === 0) {
    await server.app.batch_writer.flush();
    rows = await select();
  }
  assert.deepEqual(rows, [{ error_code: 'CALLER_GONE' }]);
});
