// Attacks on a sign-in by OAuth (rules 10): each must end without a token for the attacker.

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import { type Browser, openBrowser, signIn, type Visited } from '../support/browser.ts';
import { expectResponse, unique } from '../support/make/make.ts';
import { isAlive } from '../support/make/make-members.ts';
import {
  authorizeUrl,
  CALLBACK,
  makeClient,
  makeOAuthTenant,
  makeProvider,
  postForm,
  startOAuthServer,
  type Tokens,
} from '../support/make/make-oauth.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
const evil = await startOpenIdProvider({ now: () => clock.now() });
const server = await startOAuthServer([peer, evil]);
const replica = await startServer({
  DATABASE_URL: server.app.config.database_url ?? '',
  TOOLGATE_PUBLIC_URL: server.app.config.public_url,
});
clock.now = () => server.app.now();
after(() => Promise.all([peer.close(), evil.close()]));
beforeEach(() => {
  peer.reset();
  peer.setUser({ sub: unique('alice') });
  server.advance(61_000);
  replica.advance(61_000);
});
const { api } = server;

type Tenant = Awaited<ReturnType<typeof makeOAuthTenant>>;
type Fields = Record<string, string>;

const asked = ({ client }: Tenant, more: Fields = {}): Fields => ({
  client_id: client.client_id,
  redirect_uri: CALLBACK,
  scope: 'mcp',
  ...more,
});
const parametersOf = (location: string | null) => new URL(location ?? 'missing:').searchParams;

function pkce() {
  const code_verifier = randomBytes(32).toString('base64url');
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
  return { code_verifier, challenge: { code_challenge, code_challenge_method: 'S256' } };
}

async function codeFor(tenant: Tenant, more: Fields = {}, browser: Browser = openBrowser(server)): Promise<string> {
  const { location, text } = await signIn(browser, peer, authorizeUrl(asked(tenant, more)));
  return parametersOf(location).get('code') ?? assert.fail(`no code: ${location} ${text}`);
}

const redeem = ({ client }: Tenant, code: string, more: Fields = {}, at = server): Promise<ApiResponse> => {
  const { client_id, client_secret } = client;
  return postForm(at, '/oauth/token', {
    grant_type: 'authorization_code',
    code,
    client_id,
    ...(client_secret === null ? {} : { client_secret }),
    ...more,
  });
};
const refresh = ({ client }: Tenant, refresh_token: string, at = server): Promise<ApiResponse> => {
  const { client_id, client_secret } = client;
  const fields = { grant_type: 'refresh_token', refresh_token, client_id };
  return postForm(at, '/oauth/token', client_secret === null ? fields : { ...fields, client_secret });
};
const tokensFor = async (tenant: Tenant): Promise<Tokens> =>
  expectResponse(await redeem(tenant, await codeFor(tenant)), 200);

function expectError(response: ApiResponse, error: string, status = 400): void {
  assert.deepEqual([response.status, response.body.error], [status, error], response.text);
  assert.equal(typeof response.body.error_description, 'string');
  assert.equal(response.headers.get('cache-control'), 'no-store');
}

function expectPage(page: Visited, status: number, words: RegExp): void {
  assert.deepEqual([page.status, page.location], [status, null]);
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(page.text, words);
}

// ---- client and redirect URI

test('an unknown client is an error page and never a redirect', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const deleted = await makeClient(server, tenant.id);
  expectResponse(await api('DELETE', `/projects/${tenant.id}/oauth-clients/${deleted.id}`, { key: ROOT_KEY }), 204);
  for (const client_id of ['', 'oac_0000000000000000000000', deleted.client_id, 'http://x.example/client', "' or 1=1"])
    expectPage(await openBrowser(server).visit(authorizeUrl({ ...asked(tenant), client_id })), 400, /<h1>/);
});

const tricks: Record<string, string> = {
  'a longer path': `${CALLBACK}/more`,
  'a shorter path': 'https://app.example.com/',
  'a query': `${CALLBACK}?next=https://evil.example`,
  'a fragment': `${CALLBACK}#`,
  'a trailing slash': `${CALLBACK}/`,
  'another case': 'https://app.example.com/Callback',
  'a capital host': 'https://APP.example.com/callback',
  'a dot segment': 'https://app.example.com/x/../callback',
  'an encoded path': 'https://app.example.com/%63allback',
  'a port': 'https://app.example.com:443/callback',
  'plain HTTP': 'http://app.example.com/callback',
  'a subdomain of the attacker': 'https://app.example.com.evil.example/callback',
  'user info': 'https://app.example.com@evil.example/callback',
  'a backslash': 'https://evil.example\\@app.example.com/callback',
  'a script': 'javascript:alert(1)//https://app.example.com/callback',
  'no scheme': '//app.example.com/callback',
  'a line break': `${CALLBACK}\r\nx: y`,
  'a leading space': ` ${CALLBACK}`,
  'a loopback address': 'http://127.0.0.1/callback',
};
for (const [name, redirect_uri] of Object.entries(tricks)) {
  test(`a redirect URI with ${name} is an error page and never a redirect`, async () => {
    const tenant = await makeOAuthTenant(server, peer);
    const url = authorizeUrl({ ...asked(tenant), redirect_uri });
    expectPage(await openBrowser(server).visit(url), 400, /not registered/);
  });
}

test('a repeated parameter is an error page', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const url = authorizeUrl(asked(tenant));
  for (const more of ['client_id=x', 'redirect_uri=https%3A%2F%2Fevil.example', 'scope=admin', 'state=1&state=2'])
    expectPage(await openBrowser(server).visit(`${url}&${more}`), 400, /must not be repeated/);
});

test('only the port of a loopback address may differ, and only for a public client', async () => {
  const redirect_uris = ['http://127.0.0.1/callback'];
  const open = await makeOAuthTenant(server, peer, { client: { redirect_uris, is_public: true } });
  const closed = await makeOAuthTenant(server, peer, { client: { redirect_uris } });
  const visit = (tenant: Tenant, redirect_uri: string) =>
    openBrowser(server).visit(authorizeUrl({ ...asked(tenant, pkce().challenge), redirect_uri }));
  assert.equal((await visit(open, 'http://127.0.0.1:49152/callback')).status, 200);
  for (const uri of [
    'http://localhost:49152/callback',
    'http://127.0.0.1:49152/other',
    'http://127.0.0.1:80@x/callback',
  ])
    expectPage(await visit(open, uri), 400, /not registered/);
  expectPage(await visit(closed, 'http://127.0.0.1:49152/callback'), 400, /not registered/);
});

// ---- PKCE

test('a public client must use PKCE with S256: everything less is refused', async () => {
  const tenant = await makeOAuthTenant(server, peer, { client: { is_public: true } });
  const { challenge } = pkce();
  for (const more of [
    {},
    { code_challenge: challenge.code_challenge },
    { ...challenge, code_challenge_method: 'plain' },
    { ...challenge, code_challenge_method: 's256' },
    { code_challenge_method: 'S256' },
    { ...challenge, code_challenge: 'short' },
  ] as Fields[]) {
    const { location } = await openBrowser(server).visit(authorizeUrl(asked(tenant, more)));
    assert.equal(parametersOf(location).get('error'), 'invalid_request', JSON.stringify(more));
  }
});

test('a challenge that was sent is enforced, also for a client with a secret', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const { challenge, code_verifier } = pkce();
  const code = await codeFor(tenant, challenge);
  expectError(await redeem(tenant, code), 'invalid_grant');
  expectError(await redeem(tenant, code, { code_verifier: pkce().code_verifier }), 'invalid_grant');
  expectError(await redeem(tenant, code, { code_verifier: challenge.code_challenge }), 'invalid_grant');
  expectResponse(await redeem(tenant, code, { code_verifier }), 200);
});

test('a verifier for a code without a challenge is refused: an attacker cannot remove PKCE from the request', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  expectError(await redeem(tenant, await codeFor(tenant), { code_verifier: pkce().code_verifier }), 'invalid_grant');
});

// ---- codes

test('a code is for its client, its redirect URI and 60 seconds', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const other = { ...tenant, client: await makeClient(server, tenant.id) };
  const code = await codeFor(tenant);
  expectError(await redeem(other, code), 'invalid_grant');
  expectError(await redeem(tenant, code, { redirect_uri: `${CALLBACK}/` }), 'invalid_grant');
  expectError(await redeem(tenant, code, { client_secret: other.client.client_secret }), 'invalid_client', 401);
  expectResponse(await redeem(tenant, code, { redirect_uri: CALLBACK }), 200);
  const late = await codeFor(tenant);
  server.advance(60_001);
  replica.advance(60_001);
  expectError(await redeem(tenant, late), 'invalid_grant');
});

test('a code that is used twice revokes what the first use got, on every replica', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const code = await codeFor(tenant);
  const tokens: Tokens = expectResponse(await redeem(tenant, code), 200);
  assert.equal(await isAlive(server, tokens.access_token), true);
  expectError(await redeem(tenant, code), 'invalid_grant');
  assert.equal(await isAlive(server, tokens.access_token), false);
  expectError(await refresh(tenant, tokens.refresh_token), 'invalid_grant');
});

test('of 20 racing exchanges of one code on two replicas one succeeds, and its tokens are then revoked', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const code = await codeFor(tenant);
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, i) => redeem(tenant, code, {}, i % 2 === 0 ? server : replica)),
  );
  const [won, ...more] = responses.filter(({ status }) => status === 200);
  assert.equal(more.length, 0);
  for (const response of responses.filter((each) => each !== won)) expectError(response, 'invalid_grant');
  assert.equal(await isAlive(server, won?.body.access_token), false);
  expectError(await refresh(tenant, won?.body.refresh_token), 'invalid_grant');
});

// ---- refresh tokens

test('a refresh token is replaced at each use, and an older one revokes the family once the newer was used', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const first = await tokensFor(tenant);
  const second: Tokens = expectResponse(await refresh(tenant, first.refresh_token), 200);
  assert.notEqual(second.refresh_token, first.refresh_token);
  assert.equal(await isAlive(server, first.access_token), true);
  const third: Tokens = expectResponse(await refresh(tenant, second.refresh_token), 200);
  expectError(await refresh(tenant, first.refresh_token), 'invalid_grant');
  expectError(await refresh(tenant, third.refresh_token), 'invalid_grant');
  for (const { access_token } of [first, second, third]) assert.equal(await isAlive(server, access_token), false);
});

test('a lost answer can be asked for again; whoever uses the lost token after that ends the family', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const first = await tokensFor(tenant);
  const lost: Tokens = expectResponse(await refresh(tenant, first.refresh_token), 200);
  const again: Tokens = expectResponse(await refresh(tenant, first.refresh_token), 200);
  const next: Tokens = expectResponse(await refresh(tenant, again.refresh_token), 200);
  expectError(await refresh(tenant, lost.refresh_token), 'invalid_grant');
  expectError(await refresh(tenant, next.refresh_token), 'invalid_grant');
});

test('a refresh token is for its client, and for 30 days without use', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const other = { ...tenant, client: await makeClient(server, tenant.id) };
  const { refresh_token } = await tokensFor(tenant);
  expectError(await refresh(other, refresh_token), 'invalid_grant');
  const DAY_MS = 86_400_000;
  server.advance(29 * DAY_MS);
  const next: Tokens = expectResponse(await refresh(tenant, refresh_token), 200);
  server.advance(30 * DAY_MS + 1);
  expectError(await refresh(tenant, next.refresh_token), 'invalid_grant');
  server.advance(-59 * DAY_MS - 1);
});

// ---- the browser

test('a state works once, in the browser it was made for, at the provider it was sent to, for 10 minutes', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const second = await makeProvider(server, tenant.id, evil);
  const begin = async (browser: Browser) => {
    const page = await browser.visit(authorizeUrl(asked(tenant)));
    const sent = await browser.submit(page, { provider: tenant.provider.id });
    return (await peer.visit(sent.location ?? '')).href;
  };
  const browser = openBrowser(server);
  // Fixation: an attacker's sign-in, completed by somebody else, would make the attacker's account theirs.
  expectPage(await openBrowser(server).visit(await begin(browser)), 400, /expired/);
  // Mix-up: an answer for one provider is brought to the callback of another.
  const callback = await begin(browser);
  expectPage(await browser.visit(callback.replace(tenant.provider.id, second.id)), 400, /expired/);
  assert.ok(parametersOf((await browser.visit(callback)).location).has('code'));
  expectPage(await browser.visit(callback), 400, /expired/);
  const late = await begin(browser);
  server.advance(600_001);
  expectPage(await browser.visit(late), 400, /expired/);
  const forged = new URL(await begin(browser));
  forged.searchParams.set('state', randomBytes(32).toString('base64url'));
  expectPage(await browser.visit(forged.href), 400, /expired/);
});

test("an answer with another issuer's iss signs nobody in, and the person can try again", async () => {
  const tenant = await makeOAuthTenant(server, peer);
  peer.switches.callback_iss = evil.url;
  const page = await signIn(openBrowser(server), peer, authorizeUrl(asked(tenant)));
  expectPage(page, 403, /did not accept the sign-in/);
  assert.match(page.text, /Try again with/);
});

test('consent comes before the provider: a link alone never leads to a code, even for a person who is signed in there', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const browser = openBrowser(server);
  await codeFor(tenant, {}, browser);
  const attacker = {
    ...tenant,
    client: await makeClient(server, tenant.id, { redirect_uris: ['https://evil.example/'] }),
  };
  const url = authorizeUrl({ ...asked(attacker), redirect_uri: 'https://evil.example/' });
  const page = await browser.visit(url);
  expectPage(page, 200, /Allow app-\d+ to use/);
  assert.match(page.text, /evil\.example/);
});

test('the consent form needs the secret of its page, the cookie of its browser and a page of this site', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const browser = openBrowser(server);
  const page = await browser.visit(authorizeUrl(asked(tenant)));
  const provider = { provider: tenant.provider.id };
  expectPage(await openBrowser(server).submit(page, provider), 400, /expired/);
  expectPage(await browser.submit(page, { ...provider, request: 'A'.repeat(43) }), 400, /expired/);
  expectPage(
    await browser.submit(page, provider, { headers: { 'sec-fetch-site': 'cross-site' } }),
    403,
    /another site/,
  );
  expectPage(await browser.submit(page, provider, { headers: { 'sec-fetch-site': 'same-site' } }), 403, /another site/);
  expectPage(
    await browser.submit(page, provider, { headers: { origin: 'https://evil.example' } }),
    403,
    /another site/,
  );
  expectPage(await browser.submit(page, provider, { headers: { origin: 'null' } }), 403, /another site/);
  const own = { origin: server.url, 'sec-fetch-site': 'same-origin' };
  assert.ok((await browser.submit(page, provider, { headers: own })).location?.startsWith(peer.url));
});

test('hostile names are text on the page, and the page loads nothing but its own font and cannot be framed', async () => {
  const name = `<script>alert(1)</script>"'&\u202egnp.exe`;
  const tenant = await makeOAuthTenant(server, peer, { client: { name }, project: { name } });
  const { text, headers } = await openBrowser(server).visit(authorizeUrl(asked(tenant)));
  assert.doesNotMatch(text, /<script|\u202e|<img|<link|src=|http:\/\//i);
  assert.match(text, /&lt;script&gt;/);
  const policy = headers.get('content-security-policy') ?? '';
  assert.match(
    policy,
    /^default-src 'none'; style-src 'sha256-[^']+'; font-src 'self'; form-action 'self' https:; frame-ancestors 'none'/,
  );
  assert.equal(headers.get('x-frame-options'), 'DENY');
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(text) ?? [];
  assert.ok(policy.includes(createHash('sha256').update(style).digest('base64')));
});

test('the cookie is for this host only, cannot be read by scripts and is not sent with foreign forms', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const { headers } = await openBrowser(server).visit(authorizeUrl(asked(tenant)));
  const cookie = headers.getSetCookie()[0] ?? '';
  assert.match(cookie, /^toolgate_browser=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
});

test('over HTTPS the cookie has the prefix __Host- and is secure', async () => {
  const secure = await startServer({
    DATABASE_URL: server.app.config.database_url ?? '',
    TOOLGATE_PUBLIC_URL: 'https://tools.example.com',
  });
  const tenant = await makeOAuthTenant(server, peer);
  const { headers } = await openBrowser(secure).visit(authorizeUrl(asked(tenant)));
  assert.match(headers.getSetCookie()[0] ?? '', /^__Host-toolgate_browser=[^;]+; Path=\/; .*; Secure; SameSite=Lax$/);
});

test('no secret of a sign-in is stored as text', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const browser = openBrowser(server);
  const page = await browser.visit(authorizeUrl(asked(tenant)));
  const sent = await browser.submit(page, { provider: tenant.provider.id });
  const state = parametersOf(sent.location).get('state') ?? '';
  const code = await codeFor(tenant, {}, browser);
  const tokens: Tokens = expectResponse(await redeem(tenant, code), 200);
  const cookie = [...browser.cookies.values()][0] ?? '';
  const secrets = [state, code, tokens.access_token, tokens.refresh_token, tenant.client.client_secret, cookie];
  for (const table of [
    'oauth_requests',
    'oauth_approvals',
    'oauth_grants',
    'oauth_refresh_tokens',
    'member_sessions',
  ]) {
    const { rows } = await server.app.pool.query(`select t::text as line from ${table} t where project_id = $1`, [
      tenant.id,
    ]);
    for (const { line } of rows)
      for (const secret of secrets)
        for (const form of [secret, Buffer.from(secret).toString('hex')]) assert.ok(!line.includes(form), table);
  }
});
