// The body format in the form of a tool, and the body in the preview of its request.

import assert from 'node:assert/strict';
import { waitUntil } from '../../server/test/support/wait-until.ts';
import { browserTest, closePage, expectAccessible, startDashboard } from './open-browser.ts';

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
  await form.getByRole('button', { name: 'Add encoding' }).click();
  const row = (what: string) => form.getByLabel(`Encoding 1: ${what}`);
  await row('argument').fill('tags');
  await row('style').selectOption('brackets');
  assert.equal(await row('explode').count(), 0, 'it means nothing in this style');
  assert.equal(await row('content type').count(), 0, 'parts have one');
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await form.waitFor({ state: 'detached' });
  const saved = await dashboard.api('GET', '/custom-tools/send_form');
  assert.deepEqual([saved.body_format, saved.body_encoding], ['form', { tags: { style: 'brackets' } }]);
  await closePage(page);
});

browserTest('how arguments are written is set by keyboard alone, and what is wrong is said at its field', async () => {
  const lines = { type: 'array', items: { type: 'object' } };
  const properties = { tags: { type: 'array', items: { type: 'string' } }, lines };
  const { id } = await dashboard.api('POST', '/custom-tools', {
    name: 'encoded',
    base_url: 'https://api.acme.example',
    endpoint_path: '/orders',
    method: 'POST',
    body_format: 'form',
    body_encoding: { lines: { style: 'deepObject', explode: true } },
    input_schema: { type: 'object', properties },
  });
  const page = await dashboard.open(`${tools}/${id}`);
  const form = page.getByRole('form', { name: 'Definition' });
  const field = (row: number, what: string) => form.getByLabel(`Encoding ${row}: ${what}`);
  const described = async (row: number, what: string) => {
    const ids = (await field(row, what).getAttribute('aria-describedby')) ?? '';
    return ids === '' ? '' : page.locator(`[id="${ids}"]`).innerText();
  };
  // By keyboard: a message may be in front of it.
  const save = () => form.getByRole('button', { name: 'Save', exact: true }).press('Enter');
  await field(1, 'argument').waitFor();
  assert.deepEqual(
    [await field(1, 'argument').inputValue(), await field(1, 'style').inputValue()],
    ['lines', 'deepObject'],
  );
  await form.getByRole('button', { name: 'Add encoding' }).focus();
  await page.keyboard.press('Enter');
  await field(2, 'argument').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('tagz');
  await form.getByText('“tagz” is not a property of the input schema').waitFor();
  await page.keyboard.press('Backspace');
  await page.keyboard.type('s');
  await page.keyboard.press('Tab');
  await field(2, 'style').and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Tab');
  await field(2, 'explode').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('joined');
  await expectAccessible(page, 'two encodings');
  await save();
  const stored = async () => (await dashboard.api('GET', `/custom-tools/${id}`)).body_encoding;
  await waitUntil(async () => (await stored()).tags !== undefined, 20_000, 'it is saved');
  assert.deepEqual(await stored(), { lines: { style: 'deepObject', explode: true }, tags: { explode: false } });

  // A style that cannot write a list of objects, which only the API knows.
  await field(1, 'style').selectOption('brackets');
  await save();
  await field(1, 'argument').and(page.locator('[aria-invalid=true]')).waitFor();
  assert.match(await described(1, 'argument'), /use deepObject or json/);
  await field(1, 'style').selectOption('json');
  await field(2, 'argument').fill('');
  await save();
  await field(2, 'argument').and(page.locator('[aria-invalid=true]')).waitFor();
  assert.equal(await described(2, 'argument'), 'Enter the name of the argument');
  await form.getByRole('button', { name: 'Remove encoding 2' }).focus();
  await page.keyboard.press('Enter');
  await form.getByLabel('Body format').selectOption('multipart');
  await field(1, 'content type').fill('csv');
  await form.getByText('This is not a media type').waitFor();
  await save();
  await field(1, 'content type').and(page.locator('[aria-invalid=true]')).waitFor();
  assert.match(await described(1, 'content type'), /must be a media type/);
  await field(1, 'content type').fill('text/csv');
  await save();
  await waitUntil(async () => (await stored()).lines?.content_type === 'text/csv', 20_000, 'it is saved');
  assert.deepEqual(await stored(), { lines: { content_type: 'text/csv' } });
  await closePage(page);
});
