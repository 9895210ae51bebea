// The list of tools, the form of one, imports and versions.

import assert from 'node:assert/strict';
import { makePerson } from '../../server/test/support/make/make-accounts.ts';
import { waitUntil } from '../../server/test/support/wait-until.ts';
import {
  browserTest,
  closePage,
  comeBack,
  confirmByName,
  expectAccessible,
  expectGone,
  startDashboard,
  waitForData,
  waitForValue,
} from './open-browser.ts';

const dashboard = await startDashboard();
const tools = `/projects/${dashboard.project_id}/custom-tools`;
const toolNames = async () => (await dashboard.api('GET', '/custom-tools?limit=100')).data.map(({ name }: any) => name);

const document = (summary: string) => ({
  openapi: '3.1.0',
  servers: [{ url: 'https://api.acme.example' }],
  paths: {
    '/orders': { get: { operationId: 'list_orders', summary }, post: { operationId: 'create_order' } },
    '/orders/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: { operationId: 'get_order' },
    },
  },
});

browserTest('the sample shop is loaded from the empty list, and not into production', async () => {
  const page = await dashboard.open(tools);
  await page.getByRole('region', { name: 'Request' }).getByText('/api/v1/custom-tools').waitFor();
  await page.getByRole('button', { name: 'Create the first tool' }).click();
  await page.getByRole('form', { name: 'Create tool' }).getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Load the sample shop' }).click();
  const table = page.getByRole('table', { name: 'Custom tools' });
  await table.getByRole('link', { name: 'find_products' }).waitFor();
  assert.deepEqual((await toolNames()).sort(), ['find_products', 'my_orders', 'place_order']);
  await closePage(page);

  const { id } = await dashboard.api('POST', '/projects', { name: 'Live', environment: 'production' });
  const live = await dashboard.open(`/projects/${id}/custom-tools`);
  const button = live.getByRole('button', { name: 'Load the sample shop' });
  await button.waitFor();
  assert.equal(await button.getAttribute('aria-disabled'), 'true');
  await closePage(live);
});

browserTest(
  'what the API refuses is said at the field with the request id, and the secret is not shown again',
  async () => {
    const page = await dashboard.open(`${tools}/new`);
    const form = page.getByRole('form', { name: 'Create tool' });
    await form.getByLabel('Name', { exact: true }).fill('find_order');
    const baseUrl = form.getByLabel('Base URL');
    await baseUrl.fill('ftp://api.acme.example');
    await form.getByText('base_url must use HTTPS').waitFor();
    // Whether plain HTTP is allowed is for the API to say.
    await baseUrl.fill('http://api.acme.example');
    await form.getByText('base_url must use HTTPS').waitFor({ state: 'detached' });
    await form.getByLabel('Endpoint path').fill('/v1/orders/{{order_id}}');
    await form.getByText('{{order_id}} is not a property of the input schema yet').waitFor();
    await form.getByLabel('Input schema').fill('{"type":"object","properties":{"order_id":{"type":"string"}}}');
    await form.getByLabel('Auth strategy').selectOption('hmac_signature');
    await form.getByRole('button', { name: 'Generate' }).click();
    const secret = await form.getByLabel('Secret', { exact: true }).inputValue();
    assert.match(secret, /^[\w-]{43}$/);
    await form.getByRole('button', { name: 'Create', exact: true }).click();

    await form
      .getByRole('alert')
      .getByText(/req_\w+/)
      .waitFor();
    const described = await baseUrl.getAttribute('aria-describedby');
    assert.match(await page.locator(`#${CSS(described?.split(' ').at(-1))}`).innerText(), /must use HTTPS/);
    await baseUrl.fill('https://api.acme.example');
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'find_order', level: 1 }).waitFor();
    await page.getByRole('tab', { name: 'Try it', selected: true }).waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Definition' }).click();
    await page.getByText('A secret is stored.').waitFor();
    assert.ok(!(await page.content()).includes(secret));
    await closePage(page);
  },
);

/** The ids of React have characters that a selector does not. */
const CSS = (id: string | undefined) => (id ?? '').replaceAll(/[^\w-]/g, (character) => `\\${character}`);

browserTest('an argument of the path that the schema does not have is added by one click', async () => {
  const page = await dashboard.open(`${tools}/new`);
  const form = page.getByRole('form', { name: 'Create tool' });
  assert.equal(await form.getByRole('button', { name: 'Form', exact: true }).getAttribute('aria-pressed'), 'true');
  await form.getByLabel('Endpoint path').fill('/v1/orders/{{id}}/lines/{{line}}?for={{member_id}}');
  await form.getByRole('button', { name: 'Add “line” to the input' }).click();
  await form.getByRole('button', { name: 'Add “id” to the input' }).click();
  assert.equal(await form.getByRole('button', { name: /to the input/ }).count(), 0, 'member_id is reserved');
  assert.equal(await form.getByLabel('Property 2: key').inputValue(), 'id');
  const schema = JSON.parse(await form.getByLabel('Input schema').inputValue());
  assert.deepEqual(schema.properties, { line: { type: 'string' }, id: { type: 'string' } });
  assert.deepEqual(schema.required, ['line', 'id']);
  await form.getByLabel('Input schema').fill('{"type":"object","properties":{"page":{"type":"integer"}}}');
  assert.equal(await form.getByLabel('Property 1: type').inputValue(), 'integer', 'the list follows the JSON');
  await closePage(page);
});

browserTest(
  'the draft of a tool outlives a reload and other pages, without its secret, until it is discarded',
  async () => {
    const page = await dashboard.open(`${tools}/new`);
    const form = page.getByRole('form', { name: 'Create tool' });
    const name = form.getByLabel('Name', { exact: true });
    assert.equal(await form.getByRole('button', { name: 'Discard draft' }).count(), 0);
    await name.fill('half_done');
    await form.getByLabel('Auth strategy').selectOption('bearer_token');
    await form.getByLabel('Secret', { exact: true }).fill('a-very-secret-token');
    await form.getByText('This browser keeps a draft').waitFor();
    page.once('dialog', (asked) => void asked.accept());
    await page.reload();
    await page.getByText('This is your draft').waitFor();
    assert.equal(await name.inputValue(), 'half_done');
    assert.equal(await form.getByLabel('Secret', { exact: true }).inputValue(), '');
    await expectGone(page, 'a-very-secret-token');
    await expectAccessible(page, 'the draft');
    await form.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await page.goto(`${dashboard.server.url}${tools}/new`);
    await page.getByText('This is your draft').waitFor();

    const asked = page.getByRole('alertdialog', { name: 'Discard the draft of this tool?' });
    await form.getByRole('button', { name: 'Discard draft' }).click();
    await asked.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await name.inputValue(), 'half_done');
    await form.getByRole('button', { name: 'Discard draft' }).click();
    await asked.getByRole('button', { name: 'Discard', exact: true }).click();
    await asked.waitFor({ state: 'detached' });
    assert.equal(await name.inputValue(), '');
    await page.reload();
    await form.waitFor();
    assert.equal(await name.inputValue(), '');
    await closePage(page);
  },
);

browserTest('the form view of the schema flags reserved names and writes the JSON', async () => {
  const page = await dashboard.open(`${tools}/new`);
  const form = page.getByRole('form', { name: 'Create tool' });
  await form.getByRole('button', { name: 'Form', exact: true }).click();
  await form.getByRole('button', { name: 'Add property' }).click();
  await form.getByLabel('Property 1: key').fill('Member_ID');
  await form.getByText('Reserved: only toolgate sets Member_ID').waitFor();
  await form.getByLabel('Property 1: key').fill('count');
  await form.getByLabel('Property 1: type').selectOption('file');
  const asFile = JSON.parse(await form.getByLabel('Input schema').inputValue()).properties.count;
  assert.deepEqual(asFile, { type: 'string', format: 'file' });
  await form.getByLabel('Property 1: type').selectOption('integer');
  await form.getByLabel('Property 1: what it is').fill('How many');
  await form.getByRole('button', { name: 'JSON', exact: true }).click();
  assert.deepEqual(JSON.parse(await form.getByLabel('Input schema').inputValue()), {
    type: 'object',
    additionalProperties: false,
    properties: { count: { type: 'integer', description: 'How many' } },
    required: ['count'],
  });
  await closePage(page);
});

browserTest('a tool is switched off at once, and on again by Undo', async () => {
  const page = await dashboard.open(tools);
  const row = page.getByRole('row').filter({ hasText: 'find_order' });
  await row.getByRole('switch', { name: 'Enabled' }).click();
  await page.getByText('“find_order” is disabled').waitFor();
  assert.equal((await dashboard.api('GET', '/custom-tools/find_order')).is_enabled, false);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('“find_order” is enabled').waitFor();
  assert.equal((await dashboard.api('GET', '/custom-tools/find_order')).is_enabled, true);
  await closePage(page);
});

browserTest(
  'an edit stays while other tabs are open, is saved as a version, and a version can be restored',
  async () => {
    const { id } = await dashboard.api('GET', '/custom-tools/find_order');
    const page = await dashboard.open(`${tools}/${id}`);
    await page.getByLabel('Description', { exact: true }).fill('Finds an order by its number.');
    await page.getByRole('tab', { name: 'Calls' }).click();
    await page.getByText('Not called yet').waitFor();
    await page.getByRole('tab', { name: 'Definition' }).click();
    await page.getByText('Changed: description').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved as version 2').waitFor();

    await page.getByRole('tab', { name: 'Versions' }).click();
    const table = page.getByRole('table', { name: 'Versions' });
    await table.getByText('description').waitFor();
    await table.getByRole('button', { name: 'Show' }).first().click();
    await page
      .getByRole('dialog', { name: 'Version 2' })
      .getByRole('region', { name: 'description of version 2' })
      .waitFor();
    await page.keyboard.press('Escape');
    await table.getByRole('button', { name: 'Restore' }).last().click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Version 1 is restored as version 3').waitFor();
    const { description, version } = await dashboard.api('GET', `/custom-tools/${id}`);
    assert.deepEqual([description, version], [null, 3]);
    await closePage(page);
  },
);

browserTest('an import makes the chosen tools, and a second one shows what it would change', async () => {
  const page = await dashboard.open(tools);
  await page.getByRole('button', { name: 'Import OpenAPI' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import OpenAPI' });
  await dialog.getByLabel('OpenAPI document').fill(JSON.stringify(document('Lists orders')));
  await dialog.getByText('3 of 3 operations').waitFor();
  await dialog.getByRole('checkbox', { name: 'create_order' }).uncheck();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('2 tools created, 0 changed').waitFor();
  const names = await toolNames();
  assert.ok(names.includes('list_orders') && names.includes('get_order') && !names.includes('create_order'));

  await page.getByRole('button', { name: 'Import OpenAPI' }).click();
  await dialog.getByLabel('OpenAPI document').fill(JSON.stringify(document('Lists all orders')));
  await dialog.getByRole('list', { name: 'What changes in list_orders' }).getByText('description').waitFor();
  await dialog.getByText('1 new · 1 changed · 1 unchanged').waitFor();
  await closePage(page);
});

browserTest('a document that is not OpenAPI is refused in the words of the API, with the request id', async () => {
  const page = await dashboard.open(`${tools}?dialog=import`);
  const dialog = page.getByRole('dialog', { name: 'Import OpenAPI' });
  await dialog.getByLabel('OpenAPI document').fill('{"openapi":"2.0"}');
  await dialog
    .getByRole('alert')
    .getByText(/req_\w+/)
    .waitFor();
  await dialog.getByRole('textbox', { name: 'OpenAPI document', description: /must be 3\.0 or 3\.1/ }).waitFor();
  await closePage(page);
});

browserTest('what destroys asks for the name, and a deleted tool is gone', async () => {
  const { id } = await dashboard.api('GET', '/custom-tools/get_order');
  const page = await dashboard.open(`${tools}/${id}`);
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('alertdialog');
  assert.ok(await dialog.getByRole('button', { name: 'Delete' }).isDisabled());
  await confirmByName(dialog, 'get_order');
  await page.getByRole('heading', { name: 'Custom tools', level: 1 }).waitFor();
  assert.ok(!(await toolNames()).includes('get_order'));
  await closePage(page);
});

browserTest('the search and the state are in the URL', async () => {
  const page = await dashboard.open(`${tools}?search=orders&is_enabled=false`);
  await waitForData(page);
  const table = page.getByRole('table', { name: 'Custom tools' });
  assert.deepEqual(await table.getByRole('link').allInnerTexts(), ['list_orders']);
  await page.getByRole('button', { name: 'Clear' }).click();
  await table.getByRole('link', { name: 'find_products' }).waitFor();
  assert.equal(new URL(page.url()).search, '');
  await closePage(page);
});

browserTest('a viewer sees tools, and why they cannot be changed', async () => {
  const viewer = await makePerson(dashboard.server, dashboard.owner, 'viewer');
  const page = await dashboard.open(tools, { as: viewer });
  await page.getByRole('link', { name: 'find_products' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Create tool' }).getAttribute('aria-disabled'), 'true');
  assert.ok(await page.getByRole('switch').first().isDisabled());
  await page.getByRole('link', { name: 'find_products' }).click();
  await page.getByText('Your role, viewer, does not have the permission').first().waitFor();
  assert.ok(await page.getByLabel('Name', { exact: true }).isDisabled());
  await closePage(page);
});

browserTest('an edit stays when somebody else changes the tool, and is not left without a question', async () => {
  const { id } = await dashboard.api('POST', '/custom-tools', {
    name: 'of_two_people',
    method: 'GET',
    base_url: 'https://api.acme.example',
    endpoint_path: '/v1/orders',
  });
  const page = await dashboard.open(`${tools}/${id}`);
  const description = page.getByLabel('Description', { exact: true });
  await description.fill('Mine');
  await dashboard.api('PATCH', `/custom-tools/${id}`, { title: 'Theirs', is_enabled: false });
  const isShown = async () => {
    await comeBack(page);
    return page.getByRole('main').getByText('disabled', { exact: true }).isVisible();
  };
  await waitUntil(isShown, 20_000, 'the tool is shown as disabled');
  await waitForValue(page.getByLabel('Title', { exact: true }), 'Theirs');
  assert.equal(await description.inputValue(), 'Mine');
  await page.getByText('Changed: description').waitFor();

  const leave = () => page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Webhooks' }).click();
  const asked = page.waitForEvent('dialog').then(async (dialog) => {
    await dialog.dismiss();
    return dialog.message();
  });
  await leave();
  assert.match(await asked, /without saving/);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(/^Saved as version/).waitFor();
  const saved = await dashboard.api('GET', `/custom-tools/${id}`);
  assert.deepEqual([saved.title, saved.description, saved.is_enabled], ['Theirs', 'Mine', false]);
  await leave();
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  await closePage(page);
});

browserTest('the provider of a tool is shown, and a wrong field under "More" is shown when it is refused', async () => {
  const provider = { provider: 'github', client_id: 'Ov23liShown', client_secret: 'a-very-secret-text' };
  const { id: oauth_provider_id } = await dashboard.api(
    'POST',
    `/projects/${dashboard.project_id}/oauth-providers`,
    provider,
  );
  const { id } = await dashboard.api('POST', '/custom-tools', {
    name: 'with_a_provider',
    method: 'GET',
    base_url: 'https://api.acme.example',
    endpoint_path: '/v1/me',
    require_member: true,
    auth_strategy: 'member_oauth',
    auth_config: { oauth_provider_id },
  });
  const page = await dashboard.open(`${tools}/${id}`);
  await page
    .getByLabel('Provider')
    .locator('option:checked', { hasText: 'Ov23liShown' })
    .waitFor({ state: 'attached' });
  const more = page.getByText('More: timeout');
  const headers = page.getByLabel('Fixed headers');
  await more.click();
  await headers.fill('no header');
  await more.click();
  await headers.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Write one header per line: Name: value').waitFor();
  await closePage(page);
});
