// What a member granted an app, on the page of the member, and what the app sees with it.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import { makeOAuthShop, tokensOf } from '../../server/test/support/make/make-oauth-toolsets.ts';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { startOpenIdProvider } from '../../server/test/support/peers/openid-provider.ts';
import { browserTest, closePage, expectAccessible, startDashboard } from './open-browser.ts';

const peer = await startOpenIdProvider();
const customer = await startCustomer();
after(() => Promise.all([peer.close(), customer.close()]));
const dashboard = await startDashboard({ TOOLGATE_EGRESS_ALLOW: `${peer.address},${customer.address}` });
const { server, owner } = dashboard;

browserTest('an app of a member shows the toolsets that were granted, and a preview says what is not', async () => {
  const shop = await makeOAuthShop(server, peer, customer);
  await tokensOf(server, peer, shop, 'mcp');
  const headers = { 'x-project-id': shop.id };
  const [member] = (await owner.api('GET', '/members', { headers })).body.data;
  const page = await dashboard.open(`/projects/${shop.id}/members/${member.id}`);
  const app = page.getByRole('table', { name: 'Apps' }).getByRole('row').nth(1);
  await app.getByText('The reading').waitFor();
  await app.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Preview its tools' }).click();
  await page.getByText('Sees 2 of 5 tools').waitFor();
  const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) });
  await row('refund').getByText('The person has not granted it').waitFor();
  await row('refund').getByRole('link', { name: 'The refunds' }).waitFor();
  await row('orders').getByText('Seen', { exact: true }).waitFor();
  await expectAccessible(page, 'the preview of a grant');
  assert.equal(await page.getByRole('combobox', { name: 'Preview as' }).inputValue(), 'oauth_grant_id');
  await closePage(page);
});
