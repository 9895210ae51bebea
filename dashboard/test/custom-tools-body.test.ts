// The body format in the form of a tool, and the body in the preview of its request.

import assert from 'node:assert/strict';
import { browserTest, closePage, startDashboard } from './open-browser.ts';

const dashboard = await startDashboard();
const tools = `/projects/${dashboard.project_id}/custom-tools`;

browserTest('a tool gets its body format with the fields that the format uses, and a GET has none', async () => {
  const page = await dashboard.open(`${tools}/new`);
  const form = page.getByRole('form', { name: 'Create tool' });
  const format = form.getByLabel('Body format');
  await form.getByText('GET requests have no body').waitFor();
  assert.equal(await format.count(), 0, 'the method is GET at first');
  await form.getByLabel('Name', { exact: true }).fill('send_form');
  await form.getByLabel('Method').selectOption('POST');
  await form.getByLabel('Base URL').fill('https://api.acme.example');
  await form.getByLabel('Endpoint path').fill('/orders');
  await form.getByLabel('Input schema').fill('{"type":"object","properties":{"tags":{"type":"array"}}}');
  await format.selectOption('raw');
  await form.getByLabel('Body argument').waitFor();
  await format.selectOption('form');
  assert.equal(await form.getByLabel('Body argument').count(), 0);
  await form.getByLabel('Encoding').fill('{"tags":{"style":"matrix"}}');
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await form
    .getByRole('alert')
    .getByText(/req_\w+/)
    .waitFor();
  await form.getByLabel('Encoding').fill('{"tags":{"style":"brackets"}}');
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await form.waitFor({ state: 'detached' });
  const saved = await dashboard.api('GET', '/custom-tools/send_form');
  assert.deepEqual([saved.body_format, saved.body_encoding], ['form', { tags: { style: 'brackets' } }]);
  await closePage(page);
});
