// What OAuth clients discover, the errors they are told by redirect, and clients that nobody registered: metadata documents and
// dynamic registration.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { openBrowser, signIn } from '../support/browser.ts';
import { expectResponse, unique } from '../support/make/make.ts';
import { authorizeUrl, CALLBACK, makeClient, makeOAuthTenant, startOAuthServer } from '../support/make/make-oauth.ts';
import { type CustomerResponse, startCustomer } from '../support/peers/fake-customer.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';

const HOUR_MS = 3_600_000;
const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
const host = await startCustomer();
const server = await startOAuthServer([peer, host]);
const open = await startOAuthServer([], { TOOLGATE_DYNAMIC_REGISTRATION: 'on' });
clock.now = () => server.app.now();
after(() => Promise.all([peer.close(), host.close()]));
// Fetches of metadata documents and registrations are counted per address and hour.
beforeEach(() => {
  for (const each of [server, open]) each.advance(HOUR_MS + 1);
  peer.setUser({ sub: unique('alice') });
});
const { api } = server;
const { public_url } = server.app.config;
const CHALLENGE = { code_challenge: 'A'.repeat(43), code_challenge_method: 'S256' };
const tenant = await makeOAuthTenant(server, peer, { provider: { permissions: ['read', 'webhook'] } });
const other = await makeOAuthTenant(server, peer);
const resource = `${public_url}/api/v1/mcp/${tenant.id}`;

const told = async (parameters: Record<string, string>) => {
  const base = { client_id: tenant.client.client_id, redirect_uri: CALLBACK, scope: 'mcp', state: 's' };
  const { location, text } = await openBrowser(server).visit(authorizeUrl({ ...base, ...parameters }));
  const { searchParams } = new URL(location ?? assert.fail(text));
  assert.deepEqual([searchParams.get('state'), searchParams.get('iss')], ['s', public_url]);
  return searchParams.get('error');
};

// ---- metadata

test('the authorization server describes itself, and offers registration only if it is on', async () => {
  const metadata = expectResponse(await api('GET', '/.well-known/oauth-authorization-server'), 200);
  assert.equal(metadata.issuer, public_url);
  assert.equal(metadata.authorization_endpoint, `${public_url}/api/v1/oauth/authorize`);
  assert.equal(metadata.token_endpoint, `${public_url}/api/v1/oauth/token`);
  assert.deepEqual(metadata.code_challenge_methods_supported, ['S256']);
  assert.deepEqual(metadata.scopes_supported, ['mcp']);
  assert.equal(metadata.authorization_response_iss_parameter_supported, true);
  assert.equal(metadata.client_id_metadata_document_supported, true);
  assert.equal('registration_endpoint' in metadata, false);
  expectResponse(await api('POST', '/oauth/register', { body: { redirect_uris: [CALLBACK] } }), 404);
  const offered = expectResponse(await open.api('GET', '/.well-known/oauth-authorization-server'), 200);
  assert.equal(offered.registration_endpoint, `${open.app.config.public_url}/api/v1/oauth/register`);
});

for (const path of ['/api/v1/mcp', '/mcp', `/api/v1/mcp/${tenant.id}`, `/mcp/${tenant.id}`]) {
  test(`${path.replace(tenant.id, '{project}')} says where to get a token, and its metadata is about exactly this address`, async () => {
    const refused = await api('POST', path, { body: { jsonrpc: '2.0', id: 1, method: 'ping' } });
    assert.equal(refused.status, 401);
    const metadata_path = `/.well-known/oauth-protected-resource${path}`;
    // An address that names its project says what to ask for.
    const scope = path.includes(tenant.id) ? ', scope="mcp"' : '';
    const challenge = `Bearer resource_metadata="${public_url}${metadata_path}"${scope}`;
    assert.equal(refused.headers.get('www-authenticate'), challenge);
    const metadata = expectResponse(await api('GET', metadata_path), 200);
    assert.equal(metadata.resource, public_url + path);
    assert.deepEqual(metadata.authorization_servers, [public_url]);
    assert.deepEqual(metadata.scopes_supported, ['mcp']);
  });
}

test('a challenge never repeats text of the request', async () => {
  for (const path of ['/api/v1/mcp/prj_%22,x=%22', '/api/v1/mcp/x%0d%0ay:z', '/api/v1/mcp/..%2f']) {
    const { headers, status } = await api('POST', path, { body: {} });
    assert.equal(status, 401);
    assert.equal(
      headers.get('www-authenticate'),
      `Bearer resource_metadata="${public_url}/.well-known/oauth-protected-resource/api/v1/mcp"`,
    );
  }
  expectResponse(await api('GET', '/.well-known/oauth-protected-resource/api/v1/mcp/other'), 404);
});

test("a project's endpoint takes keys and sessions of this project only", async () => {
  const call = (key: string) =>
    api('POST', `/api/v1/mcp/${tenant.id}`, { key, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
  assert.equal((await call(tenant.keys.read)).status, 200);
  assert.equal((await call(other.keys.read)).status, 401);
});

// ---- errors by redirect

test('errors of the request are told to the client, with its state and iss', async () => {
  assert.equal(await told({ response_type: 'token' }), 'unsupported_response_type');
  assert.equal(await told({ response_type: 'code id_token' }), 'unsupported_response_type');
  assert.equal(await told({ response_mode: 'fragment' }), 'invalid_request');
  assert.equal(await told({ request: 'eyJ' }), 'invalid_request');
  assert.equal(await told({ scope: 'admin' }), 'invalid_scope');
  assert.equal(await told({ scope: 'openid profile' }), 'invalid_scope');
  assert.equal(await told({ resource: `${public_url}/api/v1/mcp/${other.id}` }), 'invalid_target');
  for (const wrong of [
    'https://evil.example/',
    public_url,
    `${public_url}/api/v1/mcp/`,
    `${resource}/`,
    `${resource}?x`,
  ])
    assert.equal(await told({ resource: wrong }), 'invalid_target', wrong);
});

test('a project without an enabled provider is told to the client', async () => {
  const alone = await makeOAuthTenant(server, peer, { provider: { is_enabled: false } });
  assert.equal(await told({ client_id: alone.client.client_id }), 'server_error');
});

test('the default scope is mcp, unknown scopes are ignored, and what the provider does not grant is left out', async () => {
  const scopeOf = async (parameters: Record<string, string>) => {
    const { client_id, client_secret } = tenant.client;
    const url = authorizeUrl({ client_id, redirect_uri: CALLBACK, ...parameters });
    const { location } = await signIn(openBrowser(server), peer, url);
    const code = new URL(location ?? 'missing:').searchParams.get('code');
    return expectResponse(await api('POST', '/oauth/token', { body: { code, client_id, client_secret } }), 200).scope;
  };
  assert.equal(await scopeOf({}), 'mcp');
  assert.equal(await scopeOf({ scope: 'offline_access mcp read admin write' }), 'mcp read');
  assert.equal(await scopeOf({ scope: 'read' }), 'read');
  assert.equal(await scopeOf({ scope: 'webhook mcp', resource }), 'mcp webhook');
});

test('the redirect URI may be left out if the client has only one', async () => {
  const url = `/api/v1/oauth/authorize?client_id=${tenant.client.client_id}`;
  assert.equal((await openBrowser(server).visit(url)).status, 200);
  const several = await makeClient(server, tenant.id, { redirect_uris: [CALLBACK, `${CALLBACK}/2`] });
  assert.equal((await openBrowser(server).visit(`/api/v1/oauth/authorize?client_id=${several.client_id}`)).status, 400);
});

// ---- client id metadata documents

let documents = 0;
function serve(body: unknown, response: CustomerResponse = {}): { client_id: string; path: string } {
  documents += 1;
  const path = `/client-${documents}.json`;
  const client_id = host.url + path;
  host.respond(path, { body: typeof body === 'function' ? body(client_id) : body, ...response });
  return { client_id, path };
}
const good = (client_id: string) => ({ client_id, client_name: 'Desk', redirect_uris: [CALLBACK] });
const visit = (client_id: string, more: Record<string, string> = {}) =>
  openBrowser(server).visit(
    authorizeUrl({ client_id, redirect_uri: CALLBACK, scope: 'mcp', resource, ...CHALLENGE, ...more }),
  );

test('a metadata document identifies a client; the page warns that the project did not set it up', async () => {
  const { client_id, path } = serve(good);
  const page = await visit(client_id);
  assert.equal(page.status, 200);
  assert.match(page.text, /Allow Desk to use/);
  assert.match(page.text, /This project did not set up this app/);
  assert.ok(page.text.includes(client_id));
  await visit(client_id);
  assert.equal(host.at(path).length, 1);
  server.advance(HOUR_MS + 1);
  await visit(client_id);
  assert.equal(host.at(path).length, 2);
});

test('a client without a project must name it, and must use PKCE', async () => {
  const { client_id } = serve(good);
  const errorOf = async (url: string) => {
    const { location, text } = await openBrowser(server).visit(url);
    return new URL(location ?? assert.fail(text)).searchParams.get('error');
  };
  const base = { client_id, redirect_uri: CALLBACK };
  assert.equal(await errorOf(authorizeUrl({ ...base, ...CHALLENGE })), 'invalid_target');
  assert.equal(
    await errorOf(authorizeUrl({ ...base, ...CHALLENGE, resource: `${public_url}/api/v1/mcp` })),
    'invalid_target',
  );
  const gone = `${public_url}/api/v1/mcp/prj_0000000000000000000000`;
  assert.equal(await errorOf(authorizeUrl({ ...base, ...CHALLENGE, resource: gone })), 'invalid_target');
  assert.equal(await errorOf(authorizeUrl({ ...base, resource })), 'invalid_request');
});

const badDocuments: Record<string, () => { client_id: string }> = {
  'another client_id': () => serve({ ...good('https://other.example/client.json') }),
  'no redirect URI': () => serve((client_id: string) => ({ ...good(client_id), redirect_uris: [] })),
  'only redirect URIs of custom schemes': () =>
    serve((client_id: string) => ({ ...good(client_id), redirect_uris: ['myapp://callback', 'javascript:alert(1)'] })),
  'a client secret method': () =>
    serve((client_id: string) => ({ ...good(client_id), token_endpoint_auth_method: 'client_secret_basic' })),
  'more than 5 KB': () => serve((client_id: string) => ({ ...good(client_id), padding: 'x'.repeat(5_200) })),
  'a redirect': () => serve({}, { status: 302, headers: { location: `${host.url}/client-1.json` } }),
  'an error': () => serve(good, { status: 404 }),
  'no JSON': () => serve('<html>'),
  'a member twice': () => serve('{"client_id":"a","client_id":"b"}'),
  'a private address': () => ({ client_id: 'https://10.0.0.1/client.json' }),
  'a cloud metadata address': () => ({ client_id: 'https://169.254.169.254/latest/meta-data' }),
  'its own server': () => ({ client_id: `https://127.0.0.1:${server.app.config.port}/client.json` }),
};
for (const [name, make] of Object.entries(badDocuments)) {
  test(`a metadata document with ${name} is an error page`, async () => {
    const { client_id } = make();
    const page = await visit(client_id);
    assert.deepEqual([page.status, page.location], [400, null]);
    assert.match(page.text, /not known here/);
  });
}

test('a document that fails is not fetched again for minutes', async () => {
  const { client_id, path } = serve(good, { status: 500 });
  for (let i = 0; i < 3; i += 1) assert.equal((await visit(client_id)).status, 400);
  assert.equal(host.at(path).length, 1);
  host.respond(path, { body: good(client_id) });
  server.advance(300_001);
  assert.equal((await visit(client_id)).status, 200);
});

test('a document that never ends is given up', { timeout: 60_000 }, async () => {
  const { client_id } = serve({}, { drip_ms: 100 });
  assert.equal((await visit(client_id)).status, 400);
});

test('one address has 10 documents fetched in an hour', async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 11; i += 1) statuses.push((await visit(serve(good).client_id)).status);
  assert.deepEqual(statuses, [...Array(10).fill(200), 429]);
});

test('what looks like a URL but is written in another way is an unknown client, and nothing is fetched', async () => {
  const { requests } = host;
  const before = requests.length;
  const { host: name } = new URL(host.url);
  for (const client_id of [
    `https://${name}`,
    `https://${name}/`,
    `https://${name}/a/../client.json`,
    `https://user@${name}/client.json`,
    `https://${name}/client.json#x`,
    `HTTPS://${name}/client.json`,
    `http://${name}/client.json`,
  ])
    assert.equal((await visit(client_id)).status, 400, client_id);
  assert.equal(requests.length, before);
});

// ---- dynamic registration

const register = (body: unknown) => open.api('POST', '/oauth/register', { body });

test('a client registers itself as a public client for 90 days', async () => {
  const response = await register({
    client_name: 'Desk',
    redirect_uris: ['http://localhost:1/cb'],
    logo_uri: 'http://x',
  });
  const client = expectResponse(response, 201);
  assert.match(client.client_id, /^odc_[0-9A-Za-z]{22}$/);
  assert.deepEqual(
    [client.token_endpoint_auth_method, 'client_secret' in client, 'logo_uri' in client],
    ['none', false, false],
  );
  const url = authorizeUrl({ client_id: client.client_id, redirect_uri: 'http://localhost:2/cb', ...CHALLENGE });
  assert.equal(
    new URL((await openBrowser(open).visit(url)).location ?? '').searchParams.get('error'),
    'invalid_target',
  );
  open.advance(90 * 24 * HOUR_MS);
  assert.equal((await openBrowser(open).visit(url)).status, 400);
});

test('a registration needs redirect URIs that are allowed, a short name and at most 8 KB', async () => {
  const cases: [unknown, string][] = [
    [{}, 'invalid_redirect_uri'],
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['http://app.example.com/'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [CALLBACK, 'myapp://x'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [`${CALLBACK}#x`] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [CALLBACK], client_name: 'x'.repeat(129) }, 'invalid_client_metadata'],
    [{ redirect_uris: [CALLBACK], padding: 'x'.repeat(8_192) }, 'invalid_request'],
    ['{"redirect_uris":', 'invalid_request'],
  ];
  for (const [body, error] of cases) {
    const response = await register(body);
    assert.deepEqual([response.status, response.body.error], [400, error], JSON.stringify(body).slice(0, 80));
  }
});

test('one address registers 10 clients in an hour', async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 11; i += 1) statuses.push((await register({ redirect_uris: [CALLBACK] })).status);
  assert.deepEqual(statuses, [...Array(10).fill(201), 429]);
});
