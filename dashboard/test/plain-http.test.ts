// The pages with forms on a plain HTTP site that is not localhost, as on an internal network: browsers send no Sec-Fetch-Site to it.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import type { Page } from 'playwright-core';
import { expectResponse, makeTenant } from '../../server/test/support/make/make.ts';
import { exchange, makeIntegration, makeIntegrationKey } from '../../server/test/support/make/make-members.ts';
import { authorizeUrl, makeClient, makeProvider, startOAuthServer } from '../../server/test/support/make/make-oauth.ts';
import { execute, makeTool } from '../../server/test/support/make/make-tools.ts';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { startOpenIdProvider } from '../../server/test/support/peers/openid-provider.ts';
import { freePort } from '../../server/test/support/servers/free-port.ts';
import { browserTest, closePage, openPage } from './open-browser.ts';

const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
const customer = await startCustomer();
const port = String(await freePort());
const site = `http://toolgate.test:${port}`;
const server = await startOAuthServer([peer, customer], { PORT: port, TOOLGATE_PUBLIC_URL: site });
clock.now = () => server.app.now();
peer.setUser({ sub: 'alice' });

const app = createServer((_request, response) => void response.end('back in the app'));
await once(app.listen(0, '127.0.0.1'), 'listening');
after(() => Promise.all([peer.close(), customer.close(), app.close()]));

const tenant = await makeTenant(server);
const provider = await makeProvider(server, tenant.id, peer);

/** The certificate of the provider is its own. */
async function openInsecurePage(): Promise<Page> {
  const spare = await openPage(server, '/healthz');
  const context = await spare.context().browser()?.newContext({ ignoreHTTPSErrors: true });
  await closePage(spare);
  return (await context?.newPage()) ?? assert.fail('no page');
}

browserTest('a person signs in to an app on the consent page', async () => {
  const redirect_uri = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`;
  const { client_id } = await makeClient(server, tenant.id, { redirect_uris: [redirect_uri] });
  const page = await openInsecurePage();
  await page.goto(site + authorizeUrl({ client_id, redirect_uri, scope: 'mcp' }));
  assert.equal(await page.evaluate('isSecureContext'), false);
  await page.getByRole('button', { name: /^Continue with/ }).click();
  await page.getByText('back in the app').waitFor();
  assert.ok(new URL(page.url()).searchParams.get('code'));
  await page.context().close();
});

browserTest('a member signs in and approves a call on its page', async () => {
  const integration = await makeIntegration(server, tenant.id);
  const { key } = await makeIntegrationKey(server, tenant.id, integration.id);
  const tool = await makeTool(server, tenant.keys.write, customer, { confirm: { by: 'user' }, require_member: true });
  const member = await exchange(server, key, { member_external_id: `oidc:alice` });
  const { session_token } = expectResponse(member, 200);
  const { approval } = expectResponse(await execute(server, session_token, tool.id, {}), 409).error.details;
  const page = await openInsecurePage();
  await page.goto(approval.url);
  await page.getByRole('button', { name: /^Continue with/ }).click();
  await page.getByRole('button', { name: /^Allow/ }).click();
  await page.getByText('You allowed this call').waitFor();
  assert.equal(provider.is_enabled, true);
  await page.context().close();
});
