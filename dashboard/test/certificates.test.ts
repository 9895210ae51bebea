// The page "Certificates": how one is created, chosen, tried, replaced and deleted, and what it says of one that expires.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import { makePerson } from '../../server/test/support/make/make-accounts.ts';
import { clientFields, companyAuthority, mutualTls } from '../../server/test/support/make/make-certificate.ts';
import { makeAuthority } from '../../server/test/support/peers/certificates.ts';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import {
  browserTest,
  chooseAction,
  closePage,
  confirmByName,
  expectAccessible,
  expectGone,
  expectScreen,
  startDashboard,
  waitForData,
} from './open-browser.ts';
import { goTo } from './turn-page.ts';

const DAY_MS = 86_400_000;
const host = await startCustomer({ tls: mutualTls() });
const other = await startCustomer();
after(() => Promise.all([host.close(), other.close()]));
const dashboard = await startDashboard({ TOOLGATE_EGRESS_ALLOW: [host.address, other.address].join(',') });
const base = `/projects/${dashboard.project_id}`;
const certificates = async () => (await dashboard.api('GET', `${base}/certificates`)).data as any[];
const { client_certificate, client_key } = clientFields('alpha');

browserTest(
  'a certificate is created, tested, chosen for a tool, replaced, and deleted when nothing uses it',
  async () => {
    const page = await dashboard.open(base);
    await page.getByRole('link', { name: 'Certificates', exact: true }).click();
    await page.getByRole('heading', { name: 'No certificates yet' }).waitFor();
    await expectAccessible(page, 'no certificates');
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog', { name: 'Create certificate' });
    await dialog.getByLabel('Name', { exact: true }).fill('Partner gateway');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByText('Paste certificate authorities, a client certificate, or both').waitFor();
    await dialog.getByLabel('Certificate authorities', { exact: true }).fill(companyAuthority.certificate);
    await dialog.getByLabel('Client certificate', { exact: true }).fill(client_certificate);
    await dialog.getByLabel('Private key', { exact: true }).fill(clientFields('beta').client_key);
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByText('does not fit client_certificate').waitFor();
    await expectAccessible(page, 'a refused certificate');
    await dialog.getByLabel('Private key', { exact: true }).fill(client_key);
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    const row = page.getByRole('row', { name: 'Partner gateway' });
    await row.getByText('Client certificate and authorities').waitFor();
    await row.getByText('expires soon').waitFor();
    await row.getByText('Nothing').waitFor();
    await expectGone(page, client_key.slice(40, 90));
    const [made] = await certificates();
    assert.equal(made.has_client_key, true);

    await chooseAction(page, 'Partner gateway', 'Test');
    const test = page.getByRole('dialog', { name: 'Test certificate' });
    await test.getByLabel('URL', { exact: true }).fill(`${other.url}/health`);
    await test.getByRole('button', { name: 'Test', exact: true }).click();
    await test.getByText(/Unable to verify: the host did not send the certificate of/).waitFor();
    await test.getByRole('region', { name: 'Chain of the host' }).getByText('CN=localhost').waitFor();
    await expectAccessible(page, 'a failed test of a certificate');
    await test.getByLabel('URL', { exact: true }).fill(`${host.url}/health`);
    await test.getByRole('button', { name: 'Test', exact: true }).click();
    await test.getByText('The host is verified and responds.').waitFor();
    await expectScreen(page, 'a test of a certificate', [375]);
    await test.getByRole('button', { name: 'Cancel' }).click();

    const tool = await dashboard.api('POST', '/custom-tools', {
      name: 'find_order',
      base_url: host.url,
      endpoint_path: '/orders',
    });
    await goTo(page, `${base}/custom-tools/${tool.id}?tab=definition`);
    await page.getByLabel('Certificate', { exact: true }).selectOption({ label: 'Partner gateway' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved as version 2').waitFor();
    assert.equal((await dashboard.api('GET', `/custom-tools/${tool.id}`)).certificate_id, made.id);

    await goTo(page, `${base}/certificates`);
    await row.getByRole('link', { name: 'find_order' }).waitFor();
    await chooseAction(page, 'Partner gateway', 'Show what uses it');
    const uses = page.getByRole('dialog', { name: 'What uses “Partner gateway”' });
    await uses.getByRole('link', { name: 'find_order' }).waitFor();
    await expectAccessible(page, 'what uses a certificate');
    await page.keyboard.press('Escape');
    await uses.waitFor({ state: 'detached' });
    await row.getByRole('button', { name: 'Actions' }).click();
    assert.equal(await page.getByRole('menuitem', { name: 'Delete' }).getAttribute('aria-disabled'), 'true');
    await page.keyboard.press('Escape');

    await chooseAction(page, 'Partner gateway', 'Replace');
    const replace = page.getByRole('dialog', { name: 'Replace certificate' });
    assert.equal(await replace.getByLabel('Private key', { exact: true }).inputValue(), '');
    const next = clientFields('beta');
    await replace.getByLabel('Name', { exact: true }).fill('Gateway');
    await replace.getByLabel('Client certificate', { exact: true }).fill(next.client_certificate);
    await replace.getByLabel('Private key', { exact: true }).fill(next.client_key);
    await replace.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('“Gateway” is saved').waitFor();
    const [changed] = await certificates();
    assert.deepEqual([changed.name, changed.client_certificate], ['Gateway', next.client_certificate]);

    await dashboard.api('DELETE', `/custom-tools/${tool.id}`);
    await goTo(page, `${base}/api-keys`);
    await goTo(page, `${base}/certificates`);
    await page.getByRole('row', { name: 'Gateway' }).getByText('Nothing').waitFor();
    await chooseAction(page, 'Gateway', 'Delete');
    await confirmByName(page.getByRole('alertdialog', { name: 'Delete this certificate?' }), 'Gateway');
    await page.getByRole('heading', { name: 'No certificates yet' }).waitFor();
    assert.deepEqual(await certificates(), []);
    await closePage(page);
  },
);

browserTest('the forms of everything that connects to a host have the choice, for admins only', async () => {
  const { id } = await dashboard.api('POST', `${base}/certificates`, {
    name: 'Company',
    ca: companyAuthority.certificate,
  });
  const page = await dashboard.open(`${base}/hooks?dialog=create`);
  const choose = async (dialog: string) => {
    const select = page.getByRole('dialog', { name: dialog }).getByLabel('Certificate', { exact: true });
    await select.selectOption({ label: 'Company' });
    return page.getByRole('dialog', { name: dialog });
  };
  const hook = await choose('Create hook');
  await hook.getByLabel('URL', { exact: true }).fill(`${host.url}/hook`);
  await hook.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await goTo(page, `${base}/webhooks?dialog=create`);
  const webhook = await choose('Create webhook');
  await webhook.getByLabel('URL', { exact: true }).fill(`${host.url}/webhook`);
  await webhook.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await goTo(page, `${base}/log-streams?dialog=create`);
  const stream = await choose('Create log stream');
  await stream.getByLabel('URL', { exact: true }).fill(`${host.url}/logs`);
  await stream.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await goTo(page, `${base}/mcp-servers?dialog=create`);
  const server = await choose('Add MCP server');
  await server.getByLabel('URL', { exact: true }).fill(`${host.url}/mcp`);
  await server.getByLabel('Name', { exact: true }).first().fill('Billing');
  await server.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor();
  await goTo(page, `${base}/oauth?dialog=create`);
  const provider = page.getByRole('dialog', { name: 'Add provider' });
  await provider.getByText('More options').click();
  await choose('Add provider');
  await closePage(page);
  const { used_by } = await dashboard.api('GET', `${base}/certificates/${id}`);
  assert.deepEqual(
    used_by.map(({ type }: { type: string }) => type),
    ['hook', 'log_stream', 'mcp_server', 'webhook'],
  );

  const developer = await makePerson(dashboard.server, dashboard.owner, 'developer');
  const theirs = await dashboard.open(`${base}/certificates`, { as: developer });
  await theirs.getByText('You cannot see the certificates').waitFor();
  await goTo(theirs, `${base}/custom-tools/new`);
  await theirs.getByLabel('Auth strategy').waitFor();
  assert.equal(await theirs.getByLabel('Certificate', { exact: true }).count(), 0);
  await closePage(theirs);
});

browserTest(
  'the page of certificates: near and past ends are marked, no violation, no wider than a phone',
  async () => {
    const now = dashboard.server.app.now();
    const make = (name: string, days: number) => {
      const ca = makeAuthority('ending').issue([], { from: now - DAY_MS, to: now + days * DAY_MS }).cert;
      return dashboard.api('POST', `${base}/certificates`, { name, ca });
    };
    await make('n'.repeat(100), 400);
    await make('Soon', 20);
    await make('Very soon', 2);
    const page = await dashboard.open(`${base}/certificates`);
    await waitForData(page);
    await page.getByRole('row', { name: /^Soon/ }).getByText('expires soon').waitFor();
    await page.getByRole('row', { name: 'Very soon' }).getByText('expires soon').waitFor();
    assert.equal(await page.getByRole('row', { name: 'nnnn' }).getByText('expires soon').count(), 0);
    await expectScreen(page, 'the certificates', [375, 768]);
    await closePage(page);
  },
);
