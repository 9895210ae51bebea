// The page on which a person grants toolsets: what it asks for, what it shows of each, and what happens when the project changes
// while it is open.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { type Browser, openBrowser, signIn, type Visited } from '../support/browser.ts';
import { expectResponse, unique } from '../support/make/make.ts';
import { startOAuthServer } from '../support/make/make-oauth.ts';
import {
  authorizeShop,
  changeToolset,
  makeOAuthShop,
  type OAuthShop,
  outcomeOf,
  redeem,
  tokensOf,
} from '../support/make/make-oauth-toolsets.ts';
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

const makeShop = (options: object = {}) => makeOAuthShop(server, peer, customer, options);
const ask = (shop: OAuthShop, scope: string, browser: Browser) => browser.visit(authorizeShop(shop, scope));
const ticks = (browser: Browser, page: Visited) =>
  Object.fromEntries(browser.boxesOn(page).map(({ name, is_ticked }) => [name, is_ticked]));

/** Goes on from a page that was sent, over the provider, to the tokens. */
async function finish(shop: OAuthShop, browser: Browser, sent: Visited) {
  const { pathname, search } = await peer.visit(sent.location ?? assert.fail(sent.text));
  const done = await browser.visit(pathname + search);
  return redeem(server, shop, done.location ?? assert.fail(done.text));
}

beforeEach(() => {
  peer.reset();
  peer.setUser({ sub: unique('alice') });
  server.advance(60_000);
});

test('the page has a ticked box for each toolset, its description, and its tools with what they can do', async () => {
  const shop = await makeShop();
  const browser = openBrowser(server);
  const page = await ask(shop, 'mcp tools:refunds', browser);
  assert.equal(page.status, 200);
  assert.deepEqual(ticks(browser, page), { 'tools:reading': true, 'tools:refunds': true });
  assert.match(page.text, /<bdi>Find orders<\/bdi> <span class="muted">only reads</);
  assert.match(page.text, /<bdi>Notes<\/bdi> <span class="muted">can add data</);
  assert.match(page.text, /<bdi>Refund<\/bdi> <span class="muted">can change or delete data</);
  assert.match(page.text, /Money back/);
  assert.doesNotMatch(page.text, /purge|loose|Call tools on your behalf|class="new"/);
});

test('names and descriptions are text on the page', async () => {
  const shop = await makeShop();
  const evil = '<script>alert(1)</script>"';
  await shop.tool('evil', { title: evil, tags: ['money'] });
  await changeToolset(server, shop, shop.toolsets.refunds.id, { name: evil, description: evil });
  const page = await ask(shop, 'tools:refunds', openBrowser(server));
  assert.doesNotMatch(page.text, /<script/);
  assert.equal(page.text.split('&lt;script&gt;').length - 1, 4);
});

test('"read only" ticks the toolsets that only read, "all" ticks all, and neither approves anything', async () => {
  const shop = await makeShop();
  await makeToolset(server, shop.id, { slug: 'looking', grant: 'baseline', tool_ids: [shop.tools.orders.id] });
  const browser = openBrowser(server);
  const page = await ask(shop, 'mcp', browser);
  const reading = await browser.submit(page, { preset: 'read_only' });
  assert.equal(reading.status, 200);
  assert.deepEqual(ticks(browser, reading), { 'tools:looking': true, 'tools:reading': false });
  const all = await browser.submit(reading, { preset: 'all' });
  assert.deepEqual(ticks(browser, all), { 'tools:looking': true, 'tools:reading': true });
  assert.equal((await ask(shop, 'mcp', browser)).status, 200);
  const sent = await browser.submit(reading, { provider: shop.provider.id });
  assert.equal((await finish(shop, browser, sent)).scope, 'mcp tools:looking');
});

test('authorizing again asks only for what is new, and for nothing if nothing is', async () => {
  const shop = await makeShop({ provider: { permissions: ['read'] } });
  const browser = openBrowser(server);
  await tokensOf(server, peer, shop, 'mcp', { browser });
  assert.equal((await ask(shop, 'mcp tools:reading', browser)).status, 303);
  const more = await ask(shop, 'mcp tools:reading tools:refunds', browser);
  assert.deepEqual(ticks(browser, more), { 'tools:refunds': true });
  assert.doesNotMatch(more.text, /It will be able to/);
  const wider = await ask(shop, 'mcp read', browser);
  assert.match(wider.text, /View the project/);
  assert.deepEqual(ticks(browser, wider), {});
  server.advance(1000);
  await shop.tool('refund_all', { title: 'Refund all', tags: ['money'] });
  const sent = await browser.submit(more, { provider: shop.provider.id });
  const tokens = await finish(shop, browser, sent);
  assert.equal(tokens.scope, 'mcp tools:reading tools:refunds');
});

test('a tool that is new in an approved toolset is marked, and unticking it keeps what was approved', async () => {
  const shop = await makeShop();
  const browser = openBrowser(server);
  await tokensOf(server, peer, shop, 'mcp tools:refunds', { browser });
  server.advance(1000);
  await shop.tool('refund_all', { title: 'Refund all', tags: ['money'] });
  const page = await ask(shop, 'mcp tools:refunds tool:refund_all', browser);
  assert.deepEqual(ticks(browser, page), { 'tools:refunds': true });
  assert.match(page.text, /New tools that it requests/);
  assert.match(page.text, /<b class="new">1 new tool<\/b>/);
  assert.match(page.text, /<b class="new">New<\/b> <bdi>Refund all<\/bdi>/);
  const sent = await browser.submit(page, { provider: shop.provider.id }, { untick: ['tools:refunds'] });
  const { access_token, scope } = await finish(shop, browser, sent);
  assert.equal(scope, 'mcp tools:reading tools:refunds');
  assert.equal(await outcomeOf(server, access_token, 'refund'), 'ok');
  assert.equal(await outcomeOf(server, access_token, 'refund_all'), 'mcp tools:refunds tool:refund_all');
});

test('a tool that joins while the page is open is not approved with it', async () => {
  const shop = await makeShop();
  const browser = openBrowser(server);
  const page = await ask(shop, 'mcp tools:refunds', browser);
  server.advance(1000);
  await shop.tool('refund_all', { tags: ['money'] });
  server.advance(1000);
  const { access_token } = await finish(shop, browser, await browser.submit(page, { provider: shop.provider.id }));
  assert.equal(await outcomeOf(server, access_token, 'refund'), 'ok');
  assert.equal(await outcomeOf(server, access_token, 'refund_all'), 'mcp tools:refunds tool:refund_all');
});

test('a form cannot approve what joins later, nor a toolset that was not asked for', async () => {
  const shop = await makeShop();
  const browser = openBrowser(server);
  const page = await ask(shop, 'tools:refunds', browser);
  const forged = { provider: shop.provider.id, shown_at: String(server.app.now() + 3_600_000) };
  const { access_token } = await finish(shop, browser, await browser.submit(page, forged));
  server.advance(1000);
  await shop.tool('refund_all', { tags: ['money'] });
  assert.equal(await outcomeOf(server, access_token, 'refund_all'), 'mcp tools:refunds tool:refund_all');
  const again = await ask(shop, 'tools:refunds', openBrowser(server));
  const other = await browser.submit(again, { provider: shop.provider.id, 'tools:reading': 'on' });
  assert.equal(other.status, 400);
});

for (const [what, take] of [
  [
    'deleted',
    async (shop: OAuthShop) => {
      const path = `/projects/${shop.id}/toolsets/${shop.toolsets.refunds.id}?detach=true`;
      expectResponse(await server.api('DELETE', path, { key: ROOT_KEY }), 204);
    },
  ],
  [
    'not granted any more',
    (shop: OAuthShop) => changeToolset(server, shop, shop.toolsets.refunds.id, { grant: 'never' }),
  ],
] as const)
  test(`a toolset that is ${what} while the page is open is 409 with the page as it is now, and is not granted`, async () => {
    const shop = await makeShop();
    const browser = openBrowser(server);
    const page = await ask(shop, 'mcp tools:refunds', browser);
    await take(shop);
    const again = await browser.submit(page, { provider: shop.provider.id });
    assert.equal(again.status, 409);
    assert.match(again.text, /changed its tools while/);
    assert.deepEqual(ticks(browser, again), { 'tools:reading': true });
    const tokens = await finish(shop, browser, await browser.submit(again, { provider: shop.provider.id }));
    assert.equal(tokens.scope, 'mcp tools:reading');
    assert.equal(await outcomeOf(server, tokens.access_token, 'refund'), 'unknown');
  });

test('when all toolsets are taken back while the page is open, every tool is not what the person gets', async () => {
  const shop = await makeShop();
  const browser = openBrowser(server);
  const page = await ask(shop, 'mcp', browser);
  for (const { id } of Object.values(shop.toolsets)) await changeToolset(server, shop, id, { grant: 'never' });
  const again = await browser.submit(page, { provider: shop.provider.id });
  assert.equal(again.status, 409);
  const { access_token, scope } = await finish(
    shop,
    browser,
    await browser.submit(again, { provider: shop.provider.id }),
  );
  assert.equal(scope, 'mcp');
  assert.equal(await outcomeOf(server, access_token, 'loose'), 'mcp tool:loose');
});

test('what one person approved in a browser is not granted to another one who adds to it', async () => {
  const shop = await makeShop();
  const browser = openBrowser(server);
  await tokensOf(server, peer, shop, 'mcp', { browser });
  peer.setUser({ sub: unique('bob') });
  const page = await signIn(browser, peer, authorizeShop(shop, 'mcp tools:refunds'));
  assert.deepEqual([page.status, page.location], [200, null]);
  assert.deepEqual(ticks(browser, page), { 'tools:reading': true, 'tools:refunds': true });
  const sent = await browser.submit(page, { provider: shop.provider.id }, { untick: ['tools:reading'] });
  assert.equal((await finish(shop, browser, sent)).scope, 'mcp tools:refunds');
});

test('of a toolset with many tools the page shows 100 and says how many more there are', async () => {
  const shop = await makeShop();
  const { id } = await makeToolset(server, shop.id, { slug: 'many', grant: 'on_request' });
  const names = Array.from({ length: 101 }, (_, at) => `many_${String(at).padStart(3, '0')}`);
  for (const name of names) await shop.tool(name, { tags: ['many'] });
  await changeToolset(server, shop, id, { tags: ['many'] });
  const page = await ask(shop, 'tools:many', openBrowser(server));
  assert.equal(page.text.split('<bdi>Many ').length - 1, 100);
  assert.match(page.text, /101 tools, 101 of them can change something/);
  assert.match(page.text, /and 1 more/);
});
