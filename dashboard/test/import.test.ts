// "Import OpenAPI": which operations are shown, which are chosen, and what all tools get.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { browserTest, closePage, expectAccessible, startDashboard } from './open-browser.ts';

/** Reading a document starts a thread, which takes long on a busy machine. */
const SLOW_MS = 60_000;
const dashboard = await startDashboard();

const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const document = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://api.acme.example' }],
  paths: {
    '/orders': {
      get: { operationId: 'list_orders', tags: ['orders'] },
      post: { operationId: 'create_order', tags: ['orders', 'changes'] },
    },
    '/orders/{id}': {
      parameters: [id],
      get: { operationId: 'get_order', tags: ['orders'] },
      delete: { operationId: 'delete_order', tags: ['orders', 'changes'] },
    },
    '/customers': { get: { operationId: 'list_customers', tags: ['customers'] } },
    '/health': { get: { operationId: 'get_health' } },
  },
};

/** Each test has a project of its own. */
async function openImport(name: string) {
  const project = (await dashboard.owner.api('POST', '/projects', { body: { name } })).body;
  const api = async (method: string, path: string, body?: unknown) => {
    const headers = { 'x-project-id': project.id };
    const response = await dashboard.owner.api(method, path, body === undefined ? { headers } : { headers, body });
    assert.ok(response.status < 300, response.text);
    return response.body;
  };
  const open = async () => {
    const page = await dashboard.open(`/projects/${project.id}/custom-tools?dialog=import`);
    return { page, dialog: page.getByRole('dialog', { name: 'Import OpenAPI' }) };
  };
  const tools = async (): Promise<any[]> => (await api('GET', '/custom-tools?limit=100')).data;
  return { api, tools, names: async () => (await tools()).map((tool) => tool.name).sort(), ...(await open()), open };
}
const fill = (page: Page, given: object = document) => page.getByLabel('OpenAPI document').fill(JSON.stringify(given));
const shownNames = (page: Page) =>
  page
    .getByRole('list', { name: 'Operations of the document' })
    .getByRole('checkbox')
    .evaluateAll((boxes) => boxes.map((box: any) => box.ariaLabel as string));

browserTest('new DELETE operations are not selected, and the page says so', async () => {
  const { page, dialog, names } = await openImport('Deletes');
  await fill(page);
  await dialog.getByText('5 of 6 operations').waitFor({ timeout: SLOW_MS });
  await dialog.getByText('New DELETE operations are not selected until you select them.').waitFor();
  assert.equal(await dialog.getByRole('checkbox', { name: 'delete_order' }).isChecked(), false);
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('5 tools created, 0 changed').waitFor({ timeout: SLOW_MS });
  assert.ok(!(await names()).includes('delete_order'));
  await closePage(page);
});

browserTest('an import without a preview makes no tool of a DELETE operation either', async () => {
  const { page, dialog, names } = await openImport('Quick');
  await page.route('**/custom-tools/import', (route) =>
    route.request().postData()?.includes('"dry_run":true') ? undefined : route.continue(),
  );
  await fill(page);
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('5 tools created, 0 changed').waitFor({ timeout: SLOW_MS });
  assert.ok(!(await names()).includes('delete_order'));
  await closePage(page);
});

browserTest('a tool that deletes and is there already is selected, to be updated like the others', async () => {
  const { page, dialog, api } = await openImport('Again');
  await api('POST', '/custom-tools/import', { document });
  await fill(page);
  await dialog.getByText('6 of 6 operations').waitFor({ timeout: SLOW_MS });
  assert.equal(await dialog.getByText('New DELETE operations').count(), 0);
  await closePage(page);
});

browserTest('chips with counts filter by tag and method, and all or none of what is shown is selected', async () => {
  const { page, dialog, names } = await openImport('Filters');
  await fill(page);
  const tags = dialog.getByRole('group', { name: 'Tags' });
  await tags.waitFor({ timeout: SLOW_MS });
  const methods = dialog.getByRole('group', { name: 'Methods' });
  assert.deepEqual(await methods.getByRole('button').allInnerTexts(), ['GET 4', 'POST 1', 'DELETE 1'].map(asLines));
  assert.deepEqual(
    await tags.getByRole('button').allInnerTexts(),
    ['orders 4', 'changes 2', 'customers 1', 'no tag 1'].map(asLines),
  );
  await dialog.getByRole('button', { name: 'Select none of them' }).click();
  await dialog.getByText('0 of 6 operations').waitFor();
  await expectAccessible(page, 'nothing is selected');
  const submit = dialog.getByRole('button', { name: 'Import', exact: true });
  assert.equal(await submit.getAttribute('aria-disabled'), 'true', 'nothing is selected');

  await tags.getByRole('button', { name: 'orders 4' }).click();
  await tags.getByRole('button', { name: 'no tag 1' }).click();
  assert.deepEqual(await shownNames(page), ['list_orders', 'create_order', 'get_order', 'delete_order', 'get_health']);
  await methods.getByRole('button', { name: 'GET 4' }).click();
  assert.equal(await methods.getByRole('button', { name: 'GET 4' }).getAttribute('aria-pressed'), 'true');
  assert.deepEqual(await shownNames(page), ['list_orders', 'get_order', 'get_health']);
  await dialog.getByRole('button', { name: 'Select all 3 shown' }).click();
  await dialog.getByText('3 of 6 operations').waitFor();
  await methods.getByRole('button', { name: 'GET 4' }).click();
  await dialog.getByRole('checkbox', { name: 'delete_order' }).check();
  await submit.click();
  await page.getByText('4 tools created, 0 changed').waitFor({ timeout: SLOW_MS });
  assert.deepEqual(await names(), ['delete_order', 'get_health', 'get_order', 'list_orders']);
  await closePage(page);
});

/** What a person reads as one line: the parts of a chip are boxes of their own. */
const asLines = (text: string) => text.replace(/ (\d+)$/, '\n$1');

browserTest('context_in is offered for all tools, and not set for those that have another', async () => {
  const { page, dialog, tools, open } = await openImport('Context');
  await fill(page);
  await dialog.getByText('5 of 6 operations').waitFor({ timeout: SLOW_MS });
  await dialog.getByLabel('Project and member ids').selectOption('headers');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('5 tools created, 0 changed').waitFor({ timeout: SLOW_MS });
  const contexts = async () => [...new Set((await tools()).map(({ context_in }) => context_in))];
  assert.deepEqual(await contexts(), ['headers']);
  await closePage(page);

  const again = await open();
  await fill(again.page);
  await again.dialog.getByText('1 new · 5 unchanged').waitFor({ timeout: SLOW_MS });
  await again.dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await again.page.getByText('0 tools created, 0 changed').waitFor({ timeout: SLOW_MS });
  assert.deepEqual(await contexts(), ['headers']);
  await closePage(again.page);
});

browserTest('only a tool that came from the document is shown as no longer in it', async () => {
  const { page, dialog, api } = await openImport('Leaving');
  await api('POST', '/custom-tools/import', { document });
  await api('POST', '/custom-tools', { name: 'mine', base_url: 'https://api.acme.example', endpoint_path: '/mine' });
  const { '/health': _, ...paths } = document.paths;
  await fill(page, { ...document, paths });
  const left = dialog.getByText('No longer in the document, and left unchanged:');
  await left.waitFor({ timeout: SLOW_MS });
  assert.match(await left.innerText(), /: get_health$/);
  await closePage(page);
});

const ORDER = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    avatar_url: { type: 'string', format: 'uri' },
    _links: { type: 'object', properties: { self: { type: 'string', format: 'uri' } } },
  },
};
const withResponses = {
  openapi: '3.1.0',
  servers: [{ url: 'https://api.acme.example' }],
  paths: Object.fromEntries(
    ['one', 'two'].map((name) => {
      const schema = { type: 'object', properties: { items: { type: 'array', items: ORDER } } };
      const responses = { 200: { description: 'OK', content: { 'application/json': { schema } } } };
      return [`/${name}`, { get: { operationId: name, responses } }];
    }),
  ),
};

browserTest(
  'proposed parts are dropped only where they are accepted, and show the tokens that each saves',
  async () => {
    const { page, dialog, tools } = await openImport('Drops');
    await fill(page, withResponses);
    await dialog.getByText('2 of 2 operations').waitFor({ timeout: SLOW_MS });
    const parts = dialog.getByText(/^2 parts to drop, \d+ tokens for 10 items$/);
    assert.equal(await parts.count(), 2);
    await parts.first().focus();
    await page.keyboard.press('Enter');
    await dialog
      .getByText(/^picture, \d+ tokens$/)
      .first()
      .waitFor();
    await dialog.getByRole('checkbox', { name: 'items[].avatar_url' }).check();
    await dialog.getByText('1 accepted').waitFor();
    await expectAccessible(page, 'the proposals of an import');
    await dialog.getByRole('button', { name: 'Drop all' }).click();
    await dialog.getByText('4 are dropped.').waitFor();
    await dialog.getByRole('button', { name: 'Drop none' }).click();
    await dialog.getByText('0 are dropped.').waitFor();
    await dialog.getByRole('checkbox', { name: 'items[]._links' }).check();
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('2 tools created').waitFor();
    const responses = Object.fromEntries((await tools()).map(({ name, response }) => [name, response]));
    assert.deepEqual(responses, { one: { drop: ['items[]._links'] }, two: null });
    await closePage(page);
  },
);
