// The sample shop: tools that work at once, answered inside of the process, and by nobody else.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registerTools } from '../../../examples/shop/tools.ts';
import { SAMPLE_ORIGIN } from '../../src/features/tools/sample-shop/shop.ts';
import { SendError } from '../../src/outbound/messages.ts';
import { expectResponse, makeKey, makeProject } from '../support/make/make.ts';
import { type MemberTenant, makeMemberTenant, makeSession } from '../support/make/make-members.ts';
import { startServer } from '../support/servers/start-server.ts';

const server = await startServer();

async function loaded(fields: object = {}) {
  const project = await makeProject(server, fields);
  const { key } = await makeKey(server, project.id);
  const load = () => server.api('POST', `/projects/${project.id}/sample-tools`, { key });
  return { project, key, load, execute: execute(key) };
}

async function memberTenant(): Promise<MemberTenant> {
  const tenant = await makeMemberTenant(server, { environment: 'development' });
  expectResponse(await server.api('POST', `/projects/${tenant.id}/sample-tools`, { key: tenant.keys.write }), 201);
  return tenant;
}

const execute =
  (key: string) =>
  (name: string, args: object = {}) =>
    server.api('POST', `/custom-tools/${name}/execute`, { key, body: { arguments: args } });

test('a development project loads three tools, and the first one answers at once', async () => {
  const { load, execute } = await loaded();
  const { tools } = expectResponse(await load(), 201);
  assert.deepEqual(
    tools.map(({ name }: { name: string }) => name),
    ['find_products', 'place_order', 'my_orders'],
  );
  const { status, body } = expectResponse(await execute('find_products', { search: 'tea' }), 200);
  assert.equal(status, 200);
  assert.deepEqual(
    body.products.map(({ id }: { id: string }) => id),
    ['tea', 'pot'],
  );
});

test('an order belongs to one member of one project', async () => {
  const [one, other] = [await memberTenant(), await memberTenant()];
  const as = async (tenant: MemberTenant, member: string) =>
    execute((await makeSession(server, tenant, member)).session_token);
  const [ada, bob, stranger] = [await as(one, 'ada'), await as(one, 'bob'), await as(other, 'ada')];
  const { body } = expectResponse(await ada('place_order', { product_id: 'mug', quantity: 2 }), 200);
  assert.equal(body.total_cents, 2_500);
  assert.deepEqual(expectResponse(await ada('my_orders'), 200).body, { orders: [body] });
  assert.deepEqual(expectResponse(await bob('my_orders'), 200).body, { orders: [] });
  assert.deepEqual(expectResponse(await stranger('my_orders'), 200).body, { orders: [] });
});

test('a production project can neither load the sample shop nor call it', async () => {
  const { load } = await loaded({ environment: 'production' });
  assert.equal(expectResponse(await load(), 403).error.code, 'SAMPLE_TOOLS_NOT_ALLOWED');

  const { project, key, load: loadFirst, execute } = await loaded();
  expectResponse(await loadFirst(), 201);
  const body = { environment: 'production' };
  expectResponse(await server.api('PATCH', `/projects/${project.id}`, { key, body }), 200);
  assert.equal(
    expectResponse(await execute('find_products', { search: 'tea' }), 502).error.code,
    'UPSTREAM_CONNECTION',
  );
});

test('a taken name loads nothing', async () => {
  const { key, load } = await loaded();
  const body = { name: 'my_orders', base_url: 'https://api.example.com', endpoint_path: '/' };
  expectResponse(await server.api('POST', '/custom-tools', { key, body }), 201);
  assert.equal(expectResponse(await load(), 409).error.code, 'NAME_TAKEN');
  const { data } = expectResponse(await server.api('GET', '/custom-tools', { key }), 200);
  assert.equal(data.length, 1);
});

test('a request without the signature of the sample tools is refused by the shop', async () => {
  const { key, execute } = await loaded();
  const body = { name: 'unsigned', base_url: SAMPLE_ORIGIN, endpoint_path: '/v1/products', method: 'GET' };
  expectResponse(await server.api('POST', '/custom-tools', { key, body }), 201);
  const { error } = expectResponse(await execute('unsigned'), 502);
  assert.equal(error.details.upstream_status, 401);
});

test('only calls of tools reach the shop: other outgoing requests to its origin are blocked', async () => {
  const request = {
    origin: SAMPLE_ORIGIN,
    method: 'GET' as const,
    path: '/v1/products',
    headers: {},
    timeout_ms: 5_000,
    max_response_bytes: 1_000,
    isolation_key: 'a-group',
  };
  const isBlocked = (error: unknown) => error instanceof SendError && error.kind === 'blocked';
  await assert.rejects(server.app.send(request), isBlocked);
  assert.equal((await server.app.send({ ...request, may_use_built_in: true })).status, 401);
  // Another spelling of the origin is looked up like any name, and is in no DNS.
  const spelled = { ...request, origin: SAMPLE_ORIGIN.toUpperCase(), may_use_built_in: true };
  await assert.rejects(server.app.send(spelled), (error) => error instanceof SendError);
});

test('the sample tools are those of npm run demo', async () => {
  const { key, project, load } = await loaded();
  const { tools } = expectResponse(await load(), 201);
  const registered: any[] = [];
  const jwk = expectResponse(await server.api('GET', '/encryption-key', { key, project: project.id }), 200).jwk;
  const client = {
    customTools: { encryptionKey: async () => ({ jwk }), create: async (tool: object) => registered.push(tool) },
  };
  await registerTools(client as never, { base_url: SAMPLE_ORIGIN, secret: 'secret' });
  const shown = ({ name, description, method, endpoint_path, require_member = false, input_schema }: any) => ({
    name,
    description,
    method,
    endpoint_path,
    require_member,
    input_schema,
  });
  assert.deepEqual(tools.map(shown), registered.map(shown));
});
