// auth_strategy member_oauth: a tool's API gets the member's own token.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { createConnectLink, readConnectLink } from '../../src/features/oauth/connections/connect-link.ts';
import { refreshConnection } from '../../src/features/oauth/connections/refresh.ts';
import { selectConnection } from '../../src/features/oauth/connections/store.ts';
import { findProvider } from '../../src/features/oauth/providers/find.ts';
import { callTool, legacy, modern } from '../mcp/rpc.ts';
import { expectResponse, makeTenant, unique } from '../support/make/make.ts';
import { type MadeSession, makeMemberTenant, makeSession } from '../support/make/make-members.ts';
import { connect, makeProvider } from '../support/make/make-oauth.ts';
import { execute, makeTool, toolFields } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';
import { expectRefusal } from '../support/requests/expect-refusal.ts';
import { startServer } from '../support/servers/start-server.ts';

const clock = { now: Date.now };
const openid = await startOpenIdProvider({ now: () => clock.now() });
const customer = await startCustomer();
const environment = {
  TOOLGATE_EGRESS_ALLOW: `${openid.address},${customer.address}`,
  TOOLGATE_PUBLIC_URL: 'https://tools.example.com',
};
const server = await startServer(environment);
const { api, app } = server;
clock.now = () => app.now();
after(() => Promise.all([openid.close(), customer.close()]));
beforeEach(() => openid.reset());

const HOUR = 3_600_000;
const tenant = await makeMemberTenant(server);
const provider = await makeProvider(server, tenant.id, openid, { name: 'Test login' });
const other = { ...tenant, integrationKey: tenant.integrationKey };

async function world(fields: object = {}) {
  const session = await makeSession(server, other);
  const tool = await makeTool(server, tenant.keys.admin, customer, {
    auth_strategy: 'member_oauth',
    require_member: true,
    ...fields,
  });
  const call = (made: MadeSession = session) => execute(server, made.session_token, tool.id);
  const sent = () => customer.at(tool.endpoint_path).map(({ headers }) => headers.authorization);
  const sign = (made: MadeSession = session) => connect(server, openid, provider, made.member.id);
  return { session, tool, call, sent, sign };
}

const newSession = (session: MadeSession) => makeSession(server, other, session.member.external_id);
const refreshes = () => openid.at('/token').filter(({ form }) => form.get('grant_type') === 'refresh_token').length;

test("each member's own token is sent, and never the credential of the caller", async () => {
  const { session, call, sent, sign } = await world();
  const bob = await makeSession(server, other);
  const [one, two] = [await sign(), await sign(bob)];
  for (const made of [session, bob, session]) expectResponse(await call(made), 200);
  const [first, second] = [`Bearer ${one.tokens.access_token}`, `Bearer ${two.tokens.access_token}`];
  assert.deepEqual(sent(), [first, second, first]);
});

test('calls without a connection that arrive together do not wait for each other', async () => {
  const { call } = await world();
  for (const response of await Promise.all(Array.from({ length: 12 }, () => call()))) expectRefusal(response, 409);
});

test('a member without a connection gets a clear refusal with a sign-in link, and nothing is sent', async () => {
  const { session, tool, call, sent } = await world();
  const { code, message, details } = expectRefusal(await call(), 409) as any;
  assert.equal(code, 'MEMBER_SIGN_IN_REQUIRED');
  assert.equal(message, 'Member must sign in to connect an account for this tool');
  assert.equal(details.provider, 'Test login');
  // The customer identifies this member, so their own page is where they connect.
  assert.deepEqual([details.sign_in_url, details.reason], [null, 'connect_url_not_set']);
  const settings = (connect_url: string | null) =>
    api('PATCH', `/projects/${tenant.id}/settings`, { key: tenant.keys.admin, body: { connect_url } });
  expectResponse(await settings('https://app.example.com/connect?from=toolgate'), 200);
  const { details: shown } = expectRefusal(await call(), 409) as any;
  const ids = `member_id=${session.member.id}&provider_id=${provider.id}`;
  assert.equal(shown.sign_in_url, `https://app.example.com/connect?from=toolgate&${ids}`);

  const { result } = expectResponse(await callTool(modern, server, session.session_token, tool.name), 200);
  assert.equal(result.isError, true);
  assert.match(result.content[0].text, /must sign in.*app\.example\.com\/connect.*open sign_in_url in a browser/s);
  assert.equal(result._meta['toolgate/error'].code, 'MEMBER_SIGN_IN_REQUIRED');
  assert.deepEqual(sent(), []);
  // A client that can open addresses asks its user.
  const capabilities = { elicitation: { url: {} } };
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities };
  const params = { name: tool.name, arguments: {}, _meta };
  const { result: asked } = expectResponse(await modern(server, session.session_token, 'tools/call', params), 200);
  assert.equal(asked.resultType, 'input_required');
  assert.equal(asked.inputRequests.connect.params.url, shown.sign_in_url);
  const declined = { ...params, inputResponses: { connect: { action: 'decline' } } };
  const { result: no } = expectResponse(await modern(server, session.session_token, 'tools/call', declined), 200);
  assert.equal(no._meta['toolgate/error'].code, 'MEMBER_SIGN_IN_REQUIRED');
  const start = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'test', version: '1' } };
  const { headers } = await legacy(server, session.session_token, 'initialize', start);
  const id = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  const response = await callTool(legacy, server, session.session_token, tool.name, {}, { headers: id });
  const { error } = expectResponse(response, 200);
  assert.equal(error.code, -32042);
  assert.equal(error.data.elicitations[0].url, shown.sign_in_url);
  expectResponse(await settings(null), 200);
});

test('a tool that a person confirms asks for the account first, so that a call without one uses up no yes', async () => {
  const { session, tool, sent, sign } = await world({ confirm: { by: 'user' } });
  const call = (approval?: string) =>
    execute(server, session.session_token, tool.id, {}, approval ? { 'x-toolgate-approval': approval } : {});
  assert.equal(expectRefusal(await call(), 409).code, 'MEMBER_SIGN_IN_REQUIRED');
  const elicit = { elicitation: { form: {}, url: {} } };
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': elicit };
  const params = { name: tool.name, arguments: {}, _meta };
  const body = { connect_url: 'https://app.example.com/connect' };
  expectResponse(await api('PATCH', `/projects/${tenant.id}/settings`, { key: tenant.keys.admin, body }), 200);
  const first = expectResponse(await modern(server, session.session_token, 'tools/call', params), 200).result;
  assert.deepEqual(Object.keys(first.inputRequests), ['connect']);
  const { connection } = await sign();
  const second = expectResponse(await modern(server, session.session_token, 'tools/call', params), 200).result;
  assert.deepEqual(Object.keys(second.inputRequests), ['confirm']);

  const { details } = expectRefusal(await call(), 409) as any;
  const { id } = details.approval;
  const decided = `/projects/${tenant.id}/approvals/${id}`;
  expectResponse(await api('POST', `${decided}/approve`, { key: tenant.integrationKey.key, body: {} }), 200);
  // The account is disconnected between the yes and the call.
  const path = `/projects/${tenant.id}/members/${session.member.id}/connections/${connection.id}`;
  expectResponse(await api('DELETE', path, { key: tenant.keys.admin }), 204);
  assert.equal(expectRefusal(await call(id), 409).code, 'MEMBER_SIGN_IN_REQUIRED');
  assert.equal(expectResponse(await api('GET', decided, { key: tenant.keys.read }), 200).status, 'approved');
  await sign();
  expectResponse(await call(id), 200);
  assert.equal(sent().length, 1);
});

test('after signing in with the link the call succeeds; after a revocation it is refused again at once', async () => {
  const { session, call, sign } = await world();
  expectRefusal(await call(), 409);
  const { connection } = await sign();
  expectResponse(await call(), 200);
  const path = `/projects/${tenant.id}/members/${session.member.id}/connections/${connection.id}`;
  expectResponse(await api('DELETE', path, { key: tenant.keys.admin }), 204);
  expectRefusal(await call(), 409);
});

test('an expired token is refreshed when a call needs it, once for many calls', async () => {
  const { session, sent, call, sign } = await world();
  const { tokens } = await sign();
  server.advance(2 * HOUR);
  const before = refreshes();
  const current = await newSession(session);
  const responses = await Promise.all(Array.from({ length: 20 }, () => call(current)));
  for (const response of responses) expectResponse(response, 200);
  assert.equal(refreshes(), before + 1);
  assert.equal(new Set(sent()).size, 1);
  assert.notEqual(sent()[0], `Bearer ${tokens.access_token}`);
});

test('two replicas that need a refresh at the same time make one', async () => {
  const { session, tool, sign } = await world();
  await sign();
  const second = await startServer({ ...environment, DATABASE_URL: app.config.database_url ?? '' });
  for (const replica of [server, second]) replica.advance(2 * HOUR);
  // Both clocks were advanced, and the first one before: a session that is valid on both.
  second.advance(app.now() - second.app.now());
  const current = await newSession(session);
  const before = refreshes();
  const calls = Array.from({ length: 10 }, (_, i) =>
    execute(i % 2 === 0 ? server : second, current.session_token, tool.id),
  );
  for (const response of await Promise.all(calls)) expectResponse(response, 200);
  assert.equal(refreshes(), before + 1);
});

test('a process that died during a refresh blocks others only until its lease expires', async () => {
  const { session, call, sign } = await world();
  await sign();
  server.advance(2 * HOUR);
  const key = { project_id: tenant.id, provider_id: provider.id, member_id: session.member.id };
  const row = await selectConnection(app.database, key);
  const until = new Date(app.now() + 30_000).toISOString();
  await app.database
    .updateTable('oauth_connections')
    .set({ refreshing_until: until })
    .where('id', '=', row?.id ?? '')
    .execute();
  const found = await findProvider(app, tenant.id, provider.id);
  assert.ok(row && found);
  assert.equal(await refreshConnection(app, found, row), 'busy');
  server.advance(31_000);
  expectResponse(await call(await newSession(session)), 200);
});

test('a token that the API refuses is refreshed, and the call is sent once more', async () => {
  const { session, tool, call, sent, sign } = await world();
  const { tokens } = await sign();
  const old = `Bearer ${tokens.access_token}`;
  customer.respond(tool.endpoint_path, ({ headers }) => ({ status: headers.authorization === old ? 401 : 200 }));
  server.advance(60_000);
  expectResponse(await call(await newSession(session)), 200);
  assert.equal(sent().length, 2);
  assert.notEqual(sent()[1], old);
});

test('an API that refuses every token gets two requests, and the next call does not refresh again', async () => {
  const { session, tool, call, sent, sign } = await world();
  await sign();
  customer.respond(tool.endpoint_path, { status: 401 });
  server.advance(60_000);
  const current = await newSession(session);
  const before = refreshes();
  expectRefusal(await call(current), 502);
  assert.equal(sent().length, 2);
  expectRefusal(await call(current), 502);
  assert.equal(sent().length, 3);
  assert.equal(refreshes(), before + 1);
});

test('without a refresh token an expired or refused token needs another sign-in', async () => {
  openid.switches.gives_no_refresh_token = true;
  const { session, tool, call, sign } = await world();
  await sign();
  customer.respond(tool.endpoint_path, { status: 401 });
  server.advance(60_000);
  expectRefusal(await call(await newSession(session)), 409);
  customer.respond(tool.endpoint_path, {});
  expectResponse(await call(await newSession(session)), 200);
  server.advance(HOUR);
  expectRefusal(await call(await newSession(session)), 409);
});

test('a member who withdrew access at the provider is asked to sign in; a provider that is down is a 502', async () => {
  const { session, call, sign, sent } = await world();
  await sign();
  server.advance(2 * HOUR);
  openid.switches.is_down = true;
  assert.equal(expectRefusal(await call(await newSession(session)), 502).code, 'UPSTREAM_CONNECTION');
  openid.reset();
  openid.forgetEveryToken();
  expectRefusal(await call(await newSession(session)), 409);
  assert.deepEqual(sent(), []);
});

test('a refresh that takes too long ends the call at the timeout of the tool', async () => {
  const { session, call, sign } = await world({ timeout_ms: 1_000 });
  await sign();
  server.advance(2 * HOUR);
  let release = () => {};
  openid.switches.hold = new Promise<void>((resolve) => {
    release = resolve;
  });
  try {
    assert.equal(expectRefusal(await call(await newSession(session)), 500).code, 'TOOL_TIMED_OUT');
  } finally {
    release();
  }
});

test('a link is bound to its member and provider, expires, and cannot be changed', async () => {
  const { session } = await world();
  const found = await findProvider(app, tenant.id, provider.id);
  assert.ok(found);
  const caller = { project: { id: tenant.id } as never, member_id: session.member.id };
  const link = (await createConnectLink(app, caller, found)) ?? '';
  const token = link.slice(link.lastIndexOf('/') + 1);
  await readConnectLink(app, token);
  const bob = await makeSession(server, other);
  for (const changed of [
    token.replace(session.member.id, bob.member.id),
    token.replace(/\.(\d{13})\./, (_, digits) => `.${Number(digits) + 60_000}.`),
    `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
    '',
    'x'.repeat(1000),
  ])
    await assert.rejects(readConnectLink(app, changed), { code: 'CONNECT_LINK_INVALID' });
  server.advance(15 * 60_000);
  await assert.rejects(readConnectLink(app, token), { code: 'CONNECT_LINK_INVALID' });
  assert.equal(await createConnectLink(app, caller, { ...found, is_enabled: false }), null);
});

test('a tool with member_oauth needs require_member and a provider of its own project', async () => {
  const own = await makeTenant(server);
  const foreign = provider.id;
  const create = (fields: object) =>
    api('POST', '/custom-tools', { key: own.keys.write, body: toolFields(customer.url, fields) });
  const member = { auth_strategy: 'member_oauth', require_member: true };
  const field = async (fields: object) => expectRefusal(await create(fields), 422).details.field;
  const config = 'auth_config.oauth_provider_id';
  assert.equal(await field({ auth_strategy: 'member_oauth' }), 'require_member');
  assert.equal(await field(member), config);
  assert.equal(await field({ ...member, auth_config: { oauth_provider_id: foreign } }), config);
  assert.equal(
    await field({ ...member, auth_config: { token_url: 'https://a.example.com' } }),
    'auth_config.token_url',
  );

  const first = await makeProvider(server, own.id, openid);
  const made = expectResponse(await create(member), 201);
  assert.deepEqual([made.auth_config, made.has_auth_secret], [{ oauth_provider_id: first.id }, false]);
  const second = await makeProvider(server, own.id, openid, { provider: 'google', issuer: null });
  assert.equal(await field(member), config);
  const patch = (body: object) => api('PATCH', `/custom-tools/${made.id}`, { key: own.keys.write, body });
  const other = { auth_config: { oauth_provider_id: second.id } };
  assert.deepEqual(expectResponse(await patch(other), 200).auth_config, other.auth_config);
  assert.equal(expectRefusal(await patch({ auth_config: { oauth_provider_id: foreign } }), 422).details.field, config);
  assert.equal(expectRefusal(await patch({ require_member: false }), 422).details.field, 'require_member');
  expectResponse(await patch({ auth_strategy: 'none' }), 200);
  assert.equal(expectRefusal(await patch({ auth_strategy: 'member_oauth' }), 422).details.field, config);
});

test('imported tools can use member_oauth; the provider must be named', async () => {
  const document = {
    openapi: '3.1.0',
    servers: [{ url: customer.url }],
    paths: { [`/${unique('path')}`]: { get: { operationId: unique('list') } } },
  };
  const body = { document, auth_strategy: 'member_oauth', require_member: true };
  const run = (more: object) =>
    api('POST', '/custom-tools/import', { key: tenant.keys.admin, body: { ...body, ...more } });
  const config = 'auth_config.oauth_provider_id';
  assert.equal(expectRefusal(await run({}), 422).details.field, config);
  assert.equal(expectRefusal(await run({ auth_config: { oauth_provider_id: 'oap_x' } }), 422).details.field, config);
  expectResponse(await run({ auth_config: { oauth_provider_id: provider.id } }), 201);
});

test('a tool whose provider was deleted fails and says so', async () => {
  const own = await makeMemberTenant(server);
  const { id } = await makeProvider(server, own.id, openid);
  const fields = { auth_strategy: 'member_oauth', require_member: true };
  const tool = await makeTool(server, own.keys.admin, customer, fields);
  expectResponse(await api('DELETE', `/projects/${own.id}/oauth-providers/${id}`, { key: own.keys.admin }), 204);
  const session = await makeSession(server, own);
  const { code, details } = expectRefusal(await execute(server, session.session_token, tool.id), 500);
  assert.equal(code, 'TOOL_EXECUTION_FAILED');
  assert.equal(details.reason, 'oauth_provider_deleted');
});
