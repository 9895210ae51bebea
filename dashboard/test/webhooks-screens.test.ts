// The webhooks of a project and their delivery log, in the browser.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after } from 'node:test';
import type { Page } from 'playwright-core';
import { makePerson } from '../../server/test/support/make/make-accounts.ts';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { fillWebhooks } from './fill-logs.ts';
import {
  browserTest,
  closePage,
  confirmByName,
  expectAccessible,
  startDashboard,
  waitForData,
} from './open-browser.ts';

const customer = await startCustomer();
after(() => customer.close());
const dashboard = await startDashboard({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { server, api } = dashboard;
const list = `/projects/${dashboard.project_id}/webhooks`;
const { bad } = await fillWebhooks(dashboard, customer);

/** A webhook of its own, with one delivery that failed. */
async function makeFailing(path: string) {
  const webhook = await api('POST', list, { url: `${customer.url}${path}`, events: ['project.updated'] });
  customer.respond(path, { status: 500, body: { error: 'The database is down' } });
  await api('PATCH', `/projects/${dashboard.project_id}`, { name: `Shop ${path}` });
  await server.runJobs();
  return { webhook, page: await dashboard.open(`${list}/${webhook.id}`) };
}

const deliveries = (page: Page) => page.getByRole('table', { name: 'Deliveries' });

browserTest('a webhook is created with events of the catalogue, and its secret is shown once', async () => {
  const page = await dashboard.open(list);
  await page.getByRole('button', { name: 'Create webhook' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create webhook' });
  await dialog.getByLabel('URL').fill('https://10.0.0.1/hook');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await dialog.getByRole('alert').getByText('Request', { exact: false }).waitFor();
  const described = await dialog.getByLabel('URL').getAttribute('aria-describedby');
  assert.match(described ?? '', /error/, 'what the API said is tied to the field');

  await dialog.getByLabel('URL').fill(`${customer.url}/new`);
  await dialog.getByLabel('Events', { exact: true }).fill('');
  await dialog.getByText('tool_call', { exact: true }).click();
  await dialog.getByRole('checkbox', { name: 'tool_call.failed' }).check();
  assert.equal(await dialog.getByLabel('Events', { exact: true }).inputValue(), 'tool_call.failed');
  await dialog.getByText('Example').and(dialog.locator(':visible')).first().click();
  await dialog.getByRole('region', { name: 'tool_call.succeeded example' }).waitFor();
  await dialog.getByLabel('Description').fill('Pages whoever is on call');
  await expectAccessible(page, 'the form');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();

  const secret = await page.getByLabel('Secret', { exact: true }).inputValue();
  assert.match(secret, /^whsec_/);
  await expectAccessible(page, 'the secret');
  await page.getByRole('button', { name: 'I have saved it' }).click();
  const row = page.getByRole('table', { name: 'Webhooks' }).getByRole('row').filter({ hasText: '/new' });
  await row.getByText('tool_call.failed').waitFor();
  assert.ok(!(await page.content()).includes(secret));
  await closePage(page);
});

browserTest('a failed delivery is redelivered, and its new attempt appears without a reload', async () => {
  const { webhook, page } = await makeFailing('/comes-back');
  const row = deliveries(page).getByRole('row').filter({ hasText: 'project.updated' });
  await row.getByText('500', { exact: true }).waitFor();
  await row.getByText('retrying').waitFor();
  await row.getByText('1 of 10').waitFor();
  customer.respond('/comes-back', { status: 200, body: { received: true } });
  await row.getByRole('button', { name: 'Redeliver', exact: true }).click();
  await page.getByText('project.updated is being sent again').waitFor();
  await server.runJobs();
  await row.getByText('succeeded').waitFor();

  await row.getByRole('link', { name: 'project.updated' }).click();
  const drawer = page.getByRole('dialog', { name: 'project.updated' });
  await drawer.getByText('Attempt 2').waitFor();
  await drawer.getByRole('region', { name: 'response of attempt 2' }).getByText('received').waitFor();
  const headers = drawer.getByRole('region', { name: 'response headers of attempt 2' });
  await headers.getByText('content-type: application/json').waitFor();
  await drawer.getByText('Attempt 1').click();
  await drawer.getByRole('region', { name: 'response of attempt 1' }).getByText('The database is down').waitFor();
  await drawer.getByRole('region', { name: 'request body' }).getByText('"project.updated"').waitFor();
  await drawer.getByRole('button', { name: 'Copy as cURL' }).waitFor();
  assert.match(page.url(), /[?&]delivery=/);

  const check = async (secret: string) => {
    await drawer.getByLabel('Signing secret').fill(secret);
    await drawer.getByRole('button', { name: 'Check', exact: true }).click();
  };
  await check(`whsec_${Buffer.alloc(32, 1).toString('base64')}`);
  await drawer.getByText('This secret did not sign the request.').waitFor();
  await check(webhook.secret);
  await drawer.getByText('The secret matches').waitFor();
  await expectAccessible(page, 'the drawer');
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  assert.doesNotMatch(page.url(), /delivery=/);
  await closePage(page);
});

browserTest('a paused log counts what came and shows it on request; a ping is sent from the page', async () => {
  const { page } = await makeFailing('/paused');
  await deliveries(page).getByText('500', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Send ping' }).click();
  await page.getByText('A ping is being sent').first().waitFor();
  await page.getByRole('button', { name: 'Send ping' }).click();
  const fresh = page.getByRole('button', { name: '2 new' });
  await fresh.waitFor();
  assert.equal(await deliveries(page).getByText('ping', { exact: true }).count(), 0);
  await fresh.click();
  await deliveries(page).getByText('ping', { exact: true }).first().waitFor();
  assert.equal(await deliveries(page).getByText('ping', { exact: true }).count(), 2);
  const pinged = deliveries(page).getByRole('row').filter({ hasText: 'ping' }).first();
  await pinged.getByText(/^just now$|ago$/).waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('Live', { exact: true }).waitFor();
  await closePage(page);
});

browserTest('a selection and all that failed since a time are sent again', async () => {
  const { page } = await makeFailing('/selected');
  await deliveries(page).getByRole('checkbox').first().check();
  customer.respond('/selected', { status: 410 });
  await page.getByRole('button', { name: 'Send 1 again' }).click();
  await page.getByText('1 delivery is being sent again').waitFor();
  await server.runJobs();
  // 410 disables the webhook, and the delivery is not tried again.
  await deliveries(page).getByText('failed', { exact: true }).waitFor();
  await page.getByText('It returned 410 Gone').waitFor();
  await expectAccessible(page, 'the banner');
  await page.getByRole('button', { name: 'Enable' }).click();
  await page.getByRole('heading', { name: 'The webhook is enabled' }).waitFor();
  customer.respond('/selected', { status: 200 });
  await page.getByRole('button', { name: 'Recover failed' }).click();
  await expectAccessible(page, 'the dialog');
  await page.getByRole('dialog').getByRole('button', { name: 'Recover', exact: true }).click();
  await page.getByRole('dialog', { name: 'Recover failed deliveries' }).waitFor({ state: 'detached' });
  await server.runJobs();
  await deliveries(page).getByText('succeeded').first().waitFor();
  await closePage(page);
});

browserTest('the secret is rotated with an overlap, and a webhook is deleted by typing its URL', async () => {
  const { webhook, page } = await makeFailing('/rotated');
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByLabel('The old one expires').selectOption('In one hour');
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click();
  const secret = await page.getByLabel('Secret', { exact: true }).inputValue();
  assert.ok(secret.startsWith('whsec_') && secret !== webhook.secret);
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByText('The old one expires').waitFor();

  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await confirmByName(page.getByRole('alertdialog'), webhook.url);
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  await closePage(page);
});

browserTest('filters of the delivery log are in the URL', async () => {
  const page = await dashboard.open(`${list}/${bad.id}?status=succeeded`);
  await waitForData(page);
  const rows = deliveries(page).getByRole('row');
  assert.equal(await rows.count(), 3, 'two arrived');
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV' }).click(),
  ]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
  assert.match(lines[0] ?? '', /^id,event_id,event_type,status,/);
  assert.equal(lines.filter((line) => line.includes(',project.updated,succeeded,')).length, 2);
  assert.equal(lines.length, 3, 'only what matches the filters');
  await page.getByLabel('Status', { exact: true }).selectOption('failed');
  await page.getByText('No delivery matches').waitFor();
  assert.match(page.url(), /status=failed/);
  await page.getByRole('button', { name: 'Clear' }).click();
  await deliveries(page).getByText('retrying').first().waitFor();
  await page.getByLabel('Time', { exact: true }).selectOption('Last hour');
  await page.waitForURL(/from=20/);
  await deliveries(page).getByText('retrying').first().waitFor();
  await closePage(page);
});

browserTest('a viewer sees the actions disabled, with the reason', async () => {
  const viewer = await makePerson(server, dashboard.owner, 'viewer');
  const page = await dashboard.open(`${list}/${bad.id}`, { as: viewer });
  await deliveries(page).getByText('retrying').first().waitFor();
  for (const name of ['Send ping', 'Rotate secret', 'Recover failed']) {
    const button = page.getByRole('button', { name });
    assert.equal(await button.getAttribute('aria-disabled'), 'true', name);
    assert.match((await button.getAttribute('aria-description')) ?? '', /viewer.*“webhook”/);
  }
  await closePage(page);
});
