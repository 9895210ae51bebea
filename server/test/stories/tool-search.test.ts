// Toolsets that are searched: what is listed, what search_tools finds, and that call_tool is a call like any other.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { callTool, modern, revisionSenders } from '../mcp/rpc.ts';
import { expectResponse, makeKey, makeTenant, unique } from '../support/make/make.ts';
import { makeMemberTenant, makeSession } from '../support/make/make-members.ts';
import { makeTool } from '../support/make/make-tools.ts';
import { makeToolset } from '../support/make/make-toolset.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { api } = server;
const tenant = await makeMemberTenant(server);

const make = (name: string, description: string, fields: object = {}) =>
  makeTool(server, tenant.keys.write, customer, { name, description, ...fields });

const refund = await make('refund_order', 'Gives the money of an order back', {
  title: 'Refund an order',
  input_schema: { type: 'object', properties: { order_id: { type: 'string' } }, required: ['order_id'] },
});
const cancel = await make('cancel_order', 'Cancels an order that was not shipped');
const invoices = await make('list_invoices', 'Lists the invoices of a customer');
const secret = await make('delete_everything', 'Deletes every order and invoice');
const staff = await make('staff_order_notes', 'Reads the notes of staff about an order', { require_member: true });
const off = await make('archived_order', 'Reads an archived order', { is_enabled: false });

const all = [refund.id, cancel.id, invoices.id, staff.id, off.id];
const searched = await makeToolset(server, tenant.id, { slug: 'shop', exposure: 'search', tool_ids: all });
const pinned = await makeToolset(server, tenant.id, {
  ...{ exposure: 'search', tool_ids: all },
  pinned_tool_ids: [cancel.id, secret.id, off.id],
});
const listedToolset = await makeToolset(server, tenant.id, { tool_ids: [invoices.id, cancel.id] });
const keyWith = async (...toolsets: { id: string }[]) =>
  (await makeKey(server, tenant.id, ['read'], { toolset_ids: toolsets.map(({ id }) => id) })).key;
const key = await keyWith(searched);

type Listed = { name: string; [member: string]: unknown };

async function listed(credential: string, path = '/api/v1/mcp'): Promise<string[]> {
  const lists = [];
  for (const send of Object.values(revisionSenders)) {
    const { result } = expectResponse(await send(server, credential, 'tools/list', {}, { path }), 200);
    lists.push(result.tools.map(({ name }: Listed) => name));
  }
  assert.deepEqual(lists[0], lists[1]);
  return lists[0] as string[];
}

async function search(credential: string, given: object, path?: string): Promise<Listed[]> {
  const found = [];
  for (const send of Object.values(revisionSenders)) {
    const options = path === undefined ? {} : { path };
    const response = await callTool(send, server, credential, 'search_tools', { ...given }, options);
    const { result } = expectResponse(response, 200);
    assert.equal(result.isError, undefined, response.text);
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
    found.push(result.structuredContent.tools);
  }
  assert.deepEqual(found[0], found[1]);
  return found[0] as Listed[];
}

const names = (tools: Listed[]) => tools.map(({ name }) => name);
const BOTH = ['search_tools', 'call_tool'];

test('a caller whose toolset is searched gets two tools instead of its tools, in both revisions', async () => {
  assert.deepEqual(await listed(key), BOTH);
  assert.deepEqual(await listed(await keyWith(pinned)), [...BOTH, 'cancel_order']);
  assert.deepEqual(await listed(await keyWith(searched, pinned)), [...BOTH, 'cancel_order']);
});

for (const { title, toolsets, path, expected } of [
  {
    title: 'a `list` toolset beside it',
    toolsets: [searched, listedToolset],
    path: '',
    expected: ['cancel_order', 'list_invoices'],
  },
  {
    title: 'a `list` toolset in its key, and the address names a searched one',
    toolsets: [listedToolset],
    path: '/toolsets/shop',
    expected: ['cancel_order', 'list_invoices'],
  },
])
  test(`a tool is listed if a caller has it in ${title}`, async () => {
    const credential = await keyWith(...toolsets);
    assert.deepEqual(await listed(credential, `/api/v1/mcp${path}`), [...BOTH, ...expected]);
  });

test('an address that names a searched toolset searches for a key that sees every tool; without it everything is listed', async () => {
  const path = '/api/v1/mcp/toolsets/shop';
  assert.deepEqual(await listed(tenant.keys.read, path), BOTH);
  assert.ok(
    !names(await search(tenant.keys.read, { query: 'delete every order', limit: 10 }, path)).includes(
      'delete_everything',
    ),
  );
  const everything = ['cancel_order', 'delete_everything', 'list_invoices', 'refund_order'];
  assert.deepEqual(await listed(tenant.keys.read), everything);
  for (const send of Object.values(revisionSenders))
    assert.equal(
      expectResponse(await callTool(send, server, tenant.keys.read, 'search_tools', { query: 'x' }), 200).error.code,
      -32602,
    );
});

test('search_tools finds the tools that the caller may call, with what is needed to call them', async () => {
  const [best, ...others] = await search(key, { query: 'give money back for an order' });
  const { description, title, input_schema: inputSchema } = refund;
  assert.deepEqual(best, { name: 'refund_order', title, description, inputSchema });
  assert.deepEqual(names(others), ['cancel_order']);
  assert.deepEqual(names(await search(key, { query: 'order_id' })), ['refund_order', 'cancel_order']);
  assert.deepEqual(names(await search(key, { query: 'orders', limit: 1 })).length, 1);
  assert.deepEqual(await search(key, { query: 'weather' }), []);
});

test('arguments that a tool fixes are neither shown nor found', async () => {
  const own = await makeToolset(server, tenant.id, { exposure: 'search', tags: ['fixed'] });
  const credential = await keyWith(own);
  const properties = { parcel_id: { type: 'string' }, warehouse: { type: 'string' } };
  const fields = {
    input_schema: { type: 'object', properties },
    fixed_arguments: { warehouse: 'north' },
    tags: ['fixed'],
  };
  await make('find_parcel', 'Where it is', fields);
  const [found] = await search(credential, { query: 'parcel' });
  assert.deepEqual(found?.inputSchema, { type: 'object', properties: { parcel_id: properties.parcel_id } });
  assert.deepEqual(await search(credential, { query: 'warehouse' }), []);
});

test('a member finds and calls what needs a member, a key does not', async () => {
  const integrationKey = expectResponse(
    await api('POST', `/projects/${tenant.id}/integrations/${tenant.integrationKey.integration_id}/api-keys`, {
      ...{ key: ROOT_KEY, body: { name: unique('key'), permissions: ['read'], toolset_ids: [searched.id] } },
    }),
    201,
  );
  const { session_token } = await makeSession(server, { ...tenant, integrationKey }, unique('user'));
  assert.ok(names(await search(session_token, { query: 'notes of staff' })).includes('staff_order_notes'));
  assert.ok(!names(await search(key, { query: 'notes of staff', limit: 10 })).includes('staff_order_notes'));
  const call = { name: 'staff_order_notes' };
  assert.equal(
    expectResponse(await callTool(modern, server, session_token, 'call_tool', call), 200).result.isError,
    undefined,
  );
});

test('call_tool answers as the tool itself, and both names of it work', async () => {
  for (const send of Object.values(revisionSenders)) {
    const given = { order_id: 'o-1' };
    const [direct, through] = [
      expectResponse(await callTool(send, server, key, 'refund_order', given), 200),
      expectResponse(await callTool(send, server, key, 'call_tool', { name: 'refund_order', arguments: given }), 200),
    ];
    assert.equal(through.result.isError, undefined);
    assert.deepEqual(Object.keys(through.result), Object.keys(direct.result));
    const wrong = { name: 'refund_order', arguments: { order_id: 1 } };
    const refused = expectResponse(await callTool(send, server, key, 'call_tool', wrong), 200).result;
    assert.equal(refused.isError, true);
    assert.equal(refused._meta['toolgate/error'].status, 422);
    assert.match(refused.content[0].text, /order_id/);
  }
});

test('a call through call_tool is in the log under the name of the tool, with via search, and can be filtered', async () => {
  const own = await makeKey(server, tenant.id, ['read'], { toolset_ids: [searched.id] });
  await callTool(modern, server, own.key, 'call_tool', { name: 'cancel_order' });
  await callTool(modern, server, own.key, 'cancel_order');
  await callTool(modern, server, own.key, 'search_tools', { query: 'order' });
  await server.app.batch_writer.flush();
  const read = async (filter: string) => {
    const path = `/projects/${tenant.id}/tool-calls?api_key_id=${own.id}${filter}`;
    const { data } = expectResponse(await api('GET', path, { key: tenant.keys.read }), 200);
    return data.map(({ tool_name, via }: { tool_name: string; via: string }) => [tool_name, via]);
  };
  assert.deepEqual(
    (await read('')).toSorted(),
    [
      ['cancel_order', null],
      ['cancel_order', 'search'],
    ].toSorted(),
  );
  assert.deepEqual(await read('&via=search'), [['cancel_order', 'search']]);
  expectResponse(await api('GET', `/projects/${tenant.id}/tool-calls?via=magic`, { key: tenant.keys.read }), 422);
});

test('call_tool does not know what the caller does not see, itself, or search_tools', async () => {
  for (const send of Object.values(revisionSenders)) {
    const replies = [];
    for (const name of ['nothing', 'delete_everything', 'call_tool', 'search_tools', '\0', '\ud800', 'x'.repeat(300)]) {
      const response = expectResponse(await callTool(send, server, key, 'call_tool', { name }), 200);
      assert.equal(response.error.message, `Unknown tool: ${name}`);
      replies.push({ ...response.error, message: null });
    }
    const direct = expectResponse(await callTool(send, server, key, 'nothing'), 200).error;
    for (const reply of replies) assert.deepEqual(reply, { ...direct, message: null });
    const disabled = await callTool(send, server, key, 'call_tool', { name: 'archived_order' });
    assert.equal(disabled.status, 403);
  }
});

for (const [tool, given, field] of [
  ['search_tools', {}, 'query'],
  ['search_tools', { query: '' }, 'query'],
  ['search_tools', { query: '  ' }, 'query'],
  ['search_tools', { query: 1 }, 'query'],
  ['search_tools', { query: 'x'.repeat(501) }, 'query'],
  ['search_tools', { query: 'order', limit: 0 }, 'limit'],
  ['search_tools', { query: 'order', limit: 11 }, 'limit'],
  ['search_tools', { query: 'order', limit: 1.5 }, 'limit'],
  ['search_tools', { query: 'order', limit: '5' }, 'limit'],
  ['search_tools', { query: 'order', limit: null }, 'limit'],
  ['search_tools', { query: 'order', filter: 'x' }, 'filter'],
  ['call_tool', {}, 'name'],
  ['call_tool', { name: 1 }, 'name'],
  ['call_tool', { name: 'refund_order', arguments: [] }, 'arguments'],
  ['call_tool', { name: 'refund_order', arguments: null }, 'arguments'],
  ['call_tool', { name: 'refund_order', args: {} }, 'args'],
] as const)
  test(`${tool} with ${JSON.stringify(given).slice(0, 60)} is a result that names ${field}`, async () => {
    const before = customer.requests.length;
    for (const send of Object.values(revisionSenders)) {
      const { result } = expectResponse(await callTool(send, server, key, tool, given), 200);
      assert.equal(result.isError, true);
      assert.equal(result._meta['toolgate/error'].status, 422);
      assert.match(result.content[0].text, new RegExp(field));
    }
    assert.equal(customer.requests.length, before);
  });

test('odd queries are searched without an error', async () => {
  for (const query of [
    '\0',
    '\ud800',
    '🛒'.repeat(200),
    '注文の取消',
    "'; drop table tools; --",
    '__proto__ constructor',
  ])
    await search(key, { query });
});

test('a search sees a change of a tool, of the toolset and of its tags at once', async () => {
  const own = await makeToolset(server, tenant.id, { exposure: 'search', tags: ['own'] });
  const credential = await keyWith(own);
  assert.deepEqual(await search(credential, { query: 'parcel' }), []);
  const tool = await make('track_parcel', 'Where a parcel is', { tags: ['own'] });
  assert.deepEqual(names(await search(credential, { query: 'parcels' })), ['track_parcel']);
  const change = async (path: string, body: object) =>
    expectResponse(await api('PATCH', path, { key: ROOT_KEY, body, headers: { 'x-project-id': tenant.id } }), 200);
  await change(`/custom-tools/${tool.id}`, { description: 'Where a shipment is', name: 'track' });
  assert.deepEqual(await search(credential, { query: 'parcel' }), []);
  assert.deepEqual(names(await search(credential, { query: 'shipment' })), ['track']);
  await change(`/custom-tools/${tool.id}`, { is_enabled: false });
  assert.deepEqual(await search(credential, { query: 'shipment' }), []);
  await change(`/custom-tools/${tool.id}`, { is_enabled: true });
  await change(`/projects/${tenant.id}/toolsets/${own.id}`, { exposure: 'list' });
  assert.deepEqual(await listed(credential), ['track']);
});

test('while a toolset is searched no tool gets the names search_tools and call_tool, however it would', async () => {
  const { id, keys } = await makeTenant(server);
  const write = (method: string, path: string, body: object) => api(method, path, { key: keys.write, body });
  const refused = async (method: string, path: string, body: object, field = 'name') => {
    const { error } = expectResponse(await write(method, path, body), 409);
    assert.deepEqual([error.code, error.details.field], ['NAME_TAKEN', field]);
  };
  const fields = { base_url: customer.url, endpoint_path: '/x' };
  const toolset = await makeToolset(server, id, { exposure: 'search' });
  for (const name of BOTH) {
    await refused('POST', '/custom-tools', { name, ...fields });
    const tool = await makeTool(server, keys.write, customer);
    await refused('PATCH', `/custom-tools/${tool.id}`, { name });
    await refused('POST', `/custom-tools/${tool.id}/duplicate`, { name });
    const paths = { '/x': { get: { operationId: name } } };
    const document = { openapi: '3.1.0', info: { title: 't', version: '1' }, servers: [{ url: customer.url }], paths };
    await refused('POST', '/custom-tools/import', { document });
  }
  const path = `/projects/${id}/toolsets/${toolset.id}`;
  expectResponse(await write('PATCH', path, { exposure: 'list' }), 200);
  for (const name of BOTH) {
    const tool = await makeTool(server, keys.write, customer, { name });
    await refused('PATCH', path, { exposure: 'search' }, 'exposure');
    await refused('POST', `/projects/${id}/toolsets`, { slug: 'other', name: 'x', exposure: 'search' }, 'exposure');
    assert.equal(expectResponse(await api('GET', path, { key: keys.read }), 200).exposure, 'list');
    // Such a tool is one like any other as long as nothing is searched.
    assert.ok('result' in expectResponse(await callTool(modern, server, keys.read, name), 200));
    expectResponse(await api('DELETE', `/custom-tools/${tool.id}`, { key: keys.admin }), 204);
  }
  expectResponse(await write('PATCH', path, { exposure: 'search' }), 200);
});

test('of a tool and a toolset that would reserve its name, made at the same time, only one is saved', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id, keys } = await makeTenant(server);
    const tool = { name: 'call_tool', base_url: customer.url, endpoint_path: '/x' };
    const statuses = await Promise.all([
      api('POST', '/custom-tools', { key: keys.write, body: tool }),
      api('POST', `/projects/${id}/toolsets`, { key: keys.write, body: { slug: 'a', name: 'a', exposure: 'search' } }),
    ]);
    assert.deepEqual(statuses.map(({ status }) => status).toSorted(), [201, 409]);
  }
});
