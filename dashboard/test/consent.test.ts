// The page on which a person grants toolsets to an app, in a real browser: how it looks and works without a mouse, and that the official
// MCP clients come back to it for a tool that was not granted.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, beforeEach } from 'node:test';
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Page } from 'playwright-core';
import { unique } from '../../server/test/support/make/make.ts';
import { makeClient, startOAuthServer } from '../../server/test/support/make/make-oauth.ts';
import { authorizeShop, changeToolset, makeOAuthShop } from '../../server/test/support/make/make-oauth-toolsets.ts';
import { makeToolset } from '../../server/test/support/make/make-toolset.ts';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { startOpenIdProvider } from '../../server/test/support/peers/openid-provider.ts';
import { browserTest, closePage, expectAccessible, expectNoOverflow, openPage } from './open-browser.ts';

const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
const customer = await startCustomer();
const server = await startOAuthServer([peer, customer]);
clock.now = () => server.app.now();
after(() => Promise.all([peer.close(), customer.close()]));

/** The app, which waits for the person to come back. */
const desk = createServer((_request, response) => void response.end('back in the app'));
await once(desk.listen(0, '127.0.0.1'), 'listening');
after(() => desk.close());
const REDIRECT = `http://127.0.0.1:${(desk.address() as AddressInfo).port}/callback`;
const shop = await makeOAuthShop(server, peer, customer);
await shop.tool('refund_history', { tags: ['money'], method: 'GET' });
await makeToolset(server, shop.id, {
  slug: 'catalogue',
  name: 'Catalogue',
  description: 'What the shop sells, with prices and stock.',
  grant: 'baseline',
  tool_ids: [shop.tools.orders.id],
});
await changeToolset(server, shop, shop.toolsets.refunds.id, {
  name: 'Refunds',
  description: 'Give money back to customers, in part or in full.',
});
const registered = await makeClient(server, shop.id, { name: 'Desk', redirect_uris: [REDIRECT], is_public: true });
const url = new URL(`${server.url}/api/v1/mcp/${shop.id}`);
beforeEach(() => {
  peer.reset();
  peer.setUser({ sub: unique('alice') });
  server.advance(1000);
});

const consent = authorizeShop(shop, 'mcp tools:refunds');
const box = (page: Page, name: RegExp) => page.getByRole('checkbox', { name });

browserTest('the page has no violation of axe and does not overflow: light and dark, wide and narrow', async () => {
  const page = await openPage(server, consent);
  await page.getByRole('heading', { name: /^Allow .* to use/ }).waitFor();
  for (const theme of ['light', 'dark'] as const)
    for (const width of [1280, 320]) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height: 900 });
      await expectAccessible(page, `${theme}, ${width} px`);
      await expectNoOverflow(page, `${theme}, ${width} px`);
    }
  await closePage(page);
});

browserTest('by keyboard a person unticks a toolset, chooses "Read only", opens the tools, and cancels', async () => {
  const page = await openPage(server, consent);
  const refunds = box(page, /Refunds/);
  assert.ok(await refunds.isChecked());
  await refunds.focus();
  await page.keyboard.press('Space');
  assert.ok(!(await refunds.isChecked()));
  await page.getByRole('button', { name: 'Read only' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/consent/);
  assert.deepEqual(
    await Promise.all([/Catalogue/, /The reading/, /Refunds/].map((name) => box(page, name).isChecked())),
    [true, false, false],
  );
  const summary = page.locator('summary').first();
  await summary.focus();
  await page.keyboard.press('Enter');
  await page.getByText('Find orders').first().waitFor({ state: 'hidden' });
  await expectAccessible(page, 'read only');
  await page.keyboard.press('Shift+Tab');
  assert.equal(await page.evaluate('document.activeElement.type'), 'checkbox');
  await closePage(page);
});

/** The browser of the person, who is signed in at the provider: it sends the browser back at once. Its certificate is its own. */
async function openPersonsBrowser() {
  const spare = await openPage(server, '/healthz');
  const context = await spare.context().browser()?.newContext({ ignoreHTTPSErrors: true });
  await closePage(spare);
  const page = (await context?.newPage()) ?? assert.fail('no page');
  return {
    close: () => page.context().close(),
    /** The boxes that are on the page are exactly these, all ticked; the person agrees. */
    async approve(to: URL, boxes: RegExp[]): Promise<URL> {
      await page.goto(to.href);
      assert.equal(await page.getByRole('checkbox').count(), boxes.length);
      for (const name of boxes) assert.ok(await box(page, name).isChecked());
      await page.getByRole('button', { name: /^Continue with/ }).click();
      await page.getByText('back in the app').waitFor();
      return new URL(page.url());
    },
  };
}

type Person = Awaited<ReturnType<typeof openPersonsBrowser>>;

/** What a client keeps. `boxes`: what the person is asked for next. */
function makeAuthProvider(person: Person) {
  const kept: { tokens?: any; verifier?: string; callback?: URL; boxes: RegExp[]; asked: string[] } = {
    boxes: [],
    asked: [],
  };
  const provider = {
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: 'Desk', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' },
    clientInformation: () => ({ client_id: registered.client_id, issuer: server.app.config.public_url }),
    tokens: () => kept.tokens,
    saveTokens: (tokens: any) => {
      kept.tokens = tokens;
    },
    saveCodeVerifier: (verifier: string) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? '',
    async redirectToAuthorization(to: URL) {
      kept.asked.push(to.searchParams.get('scope') ?? '');
      kept.callback = await person.approve(to, kept.boxes);
    },
  };
  return { kept, provider };
}

type Auth = ReturnType<typeof makeAuthProvider>;
type Opened = { connect(): Promise<void>; call(name: string): Promise<unknown>; finish(callback: URL): Promise<void> };

const openV2 = ({ provider }: Auth): Opened => {
  const transport = new TransportV2(url, { authProvider: provider as never });
  const client = new ClientV2({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  return {
    connect: () => client.connect(transport),
    call: (name) => client.callTool({ name, arguments: {} }),
    finish: (callback) => transport.finishAuth(callback.searchParams),
  };
};

/**
 * SDK 1.x refreshes a token before it sends the person to the page, and gives up when that does not help. An app that keeps no refresh
 * token is sent to the page.
 */
const openV1 = ({ kept, provider }: Auth): Opened => {
  const tokens = () => kept.tokens && { ...kept.tokens, refresh_token: undefined };
  const transport = new TransportV1(url, { authProvider: { ...provider, tokens } as never });
  const client = new ClientV1({ name: 'test', version: '1' });
  return {
    connect: () => client.connect(transport as never),
    call: (name) => client.callTool({ name, arguments: {} }),
    finish: (callback) => transport.finishAuth(callback.searchParams.get('code') ?? ''),
  };
};

for (const [name, open] of Object.entries({ 'client 2.x': openV2, 'SDK 1.x': openV1 }))
  browserTest(
    `the official ${name} steps up: a tool that was not granted leads to the page, and is called then`,
    async () => {
      const person = await openPersonsBrowser();
      const auth = makeAuthProvider(person);
      auth.kept.boxes = [/Catalogue/, /The reading/];
      const first = open(auth);
      await assert.rejects(first.connect(), /Unauthorized/);
      await first.finish(auth.kept.callback as URL);
      assert.equal(auth.kept.tokens.scope, 'mcp tools:catalogue tools:reading');
      const client = open(auth);
      await client.connect();
      await client.call('notes');
      auth.kept.boxes = [/Refunds/];
      await assert.rejects(client.call('refund'), /Unauthorized/);
      await client.finish(auth.kept.callback as URL);
      assert.match(auth.kept.asked[1] ?? '', /tools:refunds/);
      assert.equal(auth.kept.tokens.scope, 'mcp tools:catalogue tools:reading tools:refunds');
      assert.match(JSON.stringify(await client.call('refund')), /content/);
      await person.close();
    },
  );
