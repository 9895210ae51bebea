// The token endpoint and what depends on a grant: forms and errors, revocation, introspection, and the ends of a session.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { modern } from '../mcp/rpc.ts';
import { openBrowser, signIn } from '../support/browser.ts';
import { expectResponse, unique } from '../support/make/make.ts';
import { isAlive, makeIntegration } from '../support/make/make-members.ts';
import {
  authorizeUrl,
  CALLBACK,
  makeClient,
  makeOAuthTenant,
  postForm,
  startOAuthServer,
  type Tokens,
} from '../support/make/make-oauth.ts';
import { makeToolset } from '../support/make/make-toolset.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';
import { ROOT_KEY } from '../support/servers/start-server.ts';

const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
const server = await startOAuthServer([peer]);
clock.now = () => server.app.now();
after(() => peer.close());
beforeEach(() => {
  peer.setUser({ sub: unique('alice') });
  server.advance(61_000);
});
const { api } = server;

type Tenant = Awaited<ReturnType<typeof makeOAuthTenant>>;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

async function codeFor({ client }: Tenant, scope = 'mcp'): Promise<string> {
  const url = authorizeUrl({ client_id: client.client_id, redirect_uri: CALLBACK, scope });
  const { location } = await signIn(openBrowser(server), peer, url);
  return new URL(location ?? 'missing:').searchParams.get('code') ?? assert.fail(location ?? '');
}

const secretsOf = ({ client: { client_id, client_secret } }: Tenant) => ({ client_id, client_secret });
const redeem = async (tenant: Tenant, scope?: string): Promise<Tokens> =>
  expectResponse(
    await postForm(server, '/oauth/token', { code: await codeFor(tenant, scope), ...secretsOf(tenant) }),
    200,
  );
const refresh = (tenant: Tenant, refresh_token: string, more = {}) =>
  postForm(server, '/oauth/token', { refresh_token, ...secretsOf(tenant), ...more });
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
});

function expectError(response: ApiResponse, error: string, status = 400): void {
  assert.deepEqual([response.status, response.body?.error], [status, error], response.text);
  assert.deepEqual(Object.keys(response.body), ['error', 'error_description', 'error_uri']);
  assert.match(response.body.error_uri, /^https?:\/\/[^/]+\/docs\/errors#[a-z_]+$/);
  assert.equal(response.headers.get('cache-control'), 'no-store');
}

// ---- toolsets

test('a person who signs in sees the toolsets of the rules that the ID token matches, in refreshed sessions too', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const shown = [];
  for (const name of ['orders', 'refunds']) {
    const body = { name, base_url: 'https://api.example.com', endpoint_path: `/${name}` };
    const { id } = expectResponse(await api('POST', '/custom-tools', { key: ROOT_KEY, project: tenant.id, body }), 201);
    await makeToolset(server, tenant.id, { slug: name, tool_ids: [id] });
  }
  const rules = [
    { claim: 'groups', equals: 'support', toolsets: ['refunds'] },
    { claim: 'email', equals: 'boss@example.com', toolsets: ['orders'] },
  ];
  const setRules = async (given: object[]) =>
    expectResponse(
      await api('PATCH', `/projects/${tenant.id}/settings`, {
        key: ROOT_KEY,
        body: { member_access: { default: null, rules: given } },
      }),
      200,
    );
  await setRules(rules);
  const listed = async ({ access_token }: Tokens) =>
    expectResponse(await modern(server, access_token, 'tools/list'), 200).result.tools.map((tool: any) => tool.name);
  for (const user of [
    { groups: ['support'] },
    { groups: 'staff' },
    // An address that the provider did not verify could be anybody's.
    { email: 'boss@example.com', email_verified: false },
    { email: 'boss@example.com', email_verified: true, groups: ['support'] },
  ]) {
    peer.setUser({ sub: unique('person'), ...user });
    const tokens = await redeem(tenant);
    shown.push(await listed(tokens));
    const next = expectResponse(await refresh(tenant, tokens.refresh_token), 200);
    assert.deepEqual(await listed(next), shown.at(-1));
  }
  assert.deepEqual(shown, [['refunds'], [], [], ['orders', 'refunds']]);
  const tokens = await redeem(tenant);
  await setRules([{ claim: 'groups', equals: 'support', toolsets: [] }]);
  assert.deepEqual(await listed(expectResponse(await refresh(tenant, tokens.refresh_token), 200)), []);
});

// ---- forms of a request

test('the token endpoint takes JSON and forms, and credentials in the body or in the header', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const { client_id, client_secret } = secretsOf(tenant);
  const body = async () => ({ code: await codeFor(tenant) });
  const responses = [
    await api('POST', '/oauth/token', { body: { ...(await body()), client_id, client_secret } }),
    await postForm(server, '/oauth/token', {
      ...(await body()),
      client_id,
      client_secret,
      grant_type: 'authorization_code',
    }),
    await postForm(server, '/oauth/token', await body(), basic(client_id, client_secret)),
    await api('POST', '/oauth/token', {
      body: { ...(await body()), client_id },
      headers: basic(client_id, client_secret),
    }),
  ];
  for (const response of responses) {
    expectResponse(response, 200);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('pragma'), 'no-cache');
  }
});

test('bad requests get invalid_request, and a good one still works after them', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const { client_id, client_secret } = secretsOf(tenant);
  const code = await codeFor(tenant);
  const fields = { code, client_id, client_secret };
  const text = new URLSearchParams(fields).toString();
  const post = (body: unknown, headers = {}, path = '/oauth/token') => api('POST', path, { body, headers });
  const bad: Record<string, Promise<ApiResponse>> = {
    'no body': post(''),
    'a repeated parameter': post(`${text}&code=x`, FORM),
    'a repeated JSON member': post(`{"code":"${code}","code":"${code}","client_id":"${client_id}"}`),
    'credentials in the query': post(fields, {}, `/oauth/token?client_id=${client_id}&client_secret=${client_secret}`),
    'all in the query': post(undefined, {}, `/oauth/token?${text}`),
    'anything in the query': post(fields, {}, '/oauth/token?x=1'),
    'credentials twice': post(text, { ...FORM, ...basic(client_id, client_secret) }),
    'two client ids': post({ code, client_id: 'other' }, basic(client_id, client_secret)),
    'another scheme': post({ code, client_id }, { authorization: 'Bearer x' }),
    'no client': post({ code }),
    'no code': post({ client_id, client_secret }),
    'a list': post([fields]),
    'a number': post({ ...fields, code: 7 }),
    'broken JSON': post('{"code":'),
    'another type': post(text, { 'content-type': 'text/plain' }),
    'a long value': post({ ...fields, code: 'x'.repeat(9_000) }),
    'bytes that are not text': post(Buffer.from([0xff, 0xfe, 0x00])),
    NUL: post({ ...fields, code: 'a\0' }),
  };
  for (const [name, response] of Object.entries(bad)) {
    const { status, body, text } = await response;
    assert.deepEqual([status, body?.error], [400, 'invalid_request'], `${name}: ${text}`);
  }
  expectError(await post({ ...fields, grant_type: 'password' }), 'unsupported_grant_type');
  expectError(await post({ ...fields, grant_type: 'client_credentials' }), 'unauthorized_client');
  expectError(await post({ ...fields, client_secret: 'wrong' }), 'invalid_client', 401);
  expectError(await post({ code, client_id }), 'invalid_client', 401);
  const unknown = await post({ code }, basic('oac_0000000000000000000000', 'x'));
  expectError(unknown, 'invalid_client', 401);
  assert.match(unknown.headers.get('www-authenticate') ?? '', /^Basic /);
  expectError(await post({ ...fields, code: 'unknown' }), 'invalid_grant');
  expectError(
    await post({ ...fields, resource: `${server.url}/api/v1/mcp/prj_0000000000000000000000` }),
    'invalid_target',
  );
  expectResponse(await post(fields), 200);
});

test('an address that guesses clients or codes is slowed down', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const guess = () => api('POST', '/oauth/token', { body: { code: 'x', ...secretsOf(tenant) } });
  const responses: ApiResponse[] = [];
  for (let i = 0; i < 61; i += 1) responses.push(await guess());
  assert.equal(responses[59]?.status, 400);
  assert.equal(responses[60]?.status, 429);
  assert.ok(Number(responses[60]?.headers.get('retry-after')) > 0);
});

test("tokens count against the project's plan", async () => {
  const tenant = await makeOAuthTenant(server, peer, { project: { plan: 'free' } });
  const { refresh_token } = await redeem(tenant);
  const first = await refresh(tenant, refresh_token);
  assert.equal(first.headers.get('x-ratelimit-limit'), '100');
  for (let i = 0; i < 98; i += 1) expectResponse(await api('GET', '/projects', { key: tenant.keys.read }), 200);
  const response = await refresh(tenant, refresh_token);
  assert.equal(response.status, 429);
  assert.ok(Number(response.headers.get('retry-after')) > 0);
});

// ---- refresh

test('a refresh may ask for less, not for more', async () => {
  const tenant = await makeOAuthTenant(server, peer, { provider: { permissions: ['read', 'write'] } });
  const { refresh_token, scope } = await redeem(tenant, 'mcp read');
  assert.equal(scope, 'mcp read');
  expectError(await refresh(tenant, refresh_token, { scope: 'mcp read write' }), 'invalid_scope');
  const narrow: Tokens = expectResponse(await refresh(tenant, refresh_token, { scope: 'read' }), 200);
  assert.equal(narrow.scope, 'read');
  const full: Tokens = expectResponse(await refresh(tenant, narrow.refresh_token), 200);
  assert.equal(full.scope, 'mcp read');
});

test('a session token of an assertion, a code and an access token are no refresh tokens', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const { access_token } = await redeem(tenant);
  for (const token of [access_token, await codeFor(tenant), 'svc_ort_x', `svc_ort_${'0'.repeat(36)}`])
    expectError(await refresh(tenant, token), 'invalid_grant');
});

// ---- the ends of a session

const ends: Record<string, (tenant: Tenant) => Promise<unknown>> = {
  'its client is deleted': ({ id, client }) =>
    api('DELETE', `/projects/${id}/oauth-clients/${client.id}`, { key: ROOT_KEY }),
  'its provider is disabled': ({ id, provider }) =>
    api('PATCH', `/projects/${id}/oauth-providers/${provider.id}`, { key: ROOT_KEY, body: { is_enabled: false } }),
  'its provider is deleted': ({ id, provider }) =>
    api('DELETE', `/projects/${id}/oauth-providers/${provider.id}`, { key: ROOT_KEY }),
  'its project is deleted': ({ id }) => api('DELETE', `/projects/${id}`, { key: ROOT_KEY }),
  async 'the sessions of the member are revoked'({ keys }) {
    const [member] = expectResponse(await api('GET', '/members', { key: keys.admin }), 200).data;
    return api('POST', `/members/${member.id}/revoke-sessions`, { key: keys.admin });
  },
  async 'the grant is revoked'({ id, keys }) {
    const [member] = expectResponse(await api('GET', '/members', { key: keys.admin }), 200).data;
    const path = `/projects/${id}/members/${member.id}/grants`;
    const [grant] = expectResponse(await api('GET', path, { key: keys.admin }), 200).data;
    return api('DELETE', `${path}/${grant.id}`, { key: keys.admin });
  },
};
for (const [name, end] of Object.entries(ends)) {
  test(`a session and its refresh token end when ${name}`, async () => {
    const tenant = await makeOAuthTenant(server, peer);
    const tokens = await redeem(tenant);
    assert.equal(await isAlive(server, tokens.access_token), true);
    const response = (await end(tenant)) as ApiResponse;
    assert.ok(response.status < 300, response.text);
    assert.equal(await isAlive(server, tokens.access_token), false);
    const refused = await refresh(tenant, tokens.refresh_token);
    assert.ok(['invalid_grant', 'invalid_client'].includes(refused.body.error), refused.text);
  });
}

test('a session ends with the integration of its client, and when the client gets another one', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const [one, two] = [await makeIntegration(server, tenant.id), await makeIntegration(server, tenant.id)];
  const client = await makeClient(server, tenant.id, { integration_id: one.id });
  const path = `/projects/${tenant.id}/oauth-clients/${client.id}`;
  const first = await redeem({ ...tenant, client });
  expectResponse(await api('PATCH', path, { key: ROOT_KEY, body: { integration_id: two.id } }), 200);
  assert.equal(await isAlive(server, first.access_token), false);
  const second = await redeem({ ...tenant, client });
  assert.equal(await isAlive(server, second.access_token), true);
  expectResponse(await api('DELETE', `/projects/${tenant.id}/integrations/${two.id}`, { key: ROOT_KEY }), 204);
  assert.equal(await isAlive(server, second.access_token), false);
});

test('an access token expires after 15 minutes with the message of the spec, and the refresh token still works', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const tokens = await redeem(tenant);
  server.advance(900_001);
  expectResponse(await api('GET', '/projects', { key: tokens.access_token }), 401, 'Member JWT has expired');
  expectResponse(await refresh(tenant, tokens.refresh_token), 200);
});

test('after its grant was revoked the person is asked again in the same browser', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const browser = openBrowser(server);
  const url = authorizeUrl({ client_id: tenant.client.client_id, redirect_uri: CALLBACK, scope: 'mcp' });
  const { location } = await signIn(browser, peer, url);
  const code = new URL(location ?? '').searchParams.get('code') ?? '';
  const tokens: Tokens = expectResponse(await postForm(server, '/oauth/token', { code, ...secretsOf(tenant) }), 200);
  assert.equal((await browser.visit(url)).status, 303);
  expectResponse(await postForm(server, '/oauth/revoke', { token: tokens.refresh_token, ...secretsOf(tenant) }), 200);
  assert.equal((await browser.visit(url)).status, 200);
});

// ---- grants

test("a member's grants are listed for admin, newest first, without secrets", async () => {
  const tenant = await makeOAuthTenant(server, peer, { provider: { permissions: ['read'] } });
  await redeem(tenant, 'mcp read');
  await codeFor(tenant); // never exchanged: not a grant in use
  const [member] = expectResponse(await api('GET', '/members', { key: tenant.keys.admin }), 200).data;
  const path = `/projects/${tenant.id}/members/${member.id}/grants`;
  const { data } = expectResponse(await api('GET', path, { key: tenant.keys.admin }), 200);
  assert.equal(data.length, 1);
  const { object, client_id, client_name, client_kind, scopes, provider_id, id } = data[0];
  assert.deepEqual(
    [object, client_id, client_name, client_kind, scopes, provider_id],
    ['oauth_grant', tenant.client.id, tenant.client.name, 'registered', ['mcp', 'read'], tenant.provider.id],
  );
  assert.match(id, /^oag_/);
  assert.doesNotMatch(JSON.stringify(data), /hash|secret|challenge/);
  expectResponse(await api('GET', `/projects/${tenant.id}/members/mem_absent/grants`, { key: tenant.keys.admin }), 404);
});

// ---- revocation and introspection

test('a client revokes an access token alone, or with a refresh token everything; tokens of others are left alone', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const other = { ...tenant, client: await makeClient(server, tenant.id) };
  const tokens = await redeem(tenant);
  const revoke = (of: Tenant, token: string) => postForm(server, '/oauth/revoke', { token, ...secretsOf(of) });
  expectResponse(await revoke(other, tokens.access_token), 200);
  expectResponse(await revoke(other, tokens.refresh_token), 200);
  expectResponse(await revoke(tenant, 'unknown'), 200);
  assert.equal(await isAlive(server, tokens.access_token), true);
  expectResponse(await revoke(tenant, tokens.access_token), 200);
  assert.equal(await isAlive(server, tokens.access_token), false);
  const next: Tokens = expectResponse(await refresh(tenant, tokens.refresh_token), 200);
  expectResponse(await revoke(tenant, next.refresh_token), 200);
  assert.equal(await isAlive(server, next.access_token), false);
  expectError(await refresh(tenant, next.refresh_token), 'invalid_grant');
  expectError(
    await postForm(server, '/oauth/revoke', { token: 'x', client_id: tenant.client.id }),
    'invalid_client',
    401,
  );
  expectError(await postForm(server, '/oauth/revoke', secretsOf(tenant)), 'invalid_request');
});

test('a client with a secret introspects its own tokens, and learns nothing about others', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const other = { ...tenant, client: await makeClient(server, tenant.id) };
  const open = { ...tenant, client: await makeClient(server, tenant.id, { is_public: true }) };
  const tokens = await redeem(tenant);
  const ask = async (of: Tenant, token: string) =>
    (await postForm(server, '/oauth/introspect', { token, ...secretsOf(of) })).body;
  const about = await ask(tenant, tokens.access_token);
  assert.deepEqual(
    [about.active, about.scope, about.client_id, about.token_type, about.iss],
    [true, 'mcp', tenant.client.id, 'Bearer', server.app.config.public_url],
  );
  assert.match(about.sub, /^oidc:alice/);
  assert.equal((await ask(tenant, tokens.refresh_token)).token_type, 'refresh_token');
  for (const token of [tokens.access_token, tokens.refresh_token])
    assert.deepEqual(await ask(other, token), { active: false });
  assert.deepEqual(await ask(tenant, tenant.keys.admin), { active: false });
  const publicResponse = await postForm(server, '/oauth/introspect', {
    token: tokens.access_token,
    client_id: open.client.id,
  });
  expectError(publicResponse, 'invalid_client', 401);
  server.advance(900_001);
  assert.deepEqual(await ask(tenant, tokens.access_token), { active: false });
});

// ---- retention

test('what sign-ins leave behind is deleted', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  await redeem(tenant);
  const count = async () => {
    const tables = ['oauth_requests', 'oauth_approvals', 'oauth_grants', 'oauth_refresh_tokens'];
    const counts = tables.map(async (table) => {
      const { rows } = await server.app.pool.query(`select 1 from ${table} where project_id = $1`, [tenant.id]);
      return rows.length;
    });
    return Promise.all(counts);
  };
  await openBrowser(server).visit(authorizeUrl({ client_id: tenant.client.id, redirect_uri: CALLBACK, scope: 'mcp' }));
  assert.deepEqual(await count(), [1, 1, 1, 1]);
  server.advance(601_000);
  await server.runJobs();
  assert.deepEqual(await count(), [0, 1, 1, 1]);
  server.advance(92 * 86_400_000);
  await server.runJobs();
  assert.deepEqual(await count(), [0, 0, 0, 0]);
});
