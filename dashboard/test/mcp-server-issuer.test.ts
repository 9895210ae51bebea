// Where members sign in for an MCP server, on its page: what is pinned, and what an admin approves.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import { makePerson } from '../../server/test/support/make/make-accounts.ts';
import { issuerOf } from '../../server/test/support/make/make-server-sign-in.ts';
import { protect, startMcpAuthorizationServer } from '../../server/test/support/peers/mcp-authorization-server.ts';
import { echoTool, startMcpUpstream } from '../../server/test/support/peers/mcp-upstream.ts';
import { browserTest, closePage, expectAccessible, expectScreen, startDashboard } from './open-browser.ts';

const upstream = await startMcpUpstream('modern');
const [first, second] = [await startMcpAuthorizationServer(), await startMcpAuthorizationServer()];
const peers = [upstream, first, second];
after(() => Promise.all(peers.map((peer) => peer.close())));
const dashboard = await startDashboard({ TOOLGATE_EGRESS_ALLOW: peers.map(({ address }) => address).join(',') });
const base = `/projects/${dashboard.project_id}/mcp-servers`;
const read = async () => (await dashboard.api('GET', base)).data[0];

browserTest(
  'an admin compares where members sign in with what the server names now, and approves it; others cannot',
  async () => {
    upstream.set([echoTool('echo')]);
    protect(upstream, first);
    const page = await dashboard.open(base);
    await page.getByRole('button', { name: 'Add MCP server' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Add MCP server' });
    await dialog.getByLabel('URL', { exact: true }).fill(upstream.url);
    await dialog.getByLabel('Name', { exact: true }).fill('Own');
    await dialog.getByLabel('Auth strategy').selectOption('member_oauth');
    await dialog.getByLabel('Client ID').fill('registered');
    const add = dialog.getByRole('button', { name: 'Add', exact: true });
    await add.click();
    await dialog.getByText('is required with client_id').first().waitFor();
    assert.equal(await dialog.getByLabel('Issuer').getAttribute('aria-invalid'), 'true');
    await dialog.getByLabel('Issuer').fill(first.issuer);
    await add.click();
    const section = page.locator('section', { hasText: 'Where members sign in' });
    await section.getByRole('row', { name: `Issuer ${first.issuer}` }).waitFor();
    await page.getByRole('button', { name: 'Sync now' }).click();
    await section.getByRole('row', { name: `Token endpoint ${first.token_endpoint}` }).waitFor();
    assert.equal(await section.getByRole('button', { name: 'Approve' }).count(), 0);

    protect(upstream, second);
    await page.getByRole('button', { name: 'Sync now' }).click();
    await section.getByText('The server now uses another authorization server.').waitFor();
    await page.getByText('issuer to approve').waitFor();
    await section.getByRole('row', { name: `Issuer ${first.issuer} ${second.issuer}` }).waitFor();
    await expectScreen(page, 'an issuer to approve');
    const { id } = await read();
    const developer = await makePerson(dashboard.server, dashboard.owner, 'developer');
    const other = await dashboard.open(`${base}/${id}`, { as: developer });
    const button = other.getByRole('button', { name: 'Approve', exact: true }).first();
    await button.waitFor();
    assert.equal(await button.getAttribute('aria-disabled'), 'true');
    await closePage(other);

    await section.getByRole('button', { name: 'Approve' }).click();
    const asked = page.getByRole('alertdialog', { name: 'Approve where members sign in' });
    await asked.getByText(second.token_endpoint).waitFor();
    await expectAccessible(page, 'the approval of an issuer');
    await asked.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Authorization server approved').waitFor();
    await section.getByRole('row', { name: `Issuer ${second.issuer}` }).waitFor();
    const { pinned_issuer, found_issuer, auth_config } = await read();
    assert.deepEqual([pinned_issuer, found_issuer, auth_config.issuer], [issuerOf(second), null, second.issuer]);
    await closePage(page);
  },
);
