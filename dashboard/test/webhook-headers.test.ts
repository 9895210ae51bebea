// The headers of a webhook and its test events, in the browser.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { makePerson } from '../../server/test/support/make/make-accounts.ts';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { browserTest, closePage, expectAccessible, startDashboard } from './open-browser.ts';

const customer = await startCustomer();
after(() => customer.close());
const dashboard = await startDashboard({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { server, api } = dashboard;
const list = `/projects/${dashboard.project_id}/webhooks`;
const VALUE = 'Bearer the-value-of-the-gateway';

const makeWebhook = (path: string, fields: object = {}) =>
  api('POST', list, { url: `${customer.url}${path}`, events: ['custom_tool.*'], ...fields });

async function fillHeader(dialog: Locator, number: number, name: string, value: string): Promise<Locator> {
  const row = dialog.getByRole('group', { name: `Header ${number}`, exact: true });
  await row.getByLabel('Name', { exact: true }).fill(name);
  await row.getByLabel('Value', { exact: true }).fill(value);
  return row;
}

/** The text that a field is described by. */
async function describedBy(field: Locator): Promise<string> {
  const ids = ((await field.getAttribute('aria-describedby')) ?? '').split(' ');
  const texts = await Promise.all(ids.map((id) => field.page().locator(`[id="${id}"]`).innerText()));
  return texts.join(' ');
}

async function edit(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  return page.getByRole('dialog', { name: 'Edit webhook' });
}

browserTest('a webhook is created with headers, and what the API refuses is tied to the header it names', async () => {
  const page = await dashboard.open(list, { width: 360, height: 740 });
  await page.getByRole('button', { name: 'Create webhook' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create webhook' });
  await dialog.getByLabel('URL').fill(`${customer.url}/created`);
  await dialog.getByRole('button', { name: 'Add header' }).click();
  const row = await fillHeader(dialog, 1, '', '');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await row.getByText('Enter a name').waitFor();

  await fillHeader(dialog, 1, 'Authorization', VALUE);
  await dialog.getByRole('button', { name: 'Add header' }).click();
  const second = await fillHeader(dialog, 2, 'Host', 'example.com');
  assert.equal(await second.getByLabel('Value').getAttribute('type'), 'password');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await second.getByText('is set by toolgate').waitFor();
  for (const label of ['Name', 'Value']) {
    assert.match(await describedBy(second.getByLabel(label)), /is set by toolgate/);
    assert.equal(await second.getByLabel(label).getAttribute('aria-invalid'), 'true');
  }
  assert.equal(await row.getByLabel('Value').getAttribute('aria-invalid'), null);
  await expectAccessible(page, 'the refused form');
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'the page scrolls sideways');

  await dialog.getByRole('button', { name: 'Remove header 2' }).click();
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  const [created] = (await api('GET', list)).data;
  assert.deepEqual(created.header_names, ['Authorization']);
  assert.ok(!(await page.content()).includes(VALUE));
  await closePage(page);
});

browserTest(
  'stored headers are kept by an edit, must be sent again for another origin, and are all replaced',
  async () => {
    const webhook = await makeWebhook('/stored', { headers: { Authorization: VALUE, 'X-Tenant': 'shop' } });
    const page = await dashboard.open(`${list}/${webhook.id}`);
    await page.getByText('Authorization, X-Tenant').waitFor();
    const names = async () => (await api('GET', `${list}/${webhook.id}`)).header_names;

    let dialog = await edit(page);
    await dialog.getByRole('list', { name: 'Stored headers' }).getByText('X-Tenant').waitFor();
    await expectAccessible(page, 'the stored headers');
    await dialog.getByLabel('Description').fill('Behind a gateway');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(await names(), ['Authorization', 'X-Tenant']);

    dialog = await edit(page);
    await dialog.getByLabel('URL').fill('https://other.example.com/hook');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const part = dialog.getByRole('group', { name: 'Headers', exact: true });
    await part.getByText('must be sent again').waitFor();
    assert.match(await describedBy(part), /must be sent again when the origin of url changes/);
    await dialog.getByRole('button', { name: 'Replace all' }).click();
    assert.equal(await part.getByText('must be sent again').count(), 0);
    const row = dialog.getByRole('group', { name: 'Header 1', exact: true });
    assert.equal(await row.getByLabel('Name').inputValue(), 'Authorization');
    assert.equal(await row.getByLabel('Value').inputValue(), '');
    await dialog.getByRole('button', { name: 'Remove header 2' }).click();
    await fillHeader(dialog, 1, 'X-Key', 'another-value');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(await names(), ['X-Key']);

    dialog = await edit(page);
    await dialog.getByRole('button', { name: 'Replace all' }).click();
    await dialog.getByRole('button', { name: 'Keep the stored ones' }).click();
    await dialog.getByRole('list', { name: 'Stored headers' }).getByText('X-Key').waitFor();
    await dialog.getByRole('button', { name: 'Replace all' }).click();
    await dialog.getByRole('button', { name: 'Remove header 1' }).click();
    await dialog.getByText('none are sent from now on').waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(await names(), []);
    await closePage(page);
  },
);

browserTest('a delivery shows the names of the headers, and its cURL has a placeholder for each value', async () => {
  const webhook = await makeWebhook('/curl', { headers: { Authorization: VALUE } });
  const { id } = await api('POST', `${list}/${webhook.id}/ping`);
  await server.runJobs();
  const page = await dashboard.open(`${list}/${webhook.id}?delivery=${id}`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const drawer = page.getByRole('dialog', { name: 'ping' });
  await drawer
    .getByRole('region', { name: 'request headers of attempt 1' })
    .getByText('Authorization: [secret]')
    .waitFor();
  await drawer.getByRole('button', { name: 'Copy as cURL' }).click();
  await drawer.getByRole('button', { name: 'Copied' }).waitFor();
  const curl = String(await page.evaluate('navigator.clipboard.readText()'));
  assert.match(curl, /-H 'Authorization: YOUR_VALUE'/);
  assert.match(curl, /-H 'webhook-signature: v1,/);
  await closePage(page);
});

browserTest('a test event of a chosen type is sent as the dialog shows it, and the log marks it', async () => {
  const webhook = await makeWebhook('/tested', { is_enabled: false });
  const page = await dashboard.open(`${list}/${webhook.id}`);
  await page.getByRole('button', { name: 'Send test event' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send test event' });
  // The first type that the webhook subscribes to.
  assert.equal(await dialog.getByLabel('Event', { exact: true }).inputValue(), 'custom_tool.created');
  await dialog.getByLabel('Event', { exact: true }).selectOption('project.updated');
  const shown = JSON.parse(await dialog.getByRole('region', { name: 'payload' }).innerText());
  assert.deepEqual([shown.type, shown.project_id], ['project.updated', dashboard.project_id]);
  await expectAccessible(page, 'the dialog');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('A test of project.updated is being sent').waitFor();
  await server.runJobs();
  const [request] = customer.at('/tested');
  const { id: _, timestamp: __, ...sent } = JSON.parse(String(request?.body));
  const { id: ___, timestamp: ____, ...expected } = shown;
  assert.deepEqual(sent, expected);
  assert.equal(request?.headers['x-webhook-test'], 'true');

  const row = page.getByRole('table', { name: 'Deliveries' }).getByRole('row').filter({ hasText: 'project.updated' });
  await row.getByText('test', { exact: true }).waitFor();
  await row.getByRole('link', { name: 'project.updated' }).click();
  await page.getByRole('dialog', { name: 'project.updated' }).getByText('Yes: nothing happened').waitFor();
  await closePage(page);
});

browserTest('a developer can choose only types that they could subscribe to, and a viewer sends nothing', async () => {
  const webhook = await makeWebhook('/roles');
  const developer = await makePerson(server, dashboard.owner, 'developer');
  const page = await dashboard.open(`${list}/${webhook.id}`, { as: developer });
  await page.getByRole('button', { name: 'Send test event' }).click();
  const select = page.getByRole('dialog').getByLabel('Event', { exact: true });
  assert.ok(await select.locator('option[value="api_key.created"]').isDisabled());
  assert.ok(await select.locator('option[value="project.updated"]').isEnabled());
  await closePage(page);

  const viewer = await makePerson(server, dashboard.owner, 'viewer');
  const other = await dashboard.open(`${list}/${webhook.id}`, { as: viewer });
  const button = other.getByRole('button', { name: 'Send test event' });
  await button.waitFor();
  assert.equal(await button.getAttribute('aria-disabled'), 'true');
  await closePage(other);
});
