// The body format in the form of a tool, and the body in the preview of its request.

import assert from 'node:assert/strict';
import { browserTest, closePage, startDashboard } from './open-browser.ts';

const dashboard = await startDashboard();
const tools = `/projects/${dashboard.project_id}/custom-tools`;

browserTest('a tool gets its body format with the fields that the format uses, and a GET has none', async () => {
  const page = await dashboard.open(`${tools}?dialog=create`);
  const dialog = page.getByRole('dialog', { name: 'Create tool' });
  const format = dialog.getByLabel('Body format');
  assert.equal(await format.count(), 0, 'the method is GET at first');
  await dialog.getByLabel('Name', { exact: true }).fill('send_form');
  await dialog.getByLabel('Method').selectOption('POST');
  await dialog.getByLabel('Base URL').fill('https://api.acme.example');
  await dialog.getByLabel('Endpoint path').fill('/orders');
  await dialog.getByLabel('Input schema').fill('{"type":"object","properties":{"tags":{"type":"array"}}}');
  await format.selectOption('raw');
  await dialog.getByLabel('Body argument').waitFor();
  await format.selectOption('form');
  assert.equal(await dialog.getByLabel('Body argument').count(), 0);
  await dialog.getByLabel('Encoding').fill('{"tags":{"style":"matrix"}}');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await dialog
    .getByRole('alert')
    .getByText(/req_\w+/)
    .waitFor();
  await dialog.getByLabel('Encoding').fill('{"tags":{"style":"brackets"}}');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  const saved = await dashboard.api('GET', '/custom-tools/send_form');
  assert.deepEqual([saved.body_format, saved.body_encoding], ['form', { tags: { style: 'brackets' } }]);
  await closePage(page);
});
