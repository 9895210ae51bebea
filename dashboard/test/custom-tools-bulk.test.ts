// Tools that are selected in the list are enabled, disabled and deleted together.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { makePerson } from '../../server/test/support/make/make-accounts.ts';
import { browserTest, closePage, startDashboard, waitForData } from './open-browser.ts';
import { goTo } from './turn-page.ts';

const dashboard = await startDashboard();

/** A project of its own with these tools. */
async function openList(...names: string[]) {
  const project = (await dashboard.owner.api('POST', '/projects', { body: { name: 'Bulk' } })).body;
  const api = async (method: string, path: string, body?: unknown) => {
    const headers = { 'x-project-id': project.id };
    const response = await dashboard.owner.api(method, path, body === undefined ? { headers } : { headers, body });
    assert.ok(response.status < 300, response.text);
    return response.body;
  };
  for (const name of names)
    await api('POST', '/custom-tools', { name, base_url: 'https://api.acme.example', endpoint_path: `/${name}` });
  const states = async () => {
    const { data } = await api('GET', '/custom-tools?limit=100');
    return Object.fromEntries(data.map(({ name, is_enabled }: any) => [name, is_enabled]));
  };
  const path = `/projects/${project.id}/custom-tools`;
  const page = await dashboard.open(path);
  await waitForData(page);
  return { page, api, states, path, selected: page.getByRole('region', { name: 'Selected tools' }) };
}
const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });

browserTest('selected tools are disabled and enabled together by keyboard, and Undo takes it back', async () => {
  const { page, states, selected } = await openList('a', 'b', 'c');
  assert.equal(await selected.count(), 0);
  await box(page, 'a').focus();
  await page.keyboard.press('Space');
  await box(page, 'b').focus();
  await page.keyboard.press('Space');
  await selected.getByText('2 selected').waitFor();
  await selected.getByRole('button', { name: 'Disable' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('2 tools disabled').waitFor();
  assert.deepEqual(await states(), { a: false, b: false, c: true });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('2 tools enabled').waitFor();
  assert.deepEqual(await states(), { a: true, b: true, c: true });

  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await selected.getByText('3 selected').waitFor();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).uncheck();
  assert.equal(await selected.count(), 0);
  await closePage(page);
});

browserTest('deleting several asks first, names them and wants their number', async () => {
  const { page, states, selected } = await openList('a', 'b', 'c');
  await box(page, 'a').check();
  await box(page, 'c').check();
  await selected.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete 2 tools?' });
  await dialog.getByText('a, c').waitFor();
  const confirm = dialog.getByRole('button', { name: 'Delete' });
  assert.ok(await confirm.isDisabled());
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(Object.keys(await states()).length, 3);
  await selected.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByLabel('Type the number of tools to confirm').fill('2');
  await confirm.click();
  await page.getByText('2 tools deleted').waitFor();
  assert.deepEqual(await states(), { b: true });
  assert.equal(await selected.count(), 0);

  await box(page, 'b').check();
  await selected.getByRole('button', { name: 'Delete' }).click();
  await page
    .getByRole('alertdialog', { name: 'Delete the tool “b”?' })
    .getByLabel('Type the name to confirm')
    .fill('b');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No tools yet').waitFor();
  await closePage(page);
});

browserTest('the message names the tools that were gone, stays, and they are no longer selected', async () => {
  const { page, api, states, selected } = await openList('a', 'b', 'c');
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  const { id } = await api('GET', '/custom-tools/b');
  await api('DELETE', `/custom-tools/${id}`);
  await selected.getByRole('button', { name: 'Disable' }).click();
  const message = page.getByRole('alert').filter({ hasText: '2 tools disabled' });
  await message.getByText('Not found, perhaps deleted by someone else: b', { exact: true }).waitFor();
  await selected.getByText('2 selected').waitFor();
  assert.deepEqual(await states(), { a: false, c: false });
  await closePage(page);
});

browserTest('what fails as a whole is said in the words of the API, and the tools stay selected', async () => {
  const { page, selected } = await openList('a');
  await box(page, 'a').check();
  const error = { code: 'SERVICE_UNAVAILABLE', message: 'Try again soon', details: {}, request_id: 'req_bulk' };
  await page.route('**/custom-tools/bulk', (route) => route.fulfill({ status: 503, json: { error } }));
  await selected.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('alert').getByText('Try again soon').waitFor();
  await selected.getByText('1 selected').waitFor();
  await closePage(page);
});

browserTest('a selection lasts over pages and orders, and the head selects the rows of the page only', async () => {
  const names = Array.from({ length: 101 }, (_, at) => `tool_${String(at).padStart(3, '0')}`);
  const { page, path, selected } = await openList(...names);
  await goTo(page, `${path}?sort=name`);
  await waitForData(page);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await selected.getByText('100 selected').waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await box(page, 'tool_100').check();
  await selected.getByText('101 selected').waitFor();
  await selected.getByRole('button', { name: 'Clear selection' }).click();
  assert.equal(await selected.count(), 0);
  await closePage(page);
});

browserTest('a viewer may select, and sees why nothing can be done with it', async () => {
  const { page, path } = await openList('a');
  await closePage(page);
  const viewer = await makePerson(dashboard.server, dashboard.owner, 'viewer');
  const seen = await dashboard.open(path, { as: viewer });
  await box(seen, 'a').check();
  for (const name of ['Enable', 'Disable', 'Delete']) {
    const button = seen.getByRole('region', { name: 'Selected tools' }).getByRole('button', { name });
    assert.equal(await button.getAttribute('aria-disabled'), 'true', name);
  }
  await closePage(seen);
});
