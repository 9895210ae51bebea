// What a person looks for: by name in the palette, refused requests in the logs, an import in the audit log, the day on the overview.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { fillCalls } from './fill-logs.ts';
import { browserTest, closePage, expectAccessible, expectScreen, startDashboard } from './open-browser.ts';

const customer = await startCustomer();
after(() => customer.close());
const dashboard = await startDashboard({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { api, server, project_id } = dashboard;
const project = `/projects/${project_id}`;
const { tools, key } = await fillCalls(dashboard, customer);
const hook = await api('POST', `${project}/webhooks`, { url: `${customer.url}/orders`, events: ['custom_tool.*'] });
const operation = { responses: { 200: { description: 'ok' } } };
await api('POST', '/custom-tools/import', {
  document: {
    ...{ openapi: '3.1.0', info: { title: 'stock', version: '1' }, servers: [{ url: customer.url }] },
    paths: { '/stock': { get: operation }, '/shelves': { get: operation }, '/boxes': { get: operation } },
  },
});
await api('PATCH', `/custom-tools/${tools[0]?.id}`, { description: 'Finds products.' });

async function openPalette(page: Page, text: string): Promise<Locator> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await palette.locator('input').fill(text);
  return palette;
}

browserTest('the palette finds tools, API keys and webhooks by name, and leads to them', async () => {
  const page = await dashboard.open(project);
  for (const [text, option, path] of [
    ['search_pro', /search_products.*Tool/, `${project}/custom-tools/${tools[0]?.id}`],
    ['shop back', /Shop backend.*API key/, `${project}/api-keys/${key.id}`],
    ['/orders', /\/orders.*Webhook/, `${project}/webhooks/${hook.id}`],
  ] as const) {
    const palette = await openPalette(page, text);
    await palette.getByRole('option', { name: option }).click();
    await page.waitForURL(`**${path}`);
  }
  const palette = await openPalette(page, 'no such thing');
  await palette.getByText('No results for “no such thing”').waitFor();
  await closePage(page);
});

browserTest('the logs show refused requests, and a click tells why one was refused', async () => {
  await server.api('GET', `${project}/webhooks/wh_absent`, { key: key.key });
  await server.api('GET', `${project}/audit-log`, { key: key.key });
  await server.app.batch_writer.flush();
  const page = await dashboard.open(`${project}/logs`);
  await page.getByRole('tab', { name: 'Refused requests' }).click();
  const table = page.getByRole('table', { name: 'Refused requests' });
  await table.getByText('INSUFFICIENT_PERMISSIONS').waitFor();
  await expectAccessible(page, 'the refused requests');
  await page.getByLabel('Status').selectOption('404');
  await table.getByText('INSUFFICIENT_PERMISSIONS').waitFor({ state: 'detached' });
  await table.getByRole('link', { name: /webhooks/ }).click();
  await page.getByRole('heading', { name: 'Request trace' }).waitFor();
  await page.getByText('not_found').first().waitFor();
  await closePage(page);
});

browserTest(
  'the filters of the logs that are needed less often fold away, and stay open while one is set',
  async () => {
    const page = await dashboard.open(`${project}/logs`);
    const codes = page.getByLabel('Error code');
    await page.getByLabel('Outcome').waitFor();
    assert.equal(await codes.count(), 0);
    await page.getByRole('button', { name: 'More filters' }).click();
    await codes.fill('UPSTREAM_STATUS');
    await page.waitForURL('**error_code=UPSTREAM_STATUS**');
    await page.reload();
    await page.getByRole('button', { name: 'More filters (1)' }).waitFor();
    assert.equal(await codes.inputValue(), 'UPSTREAM_STATUS');
    await closePage(page);
  },
);

browserTest(
  'an import is one row of the audit log, which leads to its entries, and targets have their names',
  async () => {
    const page = await dashboard.open(`${project}/audit-log`, { width: 1400 });
    const table = page.getByRole('table', { name: 'Audit log' });
    const changed = table.getByRole('row').filter({ hasText: 'custom_tool.updated' });
    await changed.getByText('search_products').waitFor();
    await changed.getByText(tools[0]?.id ?? '').waitFor();
    await table.getByRole('link', { name: '3 in one request' }).click();
    await table.getByText('custom_tool.updated').waitFor({ state: 'detached' });
    assert.equal(await table.getByText('custom_tool.created').count(), 3);
    await expectAccessible(page, 'the entries of an import');
    await closePage(page);
  },
);

browserTest('the overview names the project, and shows the day as a chart', async () => {
  const { name } = await api('GET', project);
  const page = await dashboard.open(project);
  await page.getByRole('heading', { name: 'Overview', level: 1, exact: true }).waitFor();
  await page.getByRole('main').getByText(name, { exact: true }).waitFor();
  await page.getByRole('img', { name: 'Calls of the last 24 hours, by hour' }).waitFor();
  await expectScreen(page, 'the overview', [360]);
  await closePage(page);
});

// The last one: it ends the session of the person.
browserTest('the palette changes the theme and signs out', async () => {
  const page = await dashboard.open(project, { theme: 'light' });
  await (await openPalette(page, 'dark')).getByRole('option', { name: /Theme: Dark/ }).click();
  await page.locator('html[data-theme="dark"]').waitFor();
  await (await openPalette(page, 'sign out')).getByRole('option', { name: /Sign out/ }).click();
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  await closePage(page);
});
