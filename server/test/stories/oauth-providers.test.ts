// OAuth providers of a project: set up, changed, tested against a real OpenID provider, deleted.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { makeProvider, providerFields } from '../support/make/make-oauth.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';
import { expectRefusal } from '../support/requests/expect-refusal.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const openid = await startOpenIdProvider();
const github = await startOpenIdProvider({ flavour: 'github' });
const server = await startServer({
  TOOLGATE_EGRESS_ALLOW: `${openid.address},${github.address}`,
  TOOLGATE_PUBLIC_URL: 'https://tools.example.com',
});
const { api, app } = server;
after(() => Promise.all([openid.close(), github.close()]));
beforeEach(() => {
  openid.reset();
  github.reset();
});

const tenant = await makeTenant(server);
const path = `/projects/${tenant.id}/oauth-providers`;
const post = (body: unknown, key = tenant.keys.webhook, at = path) => api('POST', at, { key, body });
const google = { provider: 'google', client_id: 'an-id', client_secret: 'planted-upstream-secret' };

test('a provider can be set up, read, listed, changed and deleted, and its secret is never returned', async () => {
  const made = expectResponse(await post(google), 201);
  const { id, created_at, updated_at, created_by, ...rest } = made;
  assert.match(id, /^oap_[0-9A-Za-z]{22}$/);
  assert.deepEqual(rest, {
    object: 'oauth_provider',
    project_id: tenant.id,
    provider: 'google',
    name: 'Google',
    issuer: 'https://accounts.google.com',
    client_id: 'an-id',
    scopes: ['openid', 'email', 'profile'],
    permissions: [],
    toolset_ids: null,
    accepts_id_jag: false,
    required_claims: {},
    link_by: 'subject',
    max_assertion_seconds: 300,
    certificate_id: null,
    allowed_origins: [],
    is_enabled: true,
    is_approved: false,
    callback_url: `https://tools.example.com/api/v1/oauth/callback/${id}`,
    member_prefix: 'google',
    last_error: null,
  });
  assert.deepEqual(expectResponse(await api('GET', `${path}/${id}`, { key: tenant.keys.read }), 200), made);

  const body = { is_enabled: false, scopes: ['openid'], client_secret: 'planted-second-secret' };
  const changed = expectResponse(await api('PATCH', `${path}/${id}`, { key: tenant.keys.webhook, body }), 200);
  assert.deepEqual([changed.is_enabled, changed.scopes, changed.created_at], [false, ['openid'], created_at]);
  assert.ok(changed.updated_at > updated_at);
  const list = expectResponse(await api('GET', path, { key: tenant.keys.read }), 200);
  assert.deepEqual(list.data, [changed]);

  expectResponse(await api('DELETE', `${path}/${id}`, { key: tenant.keys.admin }), 204);
  for (const method of ['GET', 'DELETE', 'PATCH'])
    expectRefusal(
      await api(method, `${path}/${id}`, { key: tenant.keys.admin, ...(method === 'PATCH' ? { body } : {}) }),
      404,
    );

  const { rows } =
    await app.pool.query(`select t::text as row from events t union all select t::text from audit_entries t
    union all select t::text from oauth_providers t`);
  assert.ok(rows.length > 5);
  for (const { row } of rows) assert.doesNotMatch(row, /planted-/);
});

test('every change is an event and an audit entry', async () => {
  const own = await makeTenant(server);
  const at = `/projects/${own.id}/oauth-providers`;
  const { id } = expectResponse(await post(google, own.keys.webhook, at), 201);
  expectResponse(await api('PATCH', `${at}/${id}`, { key: own.keys.webhook, body: { name: 'Staff' } }), 200);
  expectResponse(await api('PATCH', `${at}/${id}`, { key: own.keys.webhook, body: {} }), 200);
  expectResponse(await api('DELETE', `${at}/${id}`, { key: own.keys.admin }), 204);
  const kinds = ['oauth_provider.deleted', 'oauth_provider.updated', 'oauth_provider.created'];
  const events = expectResponse(await api('GET', `/projects/${own.id}/events?limit=100`, { key: ROOT_KEY }), 200);
  const ours = events.data.filter(({ type }: { type: string }) => type.startsWith('oauth_provider.'));
  assert.deepEqual(
    ours.map(({ type }: { type: string }) => type),
    kinds,
  );
  assert.equal(ours[1].data.name, 'Staff');
  const audit = expectResponse(await api('GET', `/projects/${own.id}/audit-log?limit=100`, { key: ROOT_KEY }), 200);
  const actions = audit.data.map(({ action }: { action: string }) => action);
  assert.deepEqual(
    actions.filter((action: string) => action.startsWith('oauth_provider.')),
    kinds,
  );
});

test('a wrong field is refused by name, and nothing is stored', async () => {
  const own = await makeTenant(server);
  const at = `/projects/${own.id}/oauth-providers`;
  const wrong: [object, string][] = [
    [{ ...google, provider: 'facebook' }, 'provider'],
    [{ ...google, id: 'oap_short' }, 'id'],
    [{ ...google, id: 'key_chosenByTheCaller00002' }, 'id'],
    [{ ...google, client_id: '' }, 'client_id'],
    [{ ...google, client_secret: undefined }, 'client_secret'],
    [{ ...google, client_secret: 'ü' }, 'client_secret'],
    [{ ...google, issuer: 'https://evil.example.com' }, 'issuer'],
    [{ ...google, scopes: ['openid email'] }, 'scopes.0'],
    [{ ...google, scopes: ['a', 'a'] }, 'scopes'],
    [{ ...google, permissions: ['root'] }, 'permissions.0'],
    [{ ...google, is_enabld: true }, 'is_enabld'],
    [{ ...google, provider: 'oidc' }, 'issuer'],
    [{ ...google, provider: 'oidc', issuer: 'http://login.example.com' }, 'issuer'],
    [{ ...google, provider: 'oidc', issuer: 'https://user@login.example.com' }, 'issuer'],
    [{ ...google, provider: 'oidc', issuer: 'https://login.example.com/?a=1' }, 'issuer'],
    [{ ...google, provider: 'oidc', issuer: 'https://login.example.com/#' }, 'issuer'],
    [{ ...google, provider: 'oidc', issuer: 'https://10.0.0.1' }, 'issuer'],
    [{ ...google, provider: 'oidc', issuer: 'https://localhost' }, 'issuer'],
    [{ ...google, provider: 'oidc', issuer: 'https://login.example.com/a/../b' }, 'issuer'],
    [{ ...google, provider: 'github', issuer: 'https://github.example.com/path' }, 'issuer'],
  ];
  for (const [body, field] of wrong) {
    const { details } = expectRefusal(await post(body, own.keys.webhook, at), 422);
    assert.equal(details.field, field, JSON.stringify(body));
    assert.ok(!JSON.stringify(details).includes('planted'), JSON.stringify(details));
  }
  assert.deepEqual(expectResponse(await api('GET', at, { key: own.keys.read }), 200).data, []);
});

test('an id that the caller chose is the end of the callback URL; one that is taken, even elsewhere, is refused', async () => {
  const own = await makeTenant(server);
  const at = `/projects/${own.id}/oauth-providers`;
  const id = 'oap_chosenByTheCaller00001';
  const made = expectResponse(await post({ ...google, id }, own.keys.webhook, at), 201);
  assert.equal(made.id, id);
  assert.equal(made.callback_url, `https://tools.example.com/api/v1/oauth/callback/${id}`);
  for (const [key, where] of [
    [own.keys.webhook, at],
    [tenant.keys.webhook, path],
  ] as const) {
    const { details } = expectRefusal(await post({ ...google, id }, key, where), 422);
    assert.deepEqual([details.field, details.reason], ['id', 'id_taken']);
  }
  expectRefusal(await api('GET', `${path}/${id}`, { key: tenant.keys.read }), 404);
});

test('GitHub and any OpenID issuer can be set up; an issuer may have a path', async () => {
  const own = await makeTenant(server);
  const at = `/projects/${own.id}/oauth-providers`;
  const issuers: [object, string, string][] = [
    [{ provider: 'github' }, 'https://github.com', 'GitHub'],
    [{ provider: 'github', issuer: 'https://github.example.com/' }, 'https://github.example.com', 'GitHub'],
    [
      { provider: 'oidc', issuer: 'https://example.okta.com/oauth2/default' },
      'https://example.okta.com/oauth2/default',
      'example.okta.com',
    ],
    [{ provider: 'oidc', issuer: 'https://login.example.com/' }, 'https://login.example.com', 'login.example.com'],
  ];
  for (const [fields, issuer, name] of issuers) {
    const made = expectResponse(await post({ ...google, ...fields }, own.keys.webhook, at), 201);
    assert.deepEqual([made.issuer, made.name], [issuer, name]);
  }
});

test('members of two issuers never share a prefix, not even after the first provider was deleted', async () => {
  const own = await makeTenant(server);
  const at = `/projects/${own.id}/oauth-providers`;
  const make = async (issuer: string) =>
    expectResponse(await post({ ...google, provider: 'oidc', issuer }, own.keys.webhook, at), 201);
  const first = await make('https://one.example.com');
  const second = await make('https://two.example.com');
  assert.equal(first.member_prefix, 'oidc');
  assert.match(second.member_prefix, /^oidc-[0-9a-f]{12}$/);
  for (const { id } of [first, second])
    expectResponse(await api('DELETE', `${at}/${id}`, { key: own.keys.admin }), 204);
  assert.equal((await make('https://two.example.com/')).member_prefix, second.member_prefix);
  assert.notEqual((await make('https://three.example.com')).member_prefix, 'oidc');
  assert.equal((await make('https://one.example.com')).member_prefix, 'oidc');
});

test('the kind and the issuer of a provider are fixed; sent unchanged they are accepted', async () => {
  const made = await makeProvider(server, tenant.id, openid);
  const patch = (body: object) => api('PATCH', `${path}/${made.id}`, { key: tenant.keys.webhook, body });
  expectResponse(await patch({ provider: 'oidc', issuer: `${openid.url}/`, name: 'Same' }), 200);
  assert.equal(expectRefusal(await patch({ issuer: 'https://evil.example.com' }), 422).details.field, 'issuer');
  assert.equal(expectRefusal(await patch({ provider: 'github' }), 422).details.field, 'provider');
});

test('a key grants no permission that it lacks, and changes no provider that grants one', async () => {
  expectRefusal(await post({ ...google, permissions: ['admin'] }), 403);
  expectRefusal(await post({ ...google, permissions: ['read', 'webhook'] }), 403);
  expectResponse(await post({ ...google, permissions: ['webhook'] }), 201);
  const { id } = expectResponse(await post({ ...google, permissions: ['admin'] }, tenant.keys.admin), 201);
  // Another client_id would decide who can sign in.
  for (const body of [{ client_id: 'mine' }, { permissions: [] }, { is_enabled: true }])
    expectRefusal(await api('PATCH', `${path}/${id}`, { key: tenant.keys.webhook, body }), 403);
  expectResponse(await api('PATCH', `${path}/${id}`, { key: tenant.keys.admin, body: { permissions: [] } }), 200);
});

test('reading needs read, setting up and testing webhook, deleting admin', async () => {
  const { id } = await makeProvider(server, tenant.id, openid);
  expectRefusal(await post(google, tenant.keys.write), 403);
  expectRefusal(await api('GET', path, { key: tenant.keys.webhook }), 403);
  expectRefusal(await api('POST', `${path}/${id}/test`, { key: tenant.keys.read }), 403);
  expectRefusal(await api('DELETE', `${path}/${id}`, { key: tenant.keys.webhook }), 403);
});

const report = async (id: string, key = tenant.keys.webhook) => {
  const { checks, ...rest } = expectResponse(await api('POST', `${path}/${id}/test`, { key }), 200);
  const outcomes = Object.fromEntries(
    checks.map(({ check, outcome }: { check: string; outcome: string }) => [check, outcome]),
  );
  for (const { outcome, reason, remedy } of checks)
    if (outcome === 'failed') assert.ok(reason.length > 10 && remedy.length > 20, `${reason} ${remedy}`);
  return { ...rest, outcomes };
};

test('a test reports discovery, keys and credentials of a provider that works', async () => {
  for (const [peer, provider] of [
    [openid, 'oidc'],
    [github, 'github'],
  ] as const) {
    const { id } = await makeProvider(server, tenant.id, peer, { provider });
    const { outcomes, passed } = await report(id);
    assert.deepEqual(outcomes, { discovery: 'passed', keys: 'passed', credentials: 'passed' });
    assert.equal(passed, true);
  }
});

test('a test finds a wrong secret, a wrong issuer, missing keys and a provider that is down', async () => {
  for (const [peer, provider] of [
    [openid, 'oidc'],
    [github, 'github'],
  ] as const) {
    const { id } = await makeProvider(server, tenant.id, peer, { provider, client_secret: 'wrong' });
    const { outcomes, passed } = await report(id);
    assert.deepEqual(outcomes, { discovery: 'passed', keys: 'passed', credentials: 'failed' });
    assert.equal(passed, false);
  }
  const { id } = await makeProvider(server, tenant.id, openid);
  const unreached = { discovery: 'failed', keys: 'not_reached', credentials: 'not_reached' };
  openid.switches.discovery_issuer = 'https://evil.example.com';
  assert.deepEqual((await report(id)).outcomes, unreached);
  openid.reset();
  openid.switches.is_down = true;
  assert.deepEqual((await report(id)).outcomes, unreached);
  openid.reset();
  openid.switches.has_no_keys = true;
  assert.deepEqual((await report(id)).outcomes, { discovery: 'passed', keys: 'failed', credentials: 'passed' });
});

test('a project has at most 50 providers', async () => {
  const own = await makeTenant(server);
  const at = `/projects/${own.id}/oauth-providers`;
  for (let i = 0; i < 50; i += 1) expectResponse(await post(google, own.keys.webhook, at), 201);
  expectRefusal(await post(providerFields(openid), own.keys.webhook, at), 409);
});
