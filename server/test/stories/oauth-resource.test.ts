// The resource of an authorization (RFC 8707): a token that was asked for at the address of a toolset is worth nothing outside of it,
// in the code flow as with an ID-JAG.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { openBrowser, signIn } from '../support/browser.ts';
import { expectResponse, unique } from '../support/make/make.ts';
import {
  authorizeUrl,
  CALLBACK,
  makeOAuthTenant,
  postForm,
  startOAuthServer,
  type Tokens,
} from '../support/make/make-oauth.ts';
import { grantsOf, listedTools, makeOAuthShop, outcomeOf } from '../support/make/make-oauth-toolsets.ts';
import { makeTool } from '../support/make/make-tools.ts';
import { makeToolset } from '../support/make/make-toolset.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';
import { ROOT_KEY } from '../support/servers/start-server.ts';

const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
const customer = await startCustomer();
const server = await startOAuthServer([peer, customer]);
clock.now = () => server.app.now();
after(() => Promise.all([peer.close(), customer.close()]));
const { api } = server;
const at = (path: string) => `${server.app.config.public_url}/api/v1/mcp${path}`;
const outcome = (key: string, name: string) => outcomeOf(server, key, name);

beforeEach(() => {
  peer.reset();
  peer.setUser({ sub: unique('alice') });
  server.advance(60_000);
});

/** A project whose scope `mcp` is every tool, with the tool `in` in a toolset and the tool `out` in none. */
async function makeShop() {
  const tenant = await makeOAuthTenant(server, peer);
  const tool = (name: string) => makeTool(server, tenant.keys.write, customer, { name });
  const [inside] = [await tool('in'), await tool('out')];
  const toolset = await makeToolset(server, tenant.id, { tool_ids: [inside.id] });
  return { ...tenant, toolset, resource: at(`/${tenant.id}/toolsets/${toolset.slug}`) };
}

type Client = { client: { client_id: string; client_secret: string } };

/** Where the client is sent to after the sign-in. */
async function authorize({ client: { client_id } }: Client, more: Record<string, string>): Promise<URLSearchParams> {
  const url = authorizeUrl({ client_id, redirect_uri: CALLBACK, ...more });
  const { location, text } = await signIn(openBrowser(server), peer, url);
  return new URL(location ?? assert.fail(text)).searchParams;
}

const token = ({ client: { client_id, client_secret } }: Client, fields: Record<string, string>) =>
  postForm(server, '/oauth/token', { client_id, client_secret, ...fields });

async function signedIn(shop: Client, more: Record<string, string>, atToken = {}): Promise<Tokens> {
  const code = (await authorize(shop, more)).get('code') ?? '';
  return expectResponse(await token(shop, { code, ...atToken }), 200);
}

const refresh = (shop: Client, { refresh_token }: Tokens, more = {}) =>
  token(shop, { grant_type: 'refresh_token', refresh_token, ...more });

test('a token for the address of a toolset sees only its tools, at every endpoint and after every refresh', async () => {
  const shop = await makeShop();
  let tokens = await signedIn(shop, { resource: shop.resource });
  for (const more of [{}, { resource: shop.resource }, {}]) {
    for (const path of ['/api/v1/mcp', `/api/v1/mcp/${shop.id}`])
      assert.deepEqual(await listedTools(server, tokens.access_token, path), ['in']);
    assert.equal(await outcome(tokens.access_token, 'in'), 'ok');
    assert.equal(await outcome(tokens.access_token, 'out'), 'unknown');
    tokens = expectResponse(await refresh(shop, tokens, more), 200);
  }
  const whole = await signedIn(shop, { resource: at(`/${shop.id}`) });
  assert.deepEqual(await listedTools(server, whole.access_token), ['in', 'out']);
});

test('the address of a toolset grants nothing: what was granted beside it stays unknown', async () => {
  const shop = await makeOAuthShop(server, peer, customer);
  const resource = at(`/${shop.id}/toolsets/reading`);
  const { access_token, scope } = await signedIn(shop, { resource, scope: 'mcp tools:refunds' });
  assert.equal(scope, 'mcp tools:reading tools:refunds');
  assert.equal(await outcome(access_token, 'orders'), 'ok');
  assert.equal(await outcome(access_token, 'refund'), 'unknown');
  const other = await signedIn(shop, { resource: at(`/${shop.id}/toolsets/internal`) });
  assert.equal(await outcome(other.access_token, 'purge'), 'unknown');
});

test('a request for a token may name a toolset that the authorization did not, and no other resource than that', async () => {
  const shop = await makeShop();
  const { resource } = shop;
  const narrow = await signedIn(shop, {}, { resource });
  assert.deepEqual(await listedTools(server, narrow.access_token), ['in']);
  const again = expectResponse(await refresh(shop, narrow, { resource }), 200);
  assert.deepEqual(await listedTools(server, again.access_token), ['in']);
  assert.equal(
    expectResponse(await refresh(shop, again, { resource: at('/toolsets/none') }), 400).error,
    'invalid_target',
  );
  const whole = expectResponse(await refresh(shop, again), 200);
  assert.deepEqual(await listedTools(server, whole.access_token), ['in', 'out']);
  const bound = await signedIn(shop, { resource });
  for (const other of [at(''), at(`/${shop.id}`), `${resource}x`, at(`/toolsets/${shop.toolset.slug}`)])
    assert.equal(expectResponse(await refresh(shop, bound, { resource: other }), 400).error, 'invalid_target', other);
  expectResponse(await refresh(shop, bound), 200);
});

test('the address of a toolset that the project does not have is refused, also if the toolset was deleted later', async () => {
  const [shop, other] = [await makeShop(), await makeShop()];
  for (const slug of ['none', other.toolset.slug]) {
    const response = await authorize(shop, { resource: at(`/${shop.id}/toolsets/${slug}`) });
    assert.deepEqual([response.get('error'), response.get('code')], ['invalid_target', null], slug);
  }
  const tokens = await signedIn(shop, { resource: shop.resource });
  const code = (await authorize(shop, { resource: shop.resource })).get('code') ?? '';
  const path = `/projects/${shop.id}/toolsets/${shop.toolset.id}`;
  expectResponse(await api('DELETE', path, { key: ROOT_KEY }), 204);
  assert.deepEqual(await listedTools(server, tokens.access_token), []);
  assert.equal(expectResponse(await refresh(shop, tokens), 400).error, 'invalid_target');
  assert.equal(expectResponse(await token(shop, { code }), 400).error, 'invalid_target');
});

test('effective-tools says that the grant hides what is outside of its address', async () => {
  const shop = await makeShop();
  await signedIn(shop, { resource: shop.resource });
  const [grant] = await grantsOf(server, shop, shop.id);
  assert.equal(grant.resource, shop.resource);
  const { rows } = await server.app.pool.query('select id from member_sessions where grant_id = $1', [grant.id]);
  for (const query of [`oauth_grant_id=${grant.id}`, `session_id=${rows[0].id}`, `member_id=${grant.member_id}`]) {
    const url = `/projects/${shop.id}/effective-tools?${query}`;
    const tools = expectResponse(await api('GET', url, { key: shop.keys.read }), 200).data;
    const refusals = tools.map(({ name, refused_by }: any) => [name, refused_by]).sort();
    assert.deepEqual(
      refusals,
      [
        ['in', null],
        ['out', 'grant'],
      ],
      query,
    );
  }
});
