// link_by email: a person is the same member in an ID-JAG, in a sign-in by a browser, and on the page of an approval, whatever subject
// the provider gives each app.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SignJWT } from 'jose';
import { openBrowser, signIn } from '../support/browser.ts';
import { expectResponse, unique } from '../support/make/make.ts';
import { authorizeUrl, CALLBACK, makeOAuthTenant, postForm, startOAuthServer } from '../support/make/make-oauth.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';

const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
const customer = await startCustomer();
const server = await startOAuthServer([peer, customer]);
clock.now = () => server.app.now();
after(() => Promise.all([peer.close(), customer.close()]));
const tenant = await makeOAuthTenant(server, peer, { provider: { accepts_id_jag: true, link_by: 'email' } });
const { client_id, client_secret } = tenant.client;
const email = 'alice@example.com';

async function byIdJag(): Promise<string> {
  const now = Math.floor(server.app.now() / 1000);
  const claims = { sub: 'alice-in-the-app', email, email_verified: true, client_id, jti: unique('jti') };
  const assertion = await new SignJWT({ ...claims, iss: peer.url, aud: server.app.config.public_url })
    .setProtectedHeader({ alg: 'ES256', kid: 'test', typ: 'oauth-id-jag+jwt' })
    .setIssuedAt(now)
    .setExpirationTime(now + 200)
    .sign(peer.signing_key);
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  const response = await postForm(server, '/oauth/token', { grant_type, assertion, client_id, client_secret });
  return expectResponse(response, 200).access_token;
}

async function byBrowser(): Promise<string> {
  const url = authorizeUrl({ client_id, redirect_uri: CALLBACK });
  const { location } = await signIn(openBrowser(server), peer, url);
  const code = new URL(location ?? '').searchParams.get('code') ?? '';
  return expectResponse(await postForm(server, '/oauth/token', { code, client_id, client_secret }), 200).access_token;
}

test('the member of an ID-JAG is that of a sign-in by a browser, who decides about its calls', async () => {
  peer.setUser({ sub: 'alice-in-the-browser', email, email_verified: true });
  const [assertion_token, browser_token] = [await byIdJag(), await byBrowser()];
  const tool = await makeTool(server, tenant.keys.write, customer, { confirm: { by: 'user' }, require_member: true });
  const ask = async (token: string, given: object) =>
    expectResponse(await execute(server, token, tool.id, given), 409).error.details.approval;
  const approval = await ask(assertion_token, { n: 1 });
  assert.equal(approval.member_id, (await ask(browser_token, { n: 2 })).member_id);

  const browser = openBrowser(server);
  const path = `/approve/${approval.id}`;
  const sent = await browser.submit(await browser.visit(path), { provider: tenant.provider.id });
  const back = await browser.visit((await peer.visit(sent.location ?? '')).href);
  const page = await browser.visit(back.location ?? '');
  assert.match(page.text, /n: 1/);
  assert.match((await browser.submit(page, { decision: 'approve' })).text, /You allowed this call/);
});
