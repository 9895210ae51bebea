// The screens of tools, filled, empty and failing: no violation in light and dark, no sideways scrolling, hostile names included.

import type { Page } from 'playwright-core';
import { browserTest, closePage, expectScreen, startDashboard, waitForData } from './open-browser.ts';

const WIDTHS = [360, 768, 1600];
/** Reading a document starts a thread, which takes long on a busy machine. */
const SLOW_MS = 60_000;
const dashboard = await startDashboard();
const empty = `/projects/${dashboard.project_id}/custom-tools`;
const other = await dashboard.owner.api('POST', '/projects', { body: { name: 'Filled' } });
const filled = `/projects/${other.body.id}/custom-tools`;

const create = async (body: object) => {
  const response = await dashboard.owner.api('POST', '/custom-tools', {
    headers: { 'x-project-id': other.body.id },
    body: { base_url: 'https://api.acme.example', endpoint_path: '/', ...body },
  });
  if (response.status !== 201) throw new Error(response.text);
  return response.body;
};

const hostile = await create({
  name: 'x'.repeat(64),
  title: '<b>"hostile" & \u202Eeman</b>',
  description: 'word'.repeat(300),
  endpoint_path: `/${'segment/'.repeat(40)}`,
  input_schema: { type: 'object', properties: { ['p'.repeat(90)]: { type: 'string', description: 'd'.repeat(400) } } },
});
await create({ name: 'find_order', method: 'GET', is_enabled: false });
const sample = await dashboard.owner.api('POST', `/projects/${other.body.id}/sample-tools`);
const [find] = sample.body.tools;

const run = async (page: Page) => {
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('region', { name: 'Result', exact: true }).getByRole('tab').first().waitFor();
};
const openForm = async (page: Page) => {
  const form = page.getByRole('form', { name: 'Create tool' });
  await form.getByLabel('Method').selectOption('POST');
  await form.getByLabel('Base URL').fill('https://api.acme.example');
  await form.getByLabel('Endpoint path').fill(`/${'long'.repeat(60)}`);
  await form.getByText('More: timeout').click();
  await form.getByRole('button', { name: 'Add property' }).click();
  await form.getByLabel('Property 1: key').fill('member_id');
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await form.getByRole('button', { name: 'Name and description' }).waitFor();
  await form.getByRole('list', { name: 'Why a call would be refused' }).waitFor();
};
const importDocument = async (page: Page) => {
  const tags = ['z'.repeat(100), '\u202Egat', ...Array.from({ length: 8 }, (_, at) => `Tag ${at}`)];
  const orders = { get: { operationId: 'x'.repeat(64), tags }, delete: { tags: ['Tag 1'] }, head: {} };
  const paths = { '/orders': orders, [`/${'y'.repeat(200)}`]: { get: {} } };
  const components = { securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } } };
  const document = { openapi: '3.1.0', servers: [{ url: 'https://api.acme.example' }], components, paths };
  await page.getByLabel('OpenAPI document').fill(JSON.stringify(document));
  await page.getByRole('region', { name: 'Operations' }).waitFor({ timeout: SLOW_MS });
};
const selectSome = async (page: Page) => {
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('region', { name: 'Selected tools' }).waitFor();
};
const deleteSome = async (page: Page) => {
  await selectSome(page);
  await page.getByRole('region', { name: 'Selected tools' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').waitFor();
};
const diagnose = async (page: Page) => {
  const dialog = page.getByRole('dialog', { name: 'Signature doctor' });
  await dialog.getByRole('button', { name: 'Fill in the request' }).click();
  await dialog.getByLabel('Text that your code signed').fill('x'.repeat(300));
  await dialog.getByRole('button', { name: 'Check', exact: true }).click();
  await dialog.getByRole('table', { name: 'Lines' }).waitFor();
};
const refuseAll = async (page: Page) => {
  await page.route('**/api/v1/custom-tools**', (route) => route.abort());
  await page.reload();
  await page.getByRole('button', { name: 'Try again' }).waitFor();
};

const screens: [what: string, path: string, act?: (page: Page) => Promise<void>][] = [
  ['the empty list', empty],
  ['the filled list', filled],
  ['the list with selected tools', filled, selectSome],
  ['deleting the selected tools', filled, deleteSome],
  ['the failing list', filled, refuseAll],
  ['the form of a new tool', `${filled}/new`, openForm],
  ['the import', `${filled}?dialog=import`, importDocument],
  ['the definition of a tool with a hostile name', `${filled}/${hostile.id}`],
  ['trying a tool with a hostile name', `${filled}/${hostile.id}?tab=try-it`, run],
  ['trying a tool of the sample shop', `${filled}/${find.id}?tab=try-it`, run],
  ['the signature doctor', `${filled}/${find.id}?tab=try-it&dialog=signature-doctor`, diagnose],
  ['the versions', `${filled}/${hostile.id}?tab=versions`],
  ['the calls', `${filled}/${find.id}?tab=calls`],
];

for (const [what, path, act] of screens) {
  browserTest(`${what}: no violation in light and dark, and no wider than the screen`, async () => {
    const page = await dashboard.open(path);
    await page.locator('h1').waitFor();
    await act?.(page);
    await waitForData(page);
    await expectScreen(page, what, WIDTHS);
    await closePage(page);
  });
}
