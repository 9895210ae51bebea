// mcp-remote, the bridge for programs that use MCP servers over stdio, connects with nothing but the URL of a project's endpoint. It
// registers itself, listens for the callback, and asks for a browser: the test takes the URL it prints and signs in.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { after, beforeEach, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { openBrowser, signIn } from '../support/browser.ts';
import { unique } from '../support/make/make.ts';
import { makeClient, makeOAuthTenant, startOAuthServer } from '../support/make/make-oauth.ts';
import { makeOAuthShop } from '../support/make/make-oauth-toolsets.ts';
import { makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';
import { waitUntil } from '../support/wait-until.ts';

const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
const customer = await startCustomer();
const server = await startOAuthServer([peer, customer], { TOOLGATE_DYNAMIC_REGISTRATION: 'on' });
clock.now = () => server.app.now();
after(() => Promise.all([peer.close(), customer.close()]));

const tenant = await makeOAuthTenant(server, peer);
const url = `${server.url}/api/v1/mcp/${tenant.id}`;
const bridge = join(createRequire(import.meta.url).resolve('mcp-remote/package.json'), '../dist/proxy.js');
await makeTool(server, tenant.keys.write, customer, {
  name: 'my_orders',
  method: 'GET',
  endpoint_path: '/members/{{member_id}}/orders',
  require_member: true,
});
customer.respond('*', ({ path }) => ({ body: { path } }));
beforeEach(() => server.advance(3_600_001));

/** Where mcp-remote keeps its client and tokens, with commands that stand for a browser and open none. */
function makeHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'toolgate-mcp-remote-'));
  after(() => rmSync(home, { recursive: true, force: true }));
  for (const name of ['open', 'xdg-open']) writeFileSync(join(home, name), '#!/bin/sh\n', { mode: 0o755 });
  return home;
}

type Started = { client: Client; transport: StdioClientTransport; printed: Readable };

/** A clean environment: with the variables of a desktop, mcp-remote would open the browser of whoever runs the tests. */
function start(home: string, options: string[], address = url): Started {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bridge, address, '--transport', 'http-only', '--allow-http', ...options],
    env: {
      PATH: [home, process.env.PATH].join(delimiter),
      HOME: home,
      MCP_REMOTE_CONFIG_DIR: home,
      BROWSER: join(home, 'open'),
    },
    stderr: 'pipe',
  });
  return {
    client: new Client({ name: 'test', version: '1' }),
    transport,
    printed: transport.stderr as Readable,
  };
}

async function printedUrl(printed: Readable): Promise<string> {
  let text = '';
  // The stream stays open, and is read on: mcp-remote goes on printing.
  for await (const part of printed.iterator({ destroyOnReturn: false })) {
    text += part;
    const [, found] = /visiting:\s+(http\S+)\s/.exec(text) ?? [];
    if (found === undefined) continue;
    printed.resume();
    return found;
  }
  return assert.fail(text);
}

async function connectWithBrowser({ client, transport, printed }: Started): Promise<URL> {
  const connected = client.connect(transport);
  const authorize = new URL(await Promise.race([printedUrl(printed), connected.then(() => assert.fail('no sign-in'))]));
  const { location, text } = await signIn(openBrowser(server), peer, authorize.href);
  const address = location ?? assert.fail(text);
  // mcp-remote prints the address before it listens for the callback.
  await waitUntil(async () => (await fetch(new URL('/', address))).status > 0, 60_000, 'mcp-remote listens');
  const callback = await fetch(address);
  assert.equal(callback.status, 200, await callback.text());
  await connected;
  return authorize;
}

const callTool = async ({ client }: Started) =>
  JSON.stringify(await client.callTool({ name: 'my_orders', arguments: {} }));

test('mcp-remote registers itself, signs a person in, calls a member tool, refreshes, and connects again without a browser', async () => {
  const sub = unique('person');
  peer.setUser({ sub });
  const home = makeHome();
  const first = start(home, []);
  const authorize = await connectWithBrowser(first);
  assert.equal(authorize.searchParams.get('resource'), url);
  assert.match(await callTool(first), new RegExp(`members/oidc%3A${sub}/orders`));
  server.advance(900_001);
  assert.match(await callTool(first), new RegExp(sub));
  await first.client.close();

  const again = start(home, []);
  again.printed.resume();
  await again.client.connect(again.transport);
  assert.match(await callTool(again), new RegExp(sub));
  await again.client.close();
});

test('mcp-remote signs in with a client that the project registered', async () => {
  const sub = unique('person');
  peer.setUser({ sub });
  const { client_id } = await makeClient(server, tenant.id, {
    redirect_uris: ['http://127.0.0.1/oauth/callback', 'http://localhost/oauth/callback'],
    is_public: true,
  });
  const started = start(makeHome(), ['--static-oauth-client-info', JSON.stringify({ client_id })]);
  const authorize = await connectWithBrowser(started);
  assert.equal(authorize.searchParams.get('client_id'), client_id);
  assert.match(await callTool(started), new RegExp(`members/oidc%3A${sub}/orders`));
  await started.client.close();
});

test('mcp-remote lists the tools of a toolset at its address, and asks for its scopes', async () => {
  peer.setUser({ sub: unique('person') });
  const shop = await makeOAuthShop(server, peer, customer);
  const address = `${server.url}/api/v1/mcp/${shop.id}/toolsets/reading`;
  const started = start(makeHome(), [], address);
  const authorize = await connectWithBrowser(started);
  assert.equal(authorize.searchParams.get('resource'), address);
  assert.equal(authorize.searchParams.get('scope'), 'mcp tools:reading');
  const { tools } = await started.client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['notes', 'orders'],
  );
  await started.client.close();
});
