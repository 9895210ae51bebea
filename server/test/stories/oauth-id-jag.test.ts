// Managed authorization: a client exchanges an ID-JAG of a company's identity provider for a session of the person.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import { idJagChecks } from '@toolgate/contract/oauth-providers/rules.ts';
import { SignJWT } from 'jose';
import { legacy } from '../mcp/rpc.ts';
import { openBrowser, signIn } from '../support/browser.ts';
import { expectResponse, makeTenant, unique } from '../support/make/make.ts';
import {
  authorizeUrl,
  CALLBACK,
  makeClient,
  makeOAuthTenant,
  makeProvider,
  postForm,
  startOAuthServer,
} from '../support/make/make-oauth.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { makeToolset } from '../support/make/make-toolset.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';
import { expectRefusal } from '../support/requests/expect-refusal.ts';

const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
const customer = await startCustomer();
const server = await startOAuthServer([peer, customer]);
clock.now = () => server.app.now();
after(() => Promise.all([peer.close(), customer.close()]));
const { api, app } = server;
const issuer = app.config.public_url;
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
customer.respond('*', ({ path }) => ({ body: { path } }));
const accepting = { accepts_id_jag: true };
const tenant = await makeOAuthTenant(server, peer, { provider: { ...accepting, permissions: ['read'] } });
const { client, provider } = tenant;
const tool = await makeTool(server, tenant.keys.write, customer, {
  name: 'my_orders',
  endpoint_path: '/members/{{member_id}}',
  require_member: true,
});
beforeEach(() => {
  peer.reset();
  server.advance(60_000);
});

const seconds = () => Math.floor(app.now() / 1000);
const base = () => ({
  iss: peer.url,
  sub: 'alice',
  aud: issuer,
  client_id: client.client_id,
  jti: unique('jti'),
  iat: seconds(),
  exp: seconds() + 200,
});
const sign = (claims: object = {}, header: object = {}, key: any = peer.signing_key) =>
  new SignJWT({ ...base(), ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'test', typ: 'oauth-id-jag+jwt', ...header })
    .sign(key);

const exchange = async (assertion: string | Promise<string>, more: Record<string, string> = {}, as: any = client) =>
  postForm(server, '/oauth/token', {
    grant_type: GRANT,
    assertion: await assertion,
    client_id: as.client_id,
    ...(as.client_secret ? { client_secret: as.client_secret } : {}),
    ...more,
  });
const debug = (assertion: unknown, project = tenant, id = provider.id, key = tenant.keys.webhook) =>
  api('POST', `/projects/${project.id}/oauth-providers/${id}/debug-id-jag`, { key, body: { assertion } });

async function memberOfToken(token: string): Promise<string> {
  return expectResponse(await execute(server, token, tool.id), 200).body.path;
}

test('an ID-JAG becomes a member session without a refresh token, of the member of a sign-in by a browser', async () => {
  const response = expectResponse(await exchange(sign({ scope: 'mcp read write' })), 200);
  const { access_token, ...rest } = response;
  assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 900, scope: 'mcp read' });
  const path = await memberOfToken(access_token);
  assert.match(path, /oidc(%3A|:)alice$/);
  peer.setUser({ sub: 'alice' });
  const url = authorizeUrl({ client_id: client.client_id, redirect_uri: CALLBACK });
  const { location } = await signIn(openBrowser(server), peer, url);
  const code = new URL(location ?? '').searchParams.get('code') ?? '';
  const { client_id, client_secret } = client;
  const tokens = expectResponse(await postForm(server, '/oauth/token', { code, client_id, client_secret }), 200);
  assert.equal(await memberOfToken(tokens.access_token), path);
  expectResponse(await api('GET', '/custom-tools', { key: access_token }), 200);
  server.advance(900_001);
  expectRefusal(await execute(server, access_token, tool.id), 401);
});

const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** What each check refuses. */
const refused: Record<string, () => string | Promise<string>> = {
  shape: () => 'a.b.c',
  'shape 2': () => sign({}, { jku: 'https://keys.example.com' }),
  typ: () => sign({}, { typ: 'JWT' }),
  algorithm: () => sign({}, { alg: 'HS256' }, Buffer.alloc(32, 1)),
  issuer: () => sign({ iss: 'https://else.example.com' }),
  key: () => sign({}, { kid: 'unknown' }),
  signature: () => sign({}, {}, other.privateKey),
  aud: () => sign({ aud: 'https://else.example.com' }),
  'aud 2': () => sign({ aud: [issuer, 'https://else.example.com'] }),
  resource: () => sign({ resource: ['a', 'b'] }),
  client_id: () => sign({ client_id: 'oac_0000000000000000000000' }),
  sub: () => sign({ sub: '' }),
  jti: () => sign({ jti: undefined }),
  'jti 2': () => sign({ jti: 'a\0' }),
  iat: () => sign({ iat: undefined }),
  exp: () => sign({ exp: undefined }),
  times: () => sign({ exp: seconds() + 400 }),
  'times 2': () => sign({ iat: seconds() - 300, exp: seconds() - 10 }),
  'times 3': () => sign({ iat: seconds() + 60 }),
  'times 4': () => sign({ nbf: seconds() + 60 }),
  cnf: () => sign({ cnf: { jkt: 'x' } }),
  scope: () => sign({ scope: 'write' }),
};

for (const [name, make] of Object.entries(refused))
  test(`the check ${name} refuses, in the answer as invalid_grant, and by its name in the report and the trace`, async () => {
    const check = name.split(' ')[0] as string;
    const assertion = await make();
    const report = expectResponse(await debug(assertion), 200);
    assert.deepEqual([report.is_valid, report.failed_check], [false, check], JSON.stringify(report));
    const members = async () => (await app.pool.query('select count(*) from members')).rows[0].count;
    const before = await members();
    const response = await exchange(assertion);
    const body = expectResponse(response, 400);
    assert.equal(body.error, check === 'resource' ? 'invalid_target' : 'invalid_grant');
    assert.equal(await members(), before);
    if (check === 'resource') return;
    await app.batch_writer.flush();
    const path = `/projects/${tenant.id}/requests/${response.headers.get('x-request-id')}`;
    const trace = expectResponse(await api('GET', path, { key: tenant.keys.read }), 200);
    const failed = trace.steps.find(({ outcome }: any) => outcome === 'failed');
    assert.equal(failed.reason, `id_jag_${check}`);
  });

test('a valid ID-JAG passes every check of the report, which uses nothing up', async () => {
  const assertion = await sign({ resource: `${issuer}/api/v1/mcp/${tenant.id}`, scope: 'mcp' });
  for (const _ of [1, 2]) {
    const report = expectResponse(await debug(assertion), 200);
    assert.deepEqual([report.is_valid, report.failed_check], [true, null], JSON.stringify(report));
    assert.deepEqual(
      report.checks.map(({ check }: any) => check),
      idJagChecks,
    );
  }
  expectResponse(await exchange(assertion), 200);
  assert.equal(expectResponse(await debug(assertion), 200).failed_check, 'replay');
  for (const odd of [undefined, null, 1, {}, '', 'x'.repeat(10_000)])
    assert.equal(expectResponse(await debug(odd), 200).failed_check, 'shape');
  expectRefusal(await debug(assertion, tenant, provider.id, tenant.keys.read), 403);
  expectRefusal(await debug(assertion, tenant, 'oap_0000000000000000000000'), 404);
});

test('an ID-JAG works once, also when it is sent many times at once', async () => {
  const assertion = await sign();
  const responses = await Promise.all([1, 2, 3, 4, 5].map(() => exchange(assertion)));
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 400, 400, 400, 400]);
});

test('the resource names the project, and a toolset of it narrows the session', async () => {
  const set = await makeToolset(server, tenant.id, { tool_ids: [tool.id] });
  const hidden = await makeTool(server, tenant.keys.write, customer, { require_member: true });
  const at = (path: string) => `${issuer}/api/v1/mcp${path}`;
  const names = async (token: string) =>
    (await legacy(server, token, 'tools/list')).body.result.tools.map(({ name }: any) => name);
  const wide = expectResponse(await exchange(sign({ resource: at(`/${tenant.id}`) })), 200);
  assert.ok((await names(wide.access_token)).includes(hidden.name));
  const resource = at(`/${tenant.id}/toolsets/${set.slug}`);
  for (const [claims, more] of [
    [{ resource }, {}],
    [{}, { resource }],
    [{ resource: [resource] }, { resource }],
  ] as const) {
    const narrow = expectResponse(await exchange(sign(claims), more as any), 200);
    assert.deepEqual(await names(narrow.access_token), [tool.name]);
  }
  const elsewhere = await makeTenant(server);
  for (const [claims, more] of [
    [{ resource: at(`/${tenant.id}`) }, { resource }],
    [{}, { resource: at(`/${elsewhere.id}`) }],
    [{ resource: at(`/${elsewhere.id}`) }, {}],
    [{}, { resource: 'https://else.example.com/mcp' }],
    [{ resource: at('/toolsets/none') }, {}],
  ] as const)
    assert.equal(expectResponse(await exchange(sign(claims), more as any), 400).error, 'invalid_target');
});

test('only a client that proves who it is may exchange, or one with a metadata document', async () => {
  const open = await makeClient(server, tenant.id, { is_public: true });
  assert.equal(
    expectResponse(await exchange(sign({ client_id: open.client_id }), {}, open), 400).error,
    'unauthorized_client',
  );
  const wrong = { client_id: client.client_id, client_secret: 'wrong' };
  assert.equal(expectResponse(await exchange(sign(), {}, wrong), 401).error, 'invalid_client');
  assert.equal(expectResponse(await exchange('', {}), 400).error, 'invalid_request');
  const client_id = `${customer.url}/client.json`;
  customer.respond('/client.json', { body: { client_id, client_name: 'Desk', redirect_uris: [CALLBACK] } });
  const resource = `${issuer}/api/v1/mcp/${tenant.id}`;
  expectResponse(await exchange(sign({ client_id, resource }), {}, { client_id }), 200);
  assert.equal(expectResponse(await exchange(sign({ client_id }), {}, { client_id }), 400).error, 'invalid_target');
});

test('a provider accepts none unless it is told to, and only from the project that trusts it', async () => {
  const strict = await makeOAuthTenant(server, peer);
  const as = strict.client;
  const assertion = () => sign({ client_id: as.client_id });
  assert.equal(expectResponse(await exchange(assertion(), {}, as), 400).error, 'invalid_grant');
  const path = `/projects/${strict.id}/oauth-providers/${strict.provider.id}`;
  const change = (body: object, key = strict.keys.webhook) => api('PATCH', path, { key, body });
  const changed = expectResponse(await change(accepting), 200);
  assert.deepEqual(
    [changed.accepts_id_jag, changed.required_claims, changed.link_by, changed.max_assertion_seconds],
    [true, {}, 'subject', 300],
  );
  expectResponse(await exchange(assertion(), {}, as), 200);
  expectResponse(await change({ is_enabled: false }), 200);
  assert.equal(expectResponse(await exchange(assertion(), {}, as), 400).error, 'invalid_grant');
  for (const [body, field] of [
    [{ max_assertion_seconds: 59 }, 'max_assertion_seconds'],
    [{ max_assertion_seconds: 3601 }, 'max_assertion_seconds'],
    [{ link_by: 'name' }, 'link_by'],
    [{ required_claims: { a: 'b', c: 'd', e: 'f', g: 'h', i: 'j', k: 'l' } }, 'required_claims'],
    [{ required_claims: { tid: 1 } }, 'required_claims.tid'],
  ] as const)
    assert.equal(expectRefusal(await change(body), 422).details.field, field);
  const github = { provider: 'github', client_id: 'x', client_secret: 'y', accepts_id_jag: true };
  const refusal = expectRefusal(
    await api('POST', `/projects/${strict.id}/oauth-providers`, { key: strict.keys.webhook, body: github }),
    422,
  );
  assert.equal(refusal.details.field, 'accepts_id_jag');
});

test('in production only an admin turns ID-JAGs on, or changes what decides about them', async () => {
  const made = await makeOAuthTenant(server, peer, { project: { environment: 'production' } });
  const path = `/projects/${made.id}/oauth-providers/${made.provider.id}`;
  const change = (body: object, key: string) => api('PATCH', path, { key, body });
  for (const body of [
    accepting,
    { link_by: 'email' },
    { required_claims: { tid: 'x' } },
    { max_assertion_seconds: 600 },
  ])
    expectRefusal(await change(body, made.keys.webhook), 403);
  expectResponse(await change(accepting, made.keys.admin), 200);
});

test('required claims, a longer life and linking by a verified email address are settings of the provider', async () => {
  const fields = { ...accepting, required_claims: { tid: 'acme' }, link_by: 'email', max_assertion_seconds: 600 };
  const made = await makeOAuthTenant(server, peer, { provider: fields });
  const as = made.client;
  const own = await makeTool(server, made.keys.write, customer, {
    endpoint_path: '/m/{{member_id}}',
    require_member: true,
  });
  const email = { email: 'Alice@example.com', email_verified: true };
  const assertion = (claims: object) => sign({ client_id: as.client_id, tid: 'acme', ...email, ...claims });
  const { access_token } = expectResponse(await exchange(assertion({ exp: seconds() + 590 }), {}, as), 200);
  const { body } = expectResponse(await execute(server, access_token, own.id), 200);
  assert.match(body.path, /\/m\/alice(%40|@)example\.com$/);
  for (const [claims, check] of [
    [{ tid: 'other' }, 'required_claims'],
    [{ tid: undefined }, 'required_claims'],
    // What cannot be converted to a text is no match, and no error of the server.
    [{ tid: { toString: 'acme' } }, 'required_claims'],
    [{ tid: { toString: { valueOf: 'acme' } } }, 'required_claims'],
    [{ tid: [{ toString: 'acme' }] }, 'required_claims'],
    [{ tid: null }, 'required_claims'],
    [{ email_verified: false }, 'sub'],
    [{ email: undefined }, 'sub'],
  ] as const) {
    const bad = await assertion(claims);
    assert.equal(expectResponse(await debug(bad, made, made.provider.id, made.keys.webhook), 200).failed_check, check);
    assert.equal(expectResponse(await exchange(bad, {}, as), 400).error, 'invalid_grant');
  }
  const bad = await assertion({ email: 'user_42' });
  assert.ok((await exchange(bad, {}, as)).status >= 400);
});

test('a required claim may be a number or a boolean in the assertion', async () => {
  const required_claims = { tenant: '42', managed: 'true', none: 'null' };
  const made = await makeOAuthTenant(server, peer, { provider: { ...accepting, required_claims } });
  const assertion = (none: unknown) =>
    sign({ client_id: made.client.client_id, tenant: 42, managed: true, ...(none === undefined ? {} : { none }) });
  expectResponse(await exchange(assertion('null'), {}, made.client), 200);
  assert.equal(expectResponse(await exchange(assertion(null), {}, made.client), 400).error, 'invalid_grant');
});

test('iss must be exactly what the issuer calls itself: with one slash more or less it is refused', async () => {
  const made = await makeOAuthTenant(server, peer, { provider: accepting });
  const tried = async (iss: string) => {
    const assertion = await sign({ client_id: made.client.client_id, iss });
    const report = expectResponse(await debug(assertion, made, made.provider.id, made.keys.webhook), 200);
    const { status } = await exchange(assertion, {}, made.client);
    return [status, report.failed_check];
  };
  const refusal = [400, 'issuer'];
  assert.deepEqual(await tried(peer.url), [200, null]);
  for (const iss of [`${peer.url}/`, `${peer.url}//`, peer.url.replace('https', 'HTTPS'), `${peer.url}/?`])
    assert.deepEqual(await tried(iss), refusal, iss);
  peer.switches.discovery_issuer = `${peer.url}/`;
  app.cache.invalidate(made.id);
  assert.deepEqual(await tried(`${peer.url}/`), [200, null]);
  assert.deepEqual(await tried(peer.url), refusal);
});

test('an issuer whose documents are broken, missing or huge is a refusal, and nobody else notices', async () => {
  const made = await makeOAuthTenant(server, peer, { provider: accepting });
  const as = made.client;
  for (const raw_body of ['no json', '{}', '[]', `{"keys":[{"kty":"EC","x":"${'A'.repeat(300_000)}"}]}`]) {
    server.advance(700_000);
    app.cache.invalidate(made.id);
    peer.switches.raw_body = raw_body;
    assert.equal(expectResponse(await exchange(sign({ client_id: as.client_id }), {}, as), 400).error, 'invalid_grant');
    peer.reset();
  }
  server.advance(60_000);
  app.cache.invalidate(made.id);
  expectResponse(await exchange(sign({ client_id: as.client_id }), {}, as), 200);
  await makeProvider(server, made.id, peer);
});

test('the metadata of the server names the grant type, its profile and the algorithms', async () => {
  const metadata = expectResponse(await api('GET', '/.well-known/oauth-authorization-server'), 200);
  assert.ok(metadata.grant_types_supported.includes(GRANT));
  assert.deepEqual(metadata.authorization_grant_profiles_supported, ['urn:ietf:params:oauth:grant-profile:id-jag']);
  assert.deepEqual(metadata.token_endpoint_auth_signing_alg_values_supported, [
    'ES256',
    'ES384',
    'RS256',
    'PS256',
    'EdDSA',
  ]);
});

test('a member with the permission admin approves no call: people do that with an account', async () => {
  const own = await makeOAuthTenant(server, peer, { provider: { ...accepting, permissions: ['admin'] } });
  const claims = { client_id: own.client.client_id, scope: 'mcp admin' };
  const { access_token: key } = expectResponse(await exchange(sign(claims), {}, own.client), 200);
  expectResponse(await api('GET', `/projects/${own.id}/audit-log`, { key }), 200);
  const called = await makeTool(server, own.keys.write, customer, { confirm: { by: 'approver' } });
  const { approval } = expectResponse(await execute(server, own.keys.read, called.id), 409).error.details;
  const response = await api('POST', `/projects/${own.id}/approvals/${approval.id}/approve`, { key });
  assert.equal(expectResponse(response, 403).error.details.reason, 'may_not_decide');
});

test('an assertion is accepted up to 5 seconds after its end, and not a second time then', async () => {
  const [used, late] = [await sign({ exp: seconds() + 10 }), await sign({ exp: seconds() + 10 })];
  expectResponse(await exchange(used), 200);
  server.advance(13_000);
  assert.equal(expectResponse(await exchange(used), 400).error, 'invalid_grant');
  expectResponse(await exchange(late), 200);
});

test('rules of members do not read an email address that the issuer has not verified', async () => {
  const own = await makeOAuthTenant(server, peer, { provider: accepting });
  const called = await makeTool(server, own.keys.write, customer);
  const { slug } = await makeToolset(server, own.id, { tool_ids: [called.id] });
  const rules = [{ claim: 'email', equals: 'boss@example.com', toolsets: [slug] }];
  const body = { member_access: { default: [], rules } };
  expectResponse(await api('PATCH', `/projects/${own.id}/settings`, { key: own.keys.admin, body }), 200);
  const seenBy = async (email_verified: boolean) => {
    const claims = { client_id: own.client.client_id, email: 'boss@example.com', email_verified };
    const { access_token } = expectResponse(await exchange(sign(claims), {}, own.client), 200);
    return expectResponse(await legacy(server, access_token, 'tools/list'), 200).result.tools.map(
      (each: any) => each.name,
    );
  };
  assert.deepEqual(await seenBy(true), [called.name]);
  assert.deepEqual(await seenBy(false), []);
});
