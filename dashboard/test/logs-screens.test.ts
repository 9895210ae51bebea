// Logs, analytics and the audit log, in the browser.

import assert from 'node:assert/strict';
import { logs, newest, savedFile, startLogs } from './fill-logs.ts';
import { browserTest, closePage, expectAccessible, waitForData } from './open-browser.ts';
import { goTo } from './turn-page.ts';

const { customer, dashboard, api, project, search, order, call } = await startLogs();

browserTest('calls appear as they are made; while paused they are counted', async () => {
  const page = await dashboard.open(`${project}/logs?tool_id=${search.id}`);
  await waitForData(page);
  await page.getByText('Live', { exact: true }).waitFor();
  const count = await logs(page).getByRole('row').count();
  await call(search);
  await logs(page).getByRole('row').nth(count).waitFor();

  await page.getByRole('button', { name: 'Pause' }).click();
  const held = await newest(page).getByRole('link').getAttribute('href');
  await call(search);
  await call(order);
  await call(search);
  await page.getByRole('button', { name: '2 new' }).waitFor();
  assert.equal(await newest(page).getByRole('link').getAttribute('href'), held, 'the list does not move');
  await page.getByRole('button', { name: '2 new' }).click();
  assert.notEqual(await newest(page).getByRole('link').getAttribute('href'), held);
  assert.equal(await logs(page).getByText(order.name).count(), 0, 'the filter counts for the stream too');
  await closePage(page);
});

browserTest('a call shows its stages, its trace with the remedy, and where something was redacted', async () => {
  customer.respond(`/${order.name}`, { status: 503, body: { error: 'down' } });
  const request_id = await call(order, { order_id: 'o-1', iban: 'DE02120300000000202051' });
  const page = await dashboard.open(`${project}/logs`);
  await page.getByLabel('Request id').fill(request_id);
  await page.waitForURL(new RegExp(`request_id=${request_id}`));
  await logs(page).getByRole('row').nth(2).waitFor({ state: 'detached' });
  await newest(page).getByRole('link').click();
  const drawer = page.getByRole('dialog', { name: `Call of ${order.name}` });
  await drawer
    .getByRole('table', { name: 'Stages' })
    .getByRole('row', { name: /Your API/ })
    .waitFor();
  const failed = drawer.getByRole('list', { name: 'Steps' }).getByRole('listitem').filter({ hasText: 'failed' });
  await failed.getByText('upstream_status', { exact: true }).waitFor();
  assert.match(await failed.innerText(), /Response of your API[\s\S]+\w+ \w+/);
  const given = drawer.getByRole('region', { name: 'arguments' });
  await given.getByText('o-1').waitFor();
  assert.equal(await given.locator('mark').innerText(), 'redacted');
  assert.ok(!(await page.content()).includes('DE0212'));
  await expectAccessible(page, 'the drawer');
  await closePage(page);
});

browserTest('analytics have the exact numbers in tables, and lead to the calls', async () => {
  const { totals } = await api('GET', `${project}/analytics`);
  const page = await dashboard.open(`${project}/analytics`);
  const table = page.getByRole('table', { name: 'Calls', exact: true });
  await table.getByRole('columnheader', { name: 'Calls' }).waitFor();
  const counts = await table.locator('tbody tr td:nth-child(2)').allInnerTexts();
  const sum = counts.reduce((total, text) => total + Number(text.replaceAll(',', '')), 0);
  assert.equal(sum, totals.calls);
  const csv = await savedFile(page, () => page.getByRole('button', { name: 'Calls as CSV' }).click());
  assert.match(csv, /^start,Calls,Failed\r\n/);

  await page.getByRole('switch', { name: 'Compare' }).check();
  await table.getByRole('columnheader', { name: 'Previous' }).waitFor();
  await page.getByLabel('Range').selectOption('Last 7 days');
  await page.waitForURL(/range=7d/);
  assert.match(page.url(), /compare=on/);
  await page.getByRole('button', { name: 'Error', exact: true }).click();
  await page.getByRole('table', { name: 'Calls by Error' }).getByRole('link', { name: 'UPSTREAM_STATUS' }).click();
  await page.getByRole('heading', { name: 'Logs', level: 1 }).waitFor();
  await newest(page).getByText('UPSTREAM_STATUS').waitFor();
  assert.match(page.url(), /error_code=UPSTREAM_STATUS&from=/);
  await closePage(page);
});

browserTest('the audit log shows who changed what from what to what, and is exported as filtered', async () => {
  await api('PATCH', project, { name: 'Renamed shop' });
  const page = await dashboard.open(`${project}/audit-log`);
  await page.getByLabel('Action', { exact: true }).fill('project.updated');
  const row = page.getByRole('table', { name: 'Audit log' }).getByRole('row').filter({ hasText: 'project.updated' });
  await page.waitForURL(/action=project\.updated/);
  await page
    .getByRole('table', { name: 'Audit log' })
    .getByText('api_key.created')
    .first()
    .waitFor({ state: 'detached' });
  assert.match(await row.first().innerText(), /Olivia Owner[\s\S]+Person/);
  await row.first().getByRole('link').click();
  const change = page
    .getByRole('dialog')
    .getByRole('table', { name: 'Changes' })
    .getByRole('row')
    .filter({ hasText: 'name' });
  assert.match(await change.innerText(), /Shop[\s\S]+Renamed shop/);
  await expectAccessible(page, 'the drawer');
  await page.keyboard.press('Escape');
  const csv = await savedFile(page, async () => {
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'CSV' }).click();
  });
  const lines = csv.trim().split('\r\n').slice(1);
  assert.ok(lines.length > 0 && lines.every((line) => line.includes('project.updated')));

  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Renames');
  await expectAccessible(page, 'the dialog');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.waitForURL((url) => !url.search.includes('action'));
  await page.reload();
  await page.getByRole('button', { name: 'Renames', exact: true }).click();
  await page.waitForURL(/action=project\.updated/);
  const other = await api('POST', '/projects', { name: 'Another shop' });
  await goTo(page, `/projects/${other.id}/audit-log?action=project.updated`);
  await page.getByRole('button', { name: 'Save view' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Renames', exact: true }).count(), 0, 'a view is of one project');
  await closePage(page);
});
