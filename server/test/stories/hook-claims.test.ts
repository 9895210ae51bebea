// What hooks are told of a person who signed in: by OAuth in a browser, or by an ID-JAG of the company's identity provider.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SignJWT } from 'jose';
import { openBrowser, signIn } from '../support/browser.ts';
import { expectResponse, unique } from '../support/make/make.ts';
import { makeHook } from '../support/make/make-hook.ts';
import { authorizeUrl, CALLBACK, makeOAuthTenant, postForm, startOAuthServer } from '../support/make/make-oauth.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { type ReceivedRequest, startCustomer } from '../support/peers/fake-customer.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';

const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
const customer = await startCustomer();
const server = await startOAuthServer([peer, customer]);
clock.now = () => server.app.now();
after(() => Promise.all([peer.close(), customer.close()]));

const makeShop = () => makeOAuthTenant(server, peer, { provider: { accepts_id_jag: true } });
type Shop = Awaited<ReturnType<typeof makeShop>>;

async function signInByBrowser({ client: { client_id, client_secret } }: Shop): Promise<string> {
  const { location } = await signIn(openBrowser(server), peer, authorizeUrl({ client_id, redirect_uri: CALLBACK }));
  const code = new URL(location ?? '').searchParams.get('code') ?? '';
  return expectResponse(await postForm(server, '/oauth/token', { code, client_id, client_secret }), 200).access_token;
}

async function exchangeIdJag({ client: { client_id, client_secret } }: Shop, claims: object): Promise<string> {
  const seconds = Math.floor(server.app.now() / 1000);
  const aud = server.app.config.public_url;
  const times = { iat: seconds, exp: seconds + 200 };
  const assertion = await new SignJWT({
    iss: peer.url,
    sub: 'alice',
    aud,
    client_id,
    jti: unique('jti'),
    ...times,
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', kid: 'test', typ: 'oauth-id-jag+jwt' })
    .sign(peer.signing_key);
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  const response = await postForm(server, '/oauth/token', { grant_type, assertion, client_id, client_secret });
  return expectResponse(response, 200).access_token;
}

/** What the hook is told of the member when this session calls a tool. */
async function claimsTold(shop: Shop, token: string, asked: () => ReceivedRequest[]): Promise<any> {
  const tool = await makeTool(server, shop.keys.write, customer);
  expectResponse(await execute(server, token, tool.id), 200);
  return JSON.parse(String(asked().at(-1)?.body)).member.claims;
}

test('a hook is told the claims of a sign-in and of an ID-JAG, not those of the token itself', async () => {
  const shop = await makeShop();
  const hook = await makeHook(server, customer, shop.id);
  const asked = () => customer.requests.filter(({ path }) => path === new URL(hook.url).pathname);
  peer.setUser({ sub: 'alice', email: 'alice@example.com', email_verified: true, groups: ['support', 'refunds'] });
  const signedIn = await claimsTold(shop, await signInByBrowser(shop), asked);
  assert.deepEqual(
    [signedIn.email, signedIn.groups, signedIn.iss, signedIn.nonce, signedIn.exp],
    ['alice@example.com', ['support', 'refunds'], undefined, undefined, undefined],
  );
  const token = await exchangeIdJag(shop, { groups: ['finance'], level: 3, nested: { a: 1 }, odd: 'a\0b' });
  assert.deepEqual(await claimsTold(shop, token, asked), { sub: 'alice', groups: ['finance'], level: 3 });
});

test('without an enabled hook no claim is kept that rules do not name', async () => {
  const shop = await makeShop();
  await makeHook(server, customer, shop.id, { is_enabled: false });
  peer.setUser({ sub: 'bob', email: 'bob@example.com', email_verified: true, groups: ['support'] });
  await signInByBrowser(shop);
  await exchangeIdJag(shop, { sub: 'bob', groups: ['finance'] });
  const { rows } = await server.app.pool.query(
    'select claims from oauth_grants where project_id = $1 order by created_at',
    [shop.id],
  );
  assert.deepEqual(
    rows.map(({ claims }) => claims),
    [{}, {}],
  );
});
