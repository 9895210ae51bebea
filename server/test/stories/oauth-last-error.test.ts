// The last failed sign-in of a provider: what the operator is told, what is not recorded, and when it is gone.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import type { OAuthProviderErrorCode } from '@toolgate/contract/oauth-providers/oauth-provider-error.ts';
import pg from 'pg';
import { updateLastErrors } from '../../src/features/oauth/providers/store.ts';
import { openBrowser, signIn } from '../support/browser.ts';
import { expectResponse, unique } from '../support/make/make.ts';
import { makeMemberTenant, makeSession } from '../support/make/make-members.ts';
import {
  authorizeUrl,
  CALLBACK,
  connect,
  makeOAuthTenant,
  makeProvider,
  startOAuthServer,
} from '../support/make/make-oauth.ts';
import { type OpenIdProvider, type Switches, startOpenIdProvider } from '../support/peers/openid-provider.ts';
import { ROOT_KEY } from '../support/servers/start-server.ts';

const MINUTE_MS = 60_000;
const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
const github = await startOpenIdProvider({ flavour: 'github' });
const server = await startOAuthServer([peer, github]);
const { api, app } = server;
clock.now = () => app.now();
after(() => Promise.all([peer.close(), github.close()]));
beforeEach(() => {
  for (const each of [peer, github]) each.reset();
  peer.setUser({ sub: unique('alice') });
  github.setUser({ sub: '583231' });
  server.advance(MINUTE_MS);
});

type Tenant = Awaited<ReturnType<typeof makeOAuthTenant>>;

const startUrl = ({ client }: Tenant) =>
  authorizeUrl({ client_id: client.client_id, redirect_uri: CALLBACK, scope: 'mcp' });
const attempt = (tenant: Tenant, at: OpenIdProvider = peer) => signIn(openBrowser(server), at, startUrl(tenant));
const pathOf = ({ id, provider }: Tenant) => `/projects/${id}/oauth-providers/${provider.id}`;

/** As the API shows it, after everything that is under way was written. */
async function read(tenant: Tenant) {
  await app.batch_writer.flush();
  return expectResponse(await api('GET', pathOf(tenant), { key: tenant.keys.read }), 200);
}

async function attemptWith(tenant: Tenant, switches: Partial<Switches>, at: OpenIdProvider = peer) {
  Object.assign(at.switches, switches);
  const page = await attempt(tenant, at);
  at.reset();
  return page;
}

/** Changes with every write of the row. */
async function versionOf({ id, provider }: Tenant): Promise<string> {
  await app.batch_writer.flush();
  const text = 'select xmin::text as version from oauth_providers where project_id = $1 and id = $2';
  return (await app.pool.query(text, [id, provider.id])).rows[0].version;
}

test('a refused secret is told in plain words with a remedy, and the next sign-in clears it', async () => {
  const tenant = await makeOAuthTenant(server, peer, { provider: { client_secret: 'wrong' } });
  assert.equal((await read(tenant)).last_error, null);
  assert.equal((await attempt(tenant)).status, 403);
  const { last_error } = await read(tenant);
  const { created_at, ...told } = last_error;
  assert.deepEqual(told, {
    code: 'credentials_refused',
    message: 'The provider does not accept the client ID and the secret.',
    reason: 'token response: the provider returned invalid_client',
    remedy: 'Copy client_id and client_secret again from the app at the provider.',
  });
  assert.ok(Math.abs(Date.parse(created_at) - app.now()) < MINUTE_MS, created_at);
  const list = expectResponse(
    await api('GET', `/projects/${tenant.id}/oauth-providers`, { key: tenant.keys.read }),
    200,
  ).data;
  assert.deepEqual(list[0].last_error, last_error);

  const own = await makeOAuthTenant(server, peer);
  await attemptWith(own, { token_error: 'invalid_client' });
  assert.equal((await read(own)).last_error.code, 'credentials_refused');
  assert.ok((await attempt(own)).location?.startsWith(CALLBACK));
  assert.equal((await read(own)).last_error, null);
});

const failures: [what: string, switches: Partial<Switches>, code: string][] = [
  ['a provider that is down', { is_down: true }, 'unreachable'],
  ["another issuer's configuration", { discovery_issuer: 'https://other.example.com' }, 'discovery_invalid'],
  ['a configuration that is no JSON', { raw_body: '<html>' }, 'discovery_invalid'],
  ['a client that may not sign in', { token_error: 'unauthorized_client' }, 'credentials_refused'],
  ['an unknown callback URL', { token_error: 'redirect_uri_mismatch' }, 'redirect_uri_mismatch'],
  ['another refusal', { token_error: 'unsupported_grant_type' }, 'refused'],
  ['an ID token of another issuer', { token_issuer: 'https://other.example.com' }, 'answer_invalid'],
  ['an ID token for another client', { audience: 'another-client' }, 'answer_invalid'],
  ['an ID token with a wrong signature', { has_bad_signature: true }, 'answer_invalid'],
];
for (const [what, switches, code] of failures)
  test(`${what} is recorded as ${code}`, async () => {
    const tenant = await makeOAuthTenant(server, peer);
    const { status } = await attemptWith(tenant, switches);
    assert.ok(status >= 400, String(status));
    const { last_error } = await read(tenant);
    assert.equal(last_error?.code, code);
    for (const text of [last_error.message, last_error.reason, last_error.remedy]) assert.ok(text.length > 20, text);
  });

test('the words of GitHub are understood', async () => {
  const fields = { provider: 'github', client_secret: 'wrong' };
  const tenant = await makeOAuthTenant(server, github, { provider: fields });
  await attempt(tenant, github);
  assert.equal((await read(tenant)).last_error.code, 'credentials_refused');
});

test('a person who says no, and what a browser makes up, is not recorded', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const version = await versionOf(tenant);
  const changes: ((callback: URL) => void)[] = [
    ({ searchParams }) => searchParams.set('code', 'made-up'),
    ({ searchParams }) => searchParams.delete('code'),
    ({ searchParams }) => searchParams.set('iss', 'https://evil.example.com'),
    ...['access_denied', 'invalid_client', 'server_error', 'x'.repeat(500)].map(
      (error) =>
        ({ searchParams }: URL) =>
          searchParams.set('error', error),
    ),
  ];
  for (const change of changes) {
    const browser = openBrowser(server);
    const sent = await browser.submit(await browser.visit(startUrl(tenant)), { provider: tenant.provider.id });
    const callback = await peer.visit(sent.location ?? '');
    change(callback);
    const page = await browser.visit(callback.pathname + callback.search);
    assert.equal(new URL(page.location ?? 'none:').searchParams.get('code'), null);
  }
  for (const token_error of ['access_denied', 'invalid_grant']) await attemptWith(tenant, { token_error });
  const fields = { provider: 'github' };
  const second = await makeOAuthTenant(server, github, { provider: fields });
  await attemptWith(second, { token_error: 'bad_verification_code' }, github);
  assert.equal((await read(second)).last_error, null);
  assert.equal((await read(tenant)).last_error, null);
  assert.equal(await versionOf(tenant), version);
});

test('an error is written at most once a minute, and a sign-in that succeeds writes nothing if no error is stored', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const untouched = await versionOf(tenant);
  await attempt(tenant);
  assert.equal(await versionOf(tenant), untouched);

  peer.switches.token_error = 'invalid_client';
  await Promise.all(Array.from({ length: 5 }, () => attempt(tenant)));
  const first = await versionOf(tenant);
  assert.notEqual(first, untouched);
  server.advance(MINUTE_MS / 2);
  await attemptWith(tenant, { token_error: 'invalid_client' });
  assert.equal(await versionOf(tenant), first);
  server.advance(MINUTE_MS);
  await attemptWith(tenant, { token_error: 'redirect_uri_mismatch' });
  assert.notEqual(await versionOf(tenant), first);
  assert.equal((await read(tenant)).last_error.code, 'redirect_uri_mismatch');
});

test('of replicas that fail in the same minute one writes its error', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const { updated_at } = await read(tenant);
  const { project_id, id } = tenant.provider;
  const failed = (code: OAuthProviderErrorCode, at: number) => {
    const last_error = { code, reason: 'a reason', created_at: new Date(at).toISOString() };
    return updateLastErrors(app.pool, [{ project_id, id, updated_at, last_error }], MINUTE_MS);
  };
  await failed('unreachable', app.now());
  await failed('refused', app.now() + MINUTE_MS / 2);
  assert.equal((await read(tenant)).last_error.code, 'unreachable');
});

test('another client ID or secret clears the error; other changes, and the same values again, do not', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const patch = async (body: object) =>
    expectResponse(await api('PATCH', pathOf(tenant), { key: tenant.keys.admin, body }), 200).last_error;
  const { client_id, client_secret } = peer;
  for (const repair of [{ client_secret: 'another' }, { client_id: 'another' }]) {
    server.advance(MINUTE_MS);
    await attemptWith(tenant, { token_error: 'invalid_client' });
    const { last_error } = await read(tenant);
    assert.equal(last_error.code, 'credentials_refused');
    for (const same of [{ name: unique('Staff') }, { client_id }, { client_secret }, { issuer: peer.url }])
      assert.deepEqual(await patch(same), last_error, JSON.stringify(same));
    assert.equal(await patch(repair), null);
    assert.equal((await read(tenant)).last_error, null);
    await patch({ client_id, client_secret });
  }
});

test('an error is no change of the provider: not for updated_at, events and the audit log', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const { updated_at } = await read(tenant);
  const count = async (list: string) => {
    const { data } = expectResponse(
      await api('GET', `/projects/${tenant.id}/${list}?limit=100`, { key: ROOT_KEY }),
      200,
    );
    return data.filter((entry: { type?: string; action?: string }) =>
      (entry.type ?? entry.action ?? '').startsWith('oauth_provider.'),
    );
  };
  const before = [(await count('events')).length, (await count('audit-log')).length];
  await attemptWith(tenant, { token_error: 'invalid_client' });
  assert.equal((await read(tenant)).updated_at, updated_at);
  await attempt(tenant);
  assert.equal((await read(tenant)).updated_at, updated_at);
  assert.deepEqual([(await count('events')).length, (await count('audit-log')).length], before);

  server.advance(MINUTE_MS);
  await attemptWith(tenant, { token_error: 'invalid_client' });
  await read(tenant);
  const body = { client_id: 'another' };
  expectResponse(await api('PATCH', pathOf(tenant), { key: tenant.keys.admin, body }), 200);
  const [entry] = await count('audit-log');
  assert.deepEqual(Object.keys(entry.after).sort(), ['client_id', 'updated_at']);
});

test('a sign-in that began with the old secret records nothing after the new one was saved', async () => {
  const tenant = await makeOAuthTenant(server, peer, { provider: { client_secret: 'old' } });
  const browser = openBrowser(server);
  const sent = await browser.submit(await browser.visit(startUrl(tenant)), { provider: tenant.provider.id });
  const callback = await peer.visit(sent.location ?? '');
  const { promise, resolve } = Promise.withResolvers<void>();
  peer.switches.hold = promise;
  const asked = peer.at('/token').length;
  const finished = browser.visit(callback.pathname + callback.search);
  while (peer.at('/token').length === asked) await new Promise(setImmediate);
  const body = { client_secret: peer.client_secret };
  expectResponse(await api('PATCH', pathOf(tenant), { key: tenant.keys.admin, body }), 200);
  resolve();
  assert.equal((await finished).status, 403);
  assert.equal((await read(tenant)).last_error, null);
});

test('a provider that somebody is changing keeps no sign-in and no other row waiting', async (t) => {
  const [locked, free] = [await makeOAuthTenant(server, peer), await makeOAuthTenant(server, peer)];
  // Its end after 20 s lets a test that fails end too.
  const connectionString = app.config.database_url ?? '';
  const outside = new pg.Client({ connectionString, idle_in_transaction_session_timeout: 20_000 });
  outside.on('error', () => {});
  await outside.connect();
  t.after(() => outside.end());
  await outside.query('begin');
  await outside.query('select from oauth_providers where id = $1 for update', [locked.provider.id]);
  for (const tenant of [locked, free])
    assert.equal((await attemptWith(tenant, { token_error: 'invalid_client' })).status, 403);
  assert.equal((await read(free)).last_error.code, 'credentials_refused');
  assert.equal((await read(locked)).last_error, null);
});

test('what a provider repeats of a code or a secret is not stored', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  await attemptWith(tenant, { token_error: 'Planted-4fTq0cDkXv8mWn2ZbR6yLs' });
  const provider = await read(tenant);
  assert.equal(provider.last_error.reason, 'token response: the provider returned an unknown error');
  const { rows } = await app.pool.query('select t::text as row from oauth_providers t where project_id = $1', [
    tenant.id,
  ]);
  assert.doesNotMatch(JSON.stringify([provider, rows]), /Planted|alice/);
});

test('refused credentials at a refresh are recorded and cleared by the next refresh; an outage there is not', async () => {
  const tenant = await makeMemberTenant(server);
  const provider = await makeProvider(server, tenant.id, peer);
  const { member } = await makeSession(server, tenant);
  await connect(server, peer, provider, member.id);
  const lastError = async () => {
    await app.batch_writer.flush();
    const path = `/projects/${tenant.id}/oauth-providers/${provider.id}`;
    return expectResponse(await api('GET', path, { key: tenant.keys.read }), 200).last_error;
  };
  const refreshWith = async (switches: Partial<Switches>) => {
    Object.assign(peer.switches, switches);
    server.advance(55 * MINUTE_MS);
    await server.runJobs();
    peer.reset();
    return lastError();
  };
  assert.equal(await refreshWith({ is_down: true }), null);
  assert.equal(await refreshWith({ token_error: 'temporarily_unavailable' }), null);
  assert.equal((await refreshWith({ token_error: 'invalid_client' })).code, 'credentials_refused');
  assert.equal(await refreshWith({}), null);
});
