// A sign-in at a real OpenID provider over HTTPS, and every response that must not sign anybody in.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { makeProject, unique } from '../../../../test/support/make/make.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../../../../test/support/peers/openid-provider.ts';
import { startServer } from '../../../../test/support/servers/start-server.ts';
import { ProviderError, type ProviderErrorKind } from '../../../openid/provider-error.ts';
import { externalIdOf, type Provider } from './provider.ts';
import { secretContext } from './secret-context.ts';
import { finishSignIn, startSignIn } from './sign-in.ts';
import { refreshTokens, revokeToken } from './tokens.ts';

const clock = { now: Date.now };
const openid = await startOpenIdProvider({ now: () => clock.now() });
const github = await startOpenIdProvider({ flavour: 'github' });
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: `${openid.address},${github.address}` });
clock.now = () => server.app.now();
after(() => Promise.all([openid.close(), github.close()]));
beforeEach(() => {
  openid.reset();
  github.reset();
  openid.setUser({ sub: 'alice', email: 'alice@example.com', email_verified: true });
});

async function providerAt(peer: OpenIdProvider, fields: Partial<Provider> = {}): Promise<Provider> {
  const project = await makeProject(server);
  const row = { id: unique('oap'), issuer: peer.url };
  const { app } = server;
  return {
    ...row,
    project_id: project.id,
    provider: peer === github ? 'github' : 'oidc',
    name: 'Test',
    client_id: peer.client_id,
    client_secret: await app.secrets.seal(app.database, project.id, secretContext(row), peer.client_secret),
    member_prefix: 'oidc',
    scopes: peer === github ? ['read:user', 'user:email'] : ['openid', 'email'],
    permissions: [],
    allowed_origins: [],
    mcp_server_id: null,
    server_url: null,
    resource: null,
    pinned_issuer: null,
    found_issuer: null,
    is_found_reported: true,
    toolset_ids: null,
    accepts_id_jag: false,
    required_claims: {},
    link_by: 'subject',
    max_assertion_seconds: 300,
    certificate_id: null,
    is_enabled: true,
    is_approved: true,
    created_by: 'root',
    created_at: '',
    updated_at: new Date(0).toISOString(),
    last_error: null,
    fairness_key: project.fairness_key,
    organization_id: '',
    environment: 'development',
    ...fields,
  };
}

const request = () => ({
  state: unique('state'),
  nonce: unique('nonce'),
  code_verifier: `verifier-${'v'.repeat(43)}-${unique('v')}`,
  redirect_uri: 'https://tools.example.com/api/v1/oauth/callback/oap_1',
});

async function signIn(peer: OpenIdProvider, provider: Provider, change?: (callback: URLSearchParams) => void) {
  const sent = request();
  const callback = (await peer.visit(await startSignIn(server.app, provider, sent))).searchParams;
  change?.(callback);
  return finishSignIn(server.app, provider, callback, sent);
}

const rejectsAs = (kind: ProviderErrorKind, work: Promise<unknown>) =>
  assert.rejects(work, (error: unknown) => {
    assert.ok(error instanceof ProviderError, String(error));
    assert.equal(error.kind, kind, error.message);
    return true;
  });

test('a sign-in returns the subject, the verified email and the tokens', async () => {
  const provider = await providerAt(openid);
  const { tokens, claims, ...who } = await signIn(openid, provider);
  assert.equal(externalIdOf(provider, who.subject), 'oidc:alice');
  assert.deepEqual(who, { subject: 'alice', email: 'alice@example.com' });
  assert.deepEqual([claims.sub, claims.email], ['alice', 'alice@example.com']);
  assert.ok(openid.isAccessToken(tokens.access_token));
  assert.ok(openid.hasRefreshToken(tokens.refresh_token ?? ''));
  const lifetime = Date.parse(tokens.expires_at ?? '') - server.app.now();
  assert.ok(lifetime > 3_500_000 && lifetime <= 3_600_000);
});

test('an email address that the provider did not verify is no claim', async () => {
  openid.setUser({ sub: 'alice', email: 'alice@example.com', email_verified: false, groups: ['support'] });
  const { email, claims } = await signIn(openid, await providerAt(openid));
  assert.deepEqual([email, claims.email, claims.groups], [null, undefined, ['support']]);
});

test('the browser is always sent with PKCE S256, state and nonce', async () => {
  const sent = request();
  const { searchParams } = await startSignIn(server.app, await providerAt(openid, { scopes: ['email'] }), sent);
  assert.equal(searchParams.get('code_challenge_method'), 'S256');
  assert.match(searchParams.get('code_challenge') ?? '', /^[\w-]{43}$/);
  assert.equal(searchParams.get('state'), sent.state);
  assert.equal(searchParams.get('nonce'), sent.nonce);
  assert.equal(searchParams.get('scope'), 'openid email');
});

test('an email that the provider did not verify is not returned', async () => {
  openid.setUser({ email_verified: false });
  assert.equal((await signIn(openid, await providerAt(openid))).email, null);
});

test('an email that is not in the ID token is read from the userinfo endpoint', async () => {
  openid.switches.has_no_email_in_id_token = true;
  assert.equal((await signIn(openid, await providerAt(openid))).email, 'alice@example.com');
});

const invalid: Record<string, () => void> = {
  'an ID token of another issuer': () => (openid.switches.token_issuer = 'https://evil.example.com'),
  'an ID token whose issuer has one slash more': () => (openid.switches.token_issuer = `${openid.url}/`),
  'an ID token for another client': () => (openid.switches.audience = 'another-client'),
  'an ID token for this client that another one asked for': () => (openid.switches.authorized_party = 'another-client'),
  'an ID token with another nonce': () => (openid.switches.nonce = 'replayed'),
  'an ID token signed with an unknown key': () => (openid.switches.has_bad_signature = true),
  'a callback with the iss of another provider': () => (openid.switches.callback_iss = 'https://evil.example.com'),
  'a callback whose iss has one slash more': () => (openid.switches.callback_iss = `${openid.url}/`),
  'an issuer that spells itself differently': () => {
    const issuer = openid.url.replace('https', 'HTTPS');
    Object.assign(openid.switches, { discovery_issuer: issuer, callback_iss: issuer, token_issuer: issuer });
  },
  'discovery that names another issuer': () => (openid.switches.discovery_issuer = 'https://evil.example.com'),
  'discovery that is no JSON': () => (openid.switches.raw_body = '<html>'),
};
for (const [what, misbehave] of Object.entries(invalid))
  test(`${what} signs nobody in`, async () => {
    misbehave();
    await rejectsAs('invalid', signIn(openid, await providerAt(openid)));
  });

test('an ID token whose azp is this client signs the person in', async () => {
  openid.switches.authorized_party = openid.client_id;
  assert.equal((await signIn(openid, await providerAt(openid))).subject, 'alice');
});

test('an ID token that has expired by the database clock signs nobody in', async () => {
  clock.now = () => server.app.now() - 400_000;
  try {
    await rejectsAs('invalid', signIn(openid, await providerAt(openid)));
  } finally {
    clock.now = () => server.app.now();
  }
});

test('a callback with another state, or without the iss that the provider promised, signs nobody in', async () => {
  const provider = await providerAt(openid);
  await rejectsAs(
    'invalid',
    signIn(openid, provider, (callback) => callback.set('state', 'fixed')),
  );
  await rejectsAs(
    'invalid',
    signIn(openid, provider, (callback) => callback.delete('iss')),
  );
});

test('a person who says no, a used code and a wrong client secret are refusals', async () => {
  const provider = await providerAt(openid);
  openid.switches.authorize_error = 'access_denied';
  await assert.rejects(signIn(openid, provider), { kind: 'refused', error_code: 'access_denied' });
  openid.reset();
  await rejectsAs(
    'refused',
    signIn(openid, provider, (callback) => callback.set('code', 'used')),
  );
  openid.switches.token_error = 'invalid_client';
  await assert.rejects(signIn(openid, provider), { kind: 'refused', error_code: 'invalid_client' });
});

test('a provider that is down is unreachable, and an address that the guard forbids is never called', async () => {
  const provider = await providerAt(openid);
  const sent = request();
  const callback = (await openid.visit(await startSignIn(server.app, provider, sent))).searchParams;
  openid.switches.is_down = true;
  await rejectsAs('unreachable', finishSignIn(server.app, provider, callback, sent));
  const blocked = await providerAt(openid, { issuer: 'https://127.0.0.1:9' });
  await rejectsAs('unreachable', startSignIn(server.app, blocked, request()));
});

test('a client secret moved to another issuer in the database is not sent there', async () => {
  const provider = await providerAt(openid);
  const sent = request();
  const callback = (await openid.visit(await startSignIn(server.app, provider, sent))).searchParams;
  // Another spelling of the same address, so that only the seal can refuse it.
  const moved = { ...provider, issuer: `${openid.url}/` };
  await assert.rejects(finishSignIn(server.app, moved, callback, sent));
});

test('GitHub: the subject is the number of the account, and only a primary verified email counts', async () => {
  const provider = await providerAt(github);
  github.setUser({ sub: '583231', email: 'octocat@example.com', email_verified: true });
  const { subject, email } = await signIn(github, provider);
  assert.deepEqual({ subject, email }, { subject: '583231', email: 'octocat@example.com' });
  github.setUser({ email_verified: false });
  assert.equal((await signIn(github, provider)).email, null);
  // GitHub sends this error with status 200.
  await rejectsAs(
    'refused',
    signIn(github, provider, (callback) => callback.set('code', 'used')),
  );
});

test('a refresh rotates the refresh token, or keeps the old one where the provider does', async () => {
  const provider = await providerAt(openid);
  const { tokens } = await signIn(openid, provider);
  const first = await refreshTokens(server.app, provider, tokens.refresh_token ?? '');
  assert.notEqual(first.refresh_token, tokens.refresh_token);
  await rejectsAs('refused', refreshTokens(server.app, provider, tokens.refresh_token ?? ''));
  openid.switches.keeps_refresh_token = true;
  const second = await refreshTokens(server.app, provider, first.refresh_token ?? '');
  assert.equal(second.refresh_token, first.refresh_token);
  assert.notEqual(second.access_token, first.access_token);
});

test('a revoked token is no longer valid at the provider; GitHub has no endpoint for it', async () => {
  const provider = await providerAt(openid);
  const { tokens } = await signIn(openid, provider);
  assert.equal(await revokeToken(server.app, provider, tokens.access_token), true);
  assert.equal(openid.isAccessToken(tokens.access_token), false);
  assert.equal(await revokeToken(server.app, await providerAt(github), 'any'), false);
});
