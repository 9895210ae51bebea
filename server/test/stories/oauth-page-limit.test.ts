// How many sign-ins one address may begin: an office signs in from one address on Monday morning.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openBrowser, signIn } from '../support/browser.ts';
import { unique } from '../support/make/make.ts';
import { authorizeUrl, CALLBACK, makeOAuthTenant, startOAuthServer } from '../support/make/make-oauth.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';

const MINUTE_MS = 60_000;
const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
const server = await startOAuthServer([peer]);
clock.now = () => server.app.now();
after(() => peer.close());
const tenant = await makeOAuthTenant(server, peer);

const url = authorizeUrl({ client_id: tenant.client.client_id, redirect_uri: CALLBACK, scope: 'mcp', state: 's' });
const bad_callback = `/api/v1/oauth/callback/${tenant.provider.id}?state=made-up&code=x`;

/** The statuses of so many requests, some at the same time. */
async function visitOften(path: string, times: number): Promise<Set<number>> {
  const browser = openBrowser(server);
  const statuses = new Set<number>();
  for (let left = times; left > 0; left -= 20) {
    const visits = Array.from({ length: Math.min(20, left) }, () => browser.visit(path));
    for (const { status } of await Promise.all(visits)) statuses.add(status);
  }
  return statuses;
}

test('one address begins 600 sign-ins a minute, and the further pages of each are not counted', async () => {
  peer.setUser({ sub: unique('alice') });
  const begun = openBrowser(server);
  const page = await begun.visit(url);
  for (let i = 0; i < 5; i += 1) {
    const done = await signIn(openBrowser(server), peer, url);
    assert.match(done.location ?? '', /^https:\/\/app\.example\.com\/callback\?.*code=/);
  }
  assert.deepEqual(await visitOften(url, 594), new Set([200]));
  const refused = await begun.visit(url);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  // Whoever has begun a sign-in finishes it.
  const consented = await begun.submit(page, { provider: begun.providersOn(page)[0] ?? '' });
  const { pathname, search } = await peer.visit(consented.location ?? assert.fail(consented.text));
  assert.match((await begun.visit(pathname + search)).location ?? '', /code=/);
  server.advance(MINUTE_MS);
  assert.notEqual((await begun.visit(url)).status, 429);
});

test('failures count with new sign-ins, and after 600 failures no page of an address is answered', async () => {
  server.advance(MINUTE_MS);
  assert.deepEqual(await visitOften(url, 300), new Set([200]));
  assert.deepEqual(await visitOften(bad_callback, 300), new Set([400]));
  assert.deepEqual(await visitOften(url, 1), new Set([429]));
  assert.deepEqual(await visitOften(bad_callback, 300), new Set([400]));
  assert.deepEqual(await visitOften(bad_callback, 1), new Set([429]));
});
