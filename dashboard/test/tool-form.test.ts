// The page that creates and edits a tool: the request beside it, where errors are, and what is lost when it is left.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { browserTest, closePage, startDashboard } from './open-browser.ts';
import { goTo } from './turn-page.ts';

const dashboard = await startDashboard();
const tools = `/projects/${dashboard.project_id}/custom-tools`;
const partsOf = (page: Page) => ({
  form: page.getByRole('form', { name: 'Create tool' }),
  preview: page.getByRole('region', { name: 'Request preview' }),
});

browserTest('the request follows what is typed, in its body format, with hints instead of errors', async () => {
  const page = await dashboard.open(`${tools}/new`);
  const { form, preview } = partsOf(page);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/custom-tools/preview')) asked.push(request.postData() ?? '');
  });
  await preview.getByText('Enter the base URL').waitFor();
  await form.getByLabel('Method').selectOption('POST');
  await form.getByLabel('Base URL').fill('https://api.acme.example');
  await form.getByLabel('Endpoint path').fill('/orders/{{id}}');
  const hints = preview.getByRole('list', { name: 'Why a call would be refused' });
  await hints.getByText('endpoint_path').waitFor();
  const properties = { id: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } };
  await form.getByLabel('Input schema').fill(JSON.stringify({ type: 'object', properties }));
  await preview.getByText('https://api.acme.example/orders/id').waitFor();
  await preview.getByText('"tags": [').first().waitFor();
  await form.getByLabel('Body format').selectOption('form');
  await preview.getByText('application/x-www-form-urlencoded').waitFor();
  await form.getByRole('button', { name: 'Add encoding' }).click();
  await form.getByLabel('Encoding 1: argument').fill('tags');
  await form.getByLabel('Encoding 1: style').selectOption('brackets');
  await preview.getByText('tags[]=tags', { exact: false }).or(preview.getByText('tags%5B%5D=tags')).waitFor();

  await preview.getByLabel('Example values').fill('{"id":"A-1","tags":["new","paid"]}');
  await preview.getByText('https://api.acme.example/orders/A-1').waitFor();
  await preview.getByLabel('Example values').fill('{"id":1}');
  await hints.getByText('VALIDATION_ERROR').first().waitFor();
  await preview.getByRole('button', { name: 'Start over' }).click();
  await preview.getByText('https://api.acme.example/orders/id').waitFor();

  await form.getByLabel('Auth strategy').selectOption('api_key_header');
  await form.getByLabel('Secret', { exact: true }).fill('a-very-secret-key');
  await preview.getByText('[redacted]').waitFor();
  await form.getByLabel('Input schema').fill('{"type":');
  await hints.getByText('is not valid yet').waitFor();
  assert.equal(await form.getByRole('alert').count(), 0);
  assert.ok(asked.length > 0 && !asked.join().includes('a-very-secret-key'), 'a preview has no secret');
  await closePage(page);
});

browserTest('a late preview of what was typed before does not replace the latest one', async () => {
  const page = await dashboard.open(`${tools}/new`);
  const { form, preview } = partsOf(page);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/custom-tools/preview', async (route) => {
    if (route.request().postData()?.includes('/first')) await released;
    await route.continue();
  });
  await form.getByLabel('Base URL').fill('https://api.acme.example');
  const first = page.waitForRequest((request) => request.postData()?.includes('/first') === true);
  await form.getByLabel('Endpoint path').fill('/first');
  const late = (await first).response();
  await form.getByLabel('Endpoint path').fill('/second');
  await preview.getByText('https://api.acme.example/second').waitFor();
  release();
  await (await late)?.finished();
  await page.evaluate('new Promise(requestAnimationFrame)');
  await preview.getByText('https://api.acme.example/second').waitFor();
  assert.equal(await preview.getByText('https://api.acme.example/first').count(), 0);
  await closePage(page);
});

browserTest('a refused tool says which sections to correct, and each leads to its first wrong field', async () => {
  const page = await dashboard.open(`${tools}/new`);
  const { form } = partsOf(page);
  await form.getByLabel('Name', { exact: true }).fill('not a name');
  await form.getByLabel('Base URL').fill('https://api.acme.example');
  await form.getByLabel('Endpoint path').fill('orders');
  await form.getByLabel('Output schema').fill('{');
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await form.getByRole('button', { name: 'Results' }).click();
  await form.getByLabel('Output schema').and(page.locator(':focus')).waitFor();
  await form.getByText('1 error').waitFor();
  await form.getByLabel('Output schema').fill('');
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await form
    .getByRole('alert')
    .getByText(/req_\w+/)
    .waitFor();
  await form.getByRole('button', { name: 'Name and description' }).click();
  await form.getByLabel('Name', { exact: true }).and(page.locator('[aria-invalid=true]:focus')).waitFor();
  await closePage(page);
});

browserTest(
  'leaving asks only for a secret, which the draft does not have, and links to the dialog still work',
  async () => {
    const page = await dashboard.open(`${tools}?dialog=create`);
    const { form } = partsOf(page);
    const toWebhooks = () =>
      page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Webhooks' }).click();
    await form.getByLabel('Name', { exact: true }).fill('half_done');
    assert.equal(new URL(page.url()).pathname, `${tools}/new`);
    await toWebhooks();
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();

    await goTo(page, tools);
    await page.getByRole('heading', { name: 'Custom tools', level: 1 }).waitFor();
    await page.keyboard.press('c');
    await page.getByText('This is your draft').waitFor();
    await form.getByLabel('Auth strategy').selectOption('bearer_token');
    await form.getByLabel('Secret', { exact: true }).fill('a-very-secret-token');
    const question = page.waitForEvent('dialog').then(async (dialog) => {
      await dialog.dismiss();
      return dialog.message();
    });
    await toWebhooks();
    assert.match(await question, /without its secret/);
    assert.equal(await form.getByLabel('Secret', { exact: true }).inputValue(), 'a-very-secret-token');
    await closePage(page);
  },
);
