// What acts in the name of members waits for an admin in production: tools and MCP servers with member_oauth, member_jwt and token_exchange
// that somebody without `admin` set up, or changed, while the project was in development. Each call compares.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readMigrations } from '../../src/database/migrate.ts';
import { openBrowser } from '../support/browser.ts';
import { expectResponse, makeKey } from '../support/make/make.ts';
import { mcpServersOf } from '../support/make/make-mcp-server.ts';
import { makeMemberTenant, makeSession } from '../support/make/make-members.ts';
import { connect, makeProvider, startOAuthServer } from '../support/make/make-oauth.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { protect, startMcpAuthorizationServer } from '../support/peers/mcp-authorization-server.ts';
import { echoTool, startMcpUpstream } from '../support/peers/mcp-upstream.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';
import { expectRefusal } from '../support/requests/expect-refusal.ts';

const clock = { now: Date.now };
const login = await startOpenIdProvider({ now: () => clock.now() });
const customer = await startCustomer();
const other = await startCustomer();
const upstream = await startMcpUpstream('modern', [echoTool('echo')]);
const authorization = await startMcpAuthorizationServer();
const peers = [login, customer, other, upstream, authorization];
const server = await startOAuthServer(peers);
clock.now = () => server.app.now();
after(() => Promise.all(peers.map((peer) => peer.close())));
const { api } = server;
customer.respond('/token', { body: { access_token: 'token-of-a-member', expires_in: 600, token_type: 'Bearer' } });

async function makeShop(environment = 'development') {
  const tenant = await makeMemberTenant(server, { environment });
  const provider = await makeProvider(server, tenant.id, login, { allowed_origins: [customer.url] });
  const member = await makeSession(server, tenant);
  await connect(server, login, provider, member.member.id);
  const { write, admin } = tenant.keys;
  const patch = (key: string, path: string, body: object) => api('PATCH', path, { key, body });
  return {
    ...tenant,
    ...{ provider, member, write, admin },
    token: member.session_token,
    toProduction: async () =>
      expectResponse(await patch(admin, `/projects/${tenant.id}`, { environment: 'production' }), 200),
    patchTool: (key: string, id: string, body: object) => patch(key, `/custom-tools/${id}`, body),
    patchServer: (key: string, id: string, body: object) =>
      patch(key, `/projects/${tenant.id}/mcp-servers/${id}`, body),
  };
}

type Shop = Awaited<ReturnType<typeof makeShop>>;

const exchange = {
  auth_strategy: 'token_exchange',
  auth_config: { token_url: `${customer.url}/token`, client_id: 'toolgate' },
  encrypted_auth_secret: 'exchange-secret',
};
const jwt = { auth_strategy: 'member_jwt', auth_config: { audience: 'https://api.example.com' } };
const oauth = { auth_strategy: 'member_oauth', require_member: true };

const reasonOf = async (shop: Shop, name: string) =>
  expectRefusal(await execute(server, shop.token, name), 500).details.reason;

for (const fields of [jwt, exchange, oauth])
  test(`a tool with ${fields.auth_strategy} that a developer made in development sends nothing in production before an admin approves it`, async () => {
    const shop = await makeShop();
    const tool = await makeTool(server, shop.write, customer, fields);
    assert.equal(tool.is_approved, false);
    expectResponse(await execute(server, shop.token, tool.id), 200);
    await shop.toProduction();
    const before = customer.requests.length;
    assert.equal(await reasonOf(shop, tool.id), 'tool_not_approved');
    assert.equal(customer.requests.length, before, 'neither the API nor the token endpoint was asked');

    const refused = expectRefusal(await shop.patchTool(shop.write, tool.id, { is_approved: true }), 403);
    assert.equal(refused.details.field, 'is_approved');
    expectResponse(await shop.patchTool(shop.write, tool.id, { description: 'Orders' }), 200);
    // An admin who saves something else has not looked at where it sends.
    expectResponse(await shop.patchTool(shop.admin, tool.id, { title: 'Orders' }), 200);
    assert.equal(await reasonOf(shop, tool.id), 'tool_not_approved');
    const approved = expectResponse(await shop.patchTool(shop.admin, tool.id, { is_approved: true }), 200);
    assert.deepEqual([approved.is_approved, approved.version], [true, tool.version + 2]);
    expectResponse(await execute(server, shop.token, tool.id), 200);

    expectResponse(await shop.patchTool(shop.admin, tool.id, { is_approved: false }), 200);
    assert.equal(await reasonOf(shop, tool.id), 'tool_not_approved');
  });

test('the same holds over MCP, and for a caller without a member', async () => {
  const shop = await makeShop();
  const tool = await makeTool(server, shop.write, customer, jwt);
  await shop.toProduction();
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool.name, arguments: {} } };
  for (const key of [shop.token, shop.keys.read]) {
    const { result } = expectResponse(await api('POST', '/api/v1/mcp', { key, body }), 200);
    assert.equal(result.isError, true);
    assert.match(result.content[0].text, /tool_not_approved/);
    assert.equal(result._meta['toolgate/error'].code, 'TOOL_EXECUTION_FAILED');
  }
});

test('what an admin saves is approved, wherever that happens, and what needs no approval shows as approved', async () => {
  const shop = await makeShop();
  const made = [];
  for (const fields of [jwt, exchange, oauth]) made.push(await makeTool(server, shop.admin, customer, fields));
  const plain = await makeTool(server, shop.write, customer);
  assert.deepEqual(
    [...made, plain].map(({ is_approved }) => is_approved),
    [true, true, true, true],
  );
  expectResponse(await shop.patchTool(shop.write, plain.id, { is_approved: true, title: 'Plain' }), 200);
  const { details } = expectRefusal(await shop.patchTool(shop.admin, plain.id, { is_approved: false }), 422);
  assert.equal(details.field, 'is_approved');
  await shop.toProduction();
  for (const { id } of [...made, plain]) expectResponse(await execute(server, shop.token, id), 200);
});

test('an admin who changes where a tool sends approves it, and one who only enables it does not', async () => {
  const shop = await makeShop();
  const tool = await makeTool(server, shop.write, customer, { ...jwt, is_enabled: false });
  await shop.toProduction();
  expectResponse(await shop.patchTool(shop.admin, tool.id, { is_enabled: true }), 200);
  const bulk = (action: string) =>
    api('POST', '/custom-tools/bulk', { key: shop.admin, body: { ids: [tool.id], action } });
  for (const action of ['disable', 'enable']) expectResponse(await bulk(action), 200);
  assert.equal(await reasonOf(shop, tool.id), 'tool_not_approved');
  const moved = expectResponse(await shop.patchTool(shop.admin, tool.id, { base_url: other.url }), 200);
  assert.equal(moved.is_approved, true);
  other.respond('*', { body: {} });
  expectResponse(await execute(server, shop.token, tool.id), 200);
});

test('an admin who approves a tool with member_oauth allows its origin', async () => {
  const shop = await makeShop();
  const path = `/projects/${shop.id}/oauth-providers/${shop.provider.id}`;
  expectResponse(await api('PATCH', path, { key: shop.admin, body: { allowed_origins: [] } }), 200);
  const tool = await makeTool(server, shop.write, customer, oauth);
  await shop.toProduction();
  expectResponse(await shop.patchTool(shop.admin, tool.id, { is_approved: true }), 200);
  assert.deepEqual(expectResponse(await api('GET', path, { key: shop.admin }), 200).allowed_origins, [customer.url]);
  expectResponse(await execute(server, shop.token, tool.id), 200);
});

const toolChanges = {
  base_url: { base_url: other.url },
  audience: { auth_config: { audience: 'https://else.example.com' } },
  auth_strategy: exchange,
  'enabling it': { is_enabled: true },
};
for (const [what, change] of Object.entries(toolChanges))
  test(`a change of ${what} by a developer in development takes the approval of a tool back`, async () => {
    const shop = await makeShop();
    const tool = await makeTool(server, shop.admin, customer, jwt);
    const disable = { is_enabled: false, description: 'Orders', endpoint_path: '/orders' };
    assert.equal(expectResponse(await shop.patchTool(shop.write, tool.id, disable), 200).is_approved, true);
    // A client that sends the whole tool approves nothing.
    const sent = { is_approved: true, ...change };
    assert.equal(expectResponse(await shop.patchTool(shop.write, tool.id, sent), 200).is_approved, false);
    expectResponse(
      await shop.patchTool(shop.write, tool.id, { ...jwt, base_url: customer.url, is_enabled: true }),
      200,
    );
    await shop.toProduction();
    assert.equal(await reasonOf(shop, tool.id), 'tool_not_approved');
  });

test('tools that a developer enables in bulk, copies or imports are not approved', async () => {
  const shop = await makeShop();
  const tool = await makeTool(server, shop.admin, customer, { ...jwt, is_enabled: false });
  const post = (path: string, body: object) => api('POST', `/custom-tools/${path}`, { key: shop.write, body });
  expectResponse(await post('bulk', { ids: [tool.id], action: 'enable' }), 200);
  const read = async (id: string) =>
    expectResponse(await api('GET', `/custom-tools/${id}`, { key: shop.keys.read }), 200);
  assert.equal((await read(tool.id)).is_approved, false);
  expectResponse(await shop.patchTool(shop.admin, tool.id, { is_approved: true }), 200);
  assert.equal(expectResponse(await post(`${tool.id}/duplicate`, { name: 'copied' }), 201).is_approved, false);
  const document = {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    servers: [{ url: customer.url }],
    paths: { '/imported': { get: { operationId: 'imported', responses: {} } } },
  };
  const { created } = expectResponse(await post('import', { document, ...jwt }), 201);
  assert.equal((await read(created[0].id)).is_approved, false);
});

async function makeServer(shop: Shop, key: string, fields: object, slug = 'up') {
  const servers = mcpServersOf(server, { ...shop, keys: { ...shop.keys, write: key } });
  return { servers, made: await servers.ready(upstream, { slug, ...fields }) };
}

for (const fields of [jwt, exchange])
  test(`an MCP server with ${fields.auth_strategy} that a developer added in development gets nothing about members in production before an admin approves it`, async () => {
    const shop = await makeShop();
    const { made } = await makeServer(shop, shop.write, fields);
    assert.equal(made.is_approved, false);
    expectResponse(await execute(server, shop.token, 'up_echo'), 200);
    await shop.toProduction();
    const before = upstream.calls().length + customer.requests.length;
    assert.equal(await reasonOf(shop, 'up_echo'), 'mcp_server_not_approved');
    assert.equal(upstream.calls().length + customer.requests.length, before);

    expectRefusal(await shop.patchServer(shop.write, made.id, { is_approved: true }), 403);
    expectResponse(await shop.patchServer(shop.admin, made.id, { sync_minutes: 30 }), 200);
    assert.equal(await reasonOf(shop, 'up_echo'), 'mcp_server_not_approved');
    const approved = expectResponse(await shop.patchServer(shop.admin, made.id, { is_approved: true }), 200);
    assert.equal(approved.is_approved, true);
    expectResponse(await execute(server, shop.token, 'up_echo'), 200);
    // It stays so while others change what decides nothing.
    expectResponse(await shop.patchServer(shop.write, made.id, { name: 'Other', timeout_ms: 5_000 }), 200);
    expectResponse(await execute(server, shop.token, 'up_echo'), 200);
    for (const change of [{ url: `${upstream.url}?other` }, { auth_strategy: 'member_oauth' }])
      expectRefusal(await shop.patchServer(shop.write, made.id, change), 403);
  });

test('nobody connects an account in production for an MCP server that no admin has approved', async () => {
  protect(upstream, authorization);
  const shop = await makeShop();
  const { made } = await makeServer(shop, shop.write, { auth_strategy: 'member_oauth' });
  const provider_id = made.id.replace('mcs_', 'oap_');
  const member_id = shop.member.member.id;
  const begin = () =>
    api('POST', `/projects/${shop.id}/oauth-connections/authorize`, {
      key: shop.integrationKey.key,
      body: { member_id, provider_id },
    });
  const { url } = expectResponse(await begin(), 201);
  await shop.toProduction();
  const browser = openBrowser(server);
  assert.equal((await browser.visit(url)).status, 410);
  assert.equal(expectRefusal(await begin(), 422).details.field, 'provider_id');
  assert.equal(await reasonOf(shop, 'up_echo'), 'mcp_server_not_approved');
  assert.deepEqual(authorization.forms, []);

  expectResponse(await shop.patchServer(shop.admin, made.id, { is_approved: true }), 200);
  const approved = openBrowser(server);
  const sent = await approved.submit(await approved.visit(expectResponse(await begin(), 201).url), {});
  const done = await approved.visit(await authorization.visit(sent.location ?? ''));
  assert.match(done.text, /is connected/);
  expectResponse(await execute(server, shop.token, 'up_echo'), 200);
  expectResponse(await shop.patchServer(shop.admin, made.id, { is_approved: false }), 200);
  assert.equal(await reasonOf(shop, 'up_echo'), 'mcp_server_not_approved');
  expectRefusal(await begin(), 422);
  upstream.fault.handle = null;
});

const serverChanges = {
  url: { url: `${upstream.url}?other` },
  audience: { auth_config: { audience: 'https://else.example.com' } },
  auth_strategy: exchange,
  issuer: { auth_strategy: 'member_oauth', auth_config: { issuer: 'https://auth.example.com' } },
};
for (const [what, change] of Object.entries(serverChanges))
  test(`a change of the ${what} by a developer in development takes the approval of an MCP server back`, async () => {
    const shop = await makeShop();
    const { made } = await makeServer(shop, shop.admin, jwt);
    assert.equal(made.is_approved, true);
    const named = await shop.patchServer(shop.write, made.id, { name: 'Other' });
    assert.equal(expectResponse(named, 200).is_approved, true);
    const changed = await shop.patchServer(shop.write, made.id, { is_approved: true, ...change });
    assert.equal(expectResponse(changed, 200).is_approved, false);
    expectResponse(await shop.patchServer(shop.write, made.id, { ...jwt, url: upstream.url }), 200);
    await shop.toProduction();
    assert.equal(await reasonOf(shop, 'up_echo'), 'mcp_server_not_approved');
  });

test('an approval is an event of the tool, and in the audit log with who approved', async () => {
  const shop = await makeShop();
  const tool = await makeTool(server, shop.write, customer, jwt);
  const { made } = await makeServer(shop, shop.write, jwt);
  const { id: admin_id, key } = await makeKey(server, shop.id, ['admin']);
  expectResponse(await shop.patchTool(key, tool.id, { is_approved: true }), 200);
  expectResponse(await shop.patchServer(key, made.id, { is_approved: true }), 200);
  const events = expectResponse(await api('GET', `/projects/${shop.id}/events?limit=1`, { key }), 200).data;
  assert.deepEqual([events[0].type, events[0].data.id], ['custom_tool.updated', tool.id]);
  const audit = expectResponse(
    await api('GET', `/projects/${shop.id}/audit-log?limit=2`, { key: shop.admin }),
    200,
  ).data;
  assert.deepEqual(
    audit.map(({ action, target_id, actor, before, after }: any) => [
      action,
      target_id,
      actor.id,
      before.is_approved,
      after.is_approved,
    ]),
    [
      ['mcp_server.updated', made.id, admin_id, false, true],
      ['custom_tool.updated', tool.id, admin_id, false, true],
    ],
  );
});

test('an upgrade keeps approved what an admin allowed with member_oauth; the rest waits for an admin', async () => {
  const shop = await makeShop();
  const allowed = await makeTool(server, shop.admin, customer, oauth);
  const about = await makeTool(server, shop.admin, customer, jwt);
  const path = `/projects/${shop.id}/oauth-providers/${shop.provider.id}`;
  expectResponse(await api('PATCH', path, { key: shop.admin, body: { allowed_origins: [] } }), 200);
  const elsewhere = await makeTool(server, shop.write, other, oauth);
  expectResponse(await api('PATCH', path, { key: shop.admin, body: { allowed_origins: [customer.url] } }), 200);
  const signIn = { auth_strategy: 'member_oauth' };
  const { made } = await makeServer(shop, shop.admin, signIn, 'one');
  const { made: unapproved } = await makeServer(shop, shop.write, signIn, 'two');
  const { made: told } = await makeServer(shop, shop.admin, jwt, 'three');
  // As rows are right after the columns were added.
  const { pool } = server.app;
  for (const table of ['custom_tools', 'mcp_servers'])
    await pool.query(`update ${table} set is_approved = false where project_id = $1`, [shop.id]);
  const migration = (await readMigrations()).find(({ name }) => name.includes('member_credentials_approved'));
  await pool.query(migration?.text.slice(migration.text.indexOf('update custom_tools')) ?? '');
  const approved = async (table: string) => {
    const query = `select id from ${table} where project_id = $1 and is_approved order by id`;
    return (await pool.query(query, [shop.id])).rows.map(({ id }) => id);
  };
  assert.deepEqual(await approved('custom_tools'), [allowed.id], `not ${about.id} and ${elsewhere.id}`);
  assert.deepEqual(await approved('mcp_servers'), [made.id], `not ${unapproved.id} and ${told.id}`);
});
