// People sign in by OAuth: from the client's link over the pages and the provider to a token that calls tools.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { openBrowser, signIn } from '../support/browser.ts';
import { expectResponse, unique } from '../support/make/make.ts';
import { makeIntegration } from '../support/make/make-members.ts';
import {
  authorizeUrl,
  CALLBACK,
  makeClient,
  makeOAuthTenant,
  makeProvider,
  startOAuthServer,
} from '../support/make/make-oauth.ts';
import { makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';
import { ROOT_KEY } from '../support/servers/start-server.ts';

const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
const other = await startOpenIdProvider({ now: () => clock.now() });
const customer = await startCustomer();
const server = await startOAuthServer([peer, other, customer]);
clock.now = () => server.app.now();
after(() => Promise.all([peer.close(), other.close(), customer.close()]));
beforeEach(() => {
  peer.reset();
  peer.setUser({ sub: unique('alice'), email: 'alice@example.com', email_verified: true });
  server.advance(60_000);
});
const { api } = server;

type Tenant = Awaited<ReturnType<typeof makeOAuthTenant>>;

const minimal = ({ client }: Tenant, scope = 'mcp') =>
  authorizeUrl({ client_id: client.client_id, redirect_uri: CALLBACK, scope });

function codeIn(location: string | null): string {
  const url = new URL(location ?? 'missing:');
  assert.equal(url.origin + url.pathname, CALLBACK, location ?? '');
  return url.searchParams.get('code') ?? assert.fail(`no code in ${location}`);
}

async function tokenFor(tenant: Tenant, { scope = 'mcp', browser = openBrowser(server) } = {}) {
  const code = codeIn((await signIn(browser, peer, minimal(tenant, scope))).location);
  const { client_id, client_secret } = tenant.client;
  return expectResponse(await api('POST', '/oauth/token', { body: { code, client_id, client_secret } }), 200);
}

test("the spec's calls alone sign a person in: three parameters to authorize, and code, id and secret for a token", async () => {
  const tenant = await makeOAuthTenant(server, peer);
  peer.setUser({ sub: 'sub-1' });
  const token = await tokenFor(tenant);
  assert.match(token.access_token, /^svc_mst_[0-9A-Za-z]{36}$/);
  assert.match(token.refresh_token, /^svc_ort_[0-9A-Za-z]{36}$/);
  assert.deepEqual([token.token_type, token.expires_in, token.scope], ['Bearer', 900, 'mcp']);
  const { data } = expectResponse(await api('GET', '/members', { key: tenant.keys.admin }), 200);
  assert.deepEqual(
    data.map((member: { external_id: string }) => member.external_id),
    ['oidc:sub-1'],
  );
});

test('the access token calls member tools as that person, for the integration of the client', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const integration = await makeIntegration(server, tenant.id);
  const client = await makeClient(server, tenant.id, { integration_id: integration.id });
  const tool = await makeTool(server, tenant.keys.write, customer, { require_member: true });
  peer.setUser({ sub: 'sub-2' });
  const { access_token } = await tokenFor({ ...tenant, client });
  const path = `/custom-tools/${tool.name}/execute`;
  expectResponse(await api('POST', path, { key: access_token, body: { arguments: {} } }), 200);
  const [request] = customer.at(tool.endpoint_path);
  const { member_id, integration_id, project_id } = JSON.parse(request?.body.toString() ?? '');
  assert.deepEqual([member_id, integration_id, project_id], ['oidc:sub-2', integration.id, tenant.id]);
});

test('state is returned unchanged and once, with iss, and a query of the redirect URI stays', async () => {
  const tenant = await makeOAuthTenant(server, peer, { client: { redirect_uris: [`${CALLBACK}?a=b%20c`] } });
  const state = 'x&y=%2F é" <';
  const redirect_uri = `${CALLBACK}?a=b%20c`;
  const url = authorizeUrl({ client_id: tenant.client.client_id, redirect_uri, scope: 'mcp', state });
  const { location, status, headers } = await signIn(openBrowser(server), peer, url);
  assert.equal(status, 303);
  assert.ok(location?.startsWith(`${redirect_uri}&code=`));
  const { searchParams } = new URL(location as string);
  assert.deepEqual(searchParams.getAll('state'), [state]);
  assert.equal(searchParams.get('iss'), server.app.config.public_url);
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
});

test('a client is approved once in a browser; another client, other scopes and another browser ask again', async () => {
  const tenant = await makeOAuthTenant(server, peer, { provider: { permissions: ['read'] } });
  const browser = openBrowser(server);
  assert.equal((await browser.visit(minimal(tenant))).status, 200);
  await tokenFor(tenant, { browser });
  const again = await browser.visit(minimal(tenant));
  assert.equal(again.status, 303);
  assert.ok(again.location?.startsWith(`${peer.url}/authorize?`));
  assert.equal((await browser.visit(minimal(tenant, 'mcp read'))).status, 200);
  const client = await makeClient(server, tenant.id);
  assert.equal((await browser.visit(minimal({ ...tenant, client }))).status, 200);
  assert.equal((await openBrowser(server).visit(minimal(tenant))).status, 200);
});

test('another person in the same browser is asked for themselves, and nothing is granted before', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const browser = openBrowser(server);
  await tokenFor(tenant, { browser });
  peer.setUser({ sub: unique('bob') });
  const page = await signIn(browser, peer, minimal(tenant));
  assert.deepEqual([page.status, page.location], [200, null]);
  assert.match(page.text, /Allow app-\d+ to use/);
  const toProvider = await browser.submit(page, { provider: tenant.provider.id });
  const done = await browser.visit((await peer.visit(toProvider.location ?? '')).href);
  codeIn(done.location);
});

test('with several providers the person chooses, also for an approved client; disabled ones are not offered', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const second = await makeProvider(server, tenant.id, other, { name: 'Work account' });
  const third = await makeProvider(server, tenant.id, other, { name: 'Off', is_enabled: false });
  const browser = openBrowser(server);
  const page = await browser.visit(minimal(tenant));
  assert.deepEqual(browser.providersOn(page), [tenant.provider.id, second.id]);
  assert.equal((await browser.submit(page, { provider: third.id })).status, 400);
  other.setUser({ sub: 'sub-of-other' });
  codeIn((await signIn(browser, other, minimal(tenant), { provider: second.id })).location);
  const chooser = await browser.visit(minimal(tenant));
  assert.match(chooser.text, /<h1>Sign in to /);
  assert.deepEqual(browser.providersOn(chooser), [tenant.provider.id, second.id]);
});

test('two people with the same subject at two issuers are two members', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const second = await makeProvider(server, tenant.id, other);
  for (const each of [peer, other]) each.setUser({ sub: 'same' });
  codeIn((await signIn(openBrowser(server), peer, minimal(tenant), { provider: tenant.provider.id })).location);
  codeIn((await signIn(openBrowser(server), other, minimal(tenant), { provider: second.id })).location);
  const { data } = expectResponse(await api('GET', '/members', { key: tenant.keys.admin }), 200);
  assert.equal(data.length, 2);
  assert.ok(data.some((member: { external_id: string }) => member.external_id === 'oidc:same'));
});

test('a project can name its members by verified email; without one the person is told, and nobody is created', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const body = { oauth_member_id: 'email' };
  expectResponse(await api('PATCH', `/projects/${tenant.id}/settings`, { key: tenant.keys.write, body }), 200);
  peer.setUser({ email: 'Alice@Example.com', email_verified: false });
  const page = await signIn(openBrowser(server), peer, minimal(tenant));
  assert.equal(page.status, 403);
  assert.match(page.text, /no verified email address/);
  const members = async () => expectResponse(await api('GET', '/members', { key: tenant.keys.admin }), 200).data;
  assert.deepEqual(await members(), []);
  peer.setUser({ email_verified: true });
  await tokenFor(tenant);
  assert.equal((await members())[0].external_id, 'alice@example.com');
});

test('cancelling, here or at the provider, tells the client', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const browser = openBrowser(server);
  const denied = async (location: string | null) => {
    const { searchParams } = new URL(location ?? 'missing:');
    assert.deepEqual([searchParams.get('error'), searchParams.get('state')], ['access_denied', 's']);
    assert.equal(searchParams.get('iss'), server.app.config.public_url);
  };
  const page = await browser.visit(`${minimal(tenant)}&state=s`);
  const cancelled = await browser.submit(page, { decision: 'deny' });
  await denied(cancelled.location);
  assert.equal((await browser.submit(page, { provider: tenant.provider.id })).status, 400);
  peer.switches.authorize_error = 'access_denied';
  await denied((await signIn(browser, peer, `${minimal(tenant)}&state=s`)).location);
});

test('a provider that is down gives a page with a retry, before and after the sign-in there, and nothing is lost', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const browser = openBrowser(server);
  const page = await browser.visit(`${minimal(tenant)}&state=kept`);
  peer.switches.is_down = true;
  const failed = await browser.submit(page, { provider: tenant.provider.id });
  assert.equal(failed.status, 502);
  assert.match(failed.text, /does not respond/);
  peer.switches.is_down = false;
  const sent = await browser.submit(failed, { provider: tenant.provider.id });
  const callback = await peer.visit(sent.location ?? '');
  peer.switches.is_down = true;
  const failedAgain = await browser.visit(callback.href);
  assert.equal(failedAgain.status, 502);
  peer.switches.is_down = false;
  const retried = await browser.submit(failedAgain, { provider: tenant.provider.id });
  const { location } = await browser.visit((await peer.visit(retried.location ?? '')).href);
  codeIn(location);
  assert.equal(new URL(location ?? '').searchParams.get('state'), 'kept');
});

test('the back button works: the page can be submitted again until the sign-in is complete', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  const browser = openBrowser(server);
  const page = await browser.visit(minimal(tenant));
  const first = await browser.submit(page, { provider: tenant.provider.id });
  const second = await browser.submit(page, { provider: tenant.provider.id });
  codeIn((await browser.visit((await peer.visit(second.location ?? '')).href)).location);
  assert.equal((await browser.visit((await peer.visit(first.location ?? '')).href)).status, 400);
});

test('a sign-in stores the tokens of the provider as the connection of the member, sealed', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  await tokenFor(tenant);
  const { rows } = await server.app.pool.query('select * from oauth_connections where project_id = $1', [tenant.id]);
  assert.equal(rows.length, 1);
  assert.equal(peer.isAccessToken(rows[0].access_token), false);
});

test('the events of a sign-in are recorded as those of an assertion', async () => {
  const tenant = await makeOAuthTenant(server, peer);
  await tokenFor(tenant);
  const { data } = expectResponse(await api('GET', `/projects/${tenant.id}/events`, { key: ROOT_KEY }), 200);
  const types = data.map(({ type }: { type: string }) => type);
  for (const type of ['member_session.created', 'oauth_connection.created']) assert.ok(types.includes(type), type);
});
