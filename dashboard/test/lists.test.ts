// Lists that are longer than a page: search, order, pages and export show what is there, not what happens to be loaded.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { makePerson } from '../../server/test/support/make/make-accounts.ts';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import {
  browserTest,
  chooseAction,
  closePage,
  confirmByName,
  expectAccessible,
  expectNoOverflow,
  startDashboard,
  waitForData,
} from './open-browser.ts';
import { goTo } from './turn-page.ts';

/** Not names that the compiler follows: pages have the types of a browser, tests those of Node. */
const sorting: string = '../src/ui/lists/sort.ts';
const { sortRows } = await import(sorting);
const lists: string = '../src/ui/lists/whole-list.ts';
const { pageOf } = await import(lists);

const customer = await startCustomer();
after(() => customer.close());
const dashboard = await startDashboard({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { server, owner } = dashboard;

type Project = { id: string; path: string; api(method: string, path: string, body?: unknown): Promise<any> };

/** A project of its own for each test. Paths are below it. */
async function makeProject(name: string): Promise<Project> {
  const { id } = await dashboard.api('POST', '/projects', { name });
  const api = async (method: string, path: string, body?: unknown) => {
    const headers = { 'x-project-id': id };
    const response = await owner.api(
      method,
      `/projects/${id}${path}`,
      body === undefined ? { headers } : { headers, body },
    );
    assert.ok(response.status < 300, response.text);
    return response.body;
  };
  return { id, path: `/projects/${id}`, api };
}

/** Two more than the first page has. The first is the oldest, so it is the last of the list. */
const names = ['=oldest', 'Row 10', 'Row 2', 'row 1', 'Row 3'];
const SHOWN = 3;

async function fill({ api }: Project, ...paths: ('/api-keys' | '/integrations')[]): Promise<void> {
  for (const path of paths)
    for (const name of names) await api('POST', path, { name, ...(path === '/api-keys' && { permissions: ['read'] }) });
}

/** With pages of three rows: as many as the API has of a hundred are slow to make and to draw. */
async function openShort(path: string): Promise<Page> {
  const page = await dashboard.open('/theme.js');
  await page.route(/[?&]limit=100\b/, (route) =>
    route.continue({ url: route.request().url().replace('limit=100', `limit=${SHOWN}`) }),
  );
  await goTo(page, path);
  return page;
}

const table = (page: Page, name: string) => page.getByRole('table', { name });
/** Waits until the rows are these, and are not those of the last query. */
async function expectRows(page: Page, expected: string[]): Promise<void> {
  const body = page.locator('tbody:not(.opacity-60)').first();
  const rows = expected.map((_, index) => `:has(tr:nth-child(${index + 1}) a)`).join('');
  await page.locator(`tbody:not(.opacity-60)${rows}:not(:has(tr:nth-child(${expected.length + 1})))`).waitFor();
  assert.deepEqual(await body.locator('tr td:first-child a').allTextContents(), expected);
}
const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
const pages = (page: Page) => page.getByRole('navigation', { name: 'Pages' });

async function download(page: Page, format: 'CSV' | 'JSON'): Promise<string> {
  await page.getByRole('button', { name: 'Export' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: format }).click(),
  ]);
  return readFileSync(await file.path(), 'utf8');
}

test('rows are sorted as people do it; those without a value are last either way, and equal ones keep their order', () => {
  const rows = ['key 10', 'b', null, 'Key 2', 'a'].map((name, index) => ({ name, index }));
  const sorted = (isDescending: boolean) =>
    sortRows(rows, ({ name }: { name: string | null }) => name, isDescending).map(
      ({ index }: { index: number }) => index,
    );
  assert.deepEqual(sorted(false), [4, 1, 3, 0, 2]);
  assert.deepEqual(sorted(true), [0, 3, 1, 4, 2]);
  const calls = [0, 0, 5].map((value, index) => ({ value, index }));
  const byCalls = sortRows(calls, ({ value }: { value: number }) => value, true);
  assert.deepEqual(
    byCalls.map(({ index }: { index: number }) => index),
    [2, 0, 1],
  );
});

test('rows that are all loaded have pages of a hundred, and a cursor of the API means the first', () => {
  const rows = Array.from({ length: 250 }, (_, index) => index);
  assert.deepEqual(pageOf(rows), { rows: rows.slice(0, 100), nextCursor: '100' });
  assert.deepEqual(pageOf(rows, '200'), { rows: rows.slice(200), nextCursor: null });
  assert.deepEqual(pageOf(rows, 'eyJpZCI6'), { rows: rows.slice(0, 100), nextCursor: '100' });
});

browserTest('a search finds rows of every page, and says that nothing matches only when all were read', async () => {
  const project = await makeProject('Search');
  await fill(project, '/api-keys', '/integrations');
  const page = await openShort(`${project.path}/integrations`);
  await expectRows(page, ['Row 3', 'row 1', 'Row 2']);
  await page.getByLabel('Search integrations').fill('=OLD');
  await expectRows(page, ['=oldest']);
  assert.equal(await pages(page).count(), 0);

  await goTo(page, `${project.path}/api-keys`);
  await expectRows(page, ['Row 3', 'row 1', 'Row 2']);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/api-keys\?/, async (route) => {
    await released;
    await route.fallback();
  });
  const asked = page.waitForRequest(/\/api-keys\?/);
  await page.getByLabel('Search keys').fill('=oldest');
  await asked;
  await page.locator('tbody .animate-skeleton').first().waitFor();
  assert.equal(await page.getByText('No key matches').count(), 0);
  release();
  await expectRows(page, ['=oldest']);
  await page.getByLabel('Search keys').fill('nothing like it');
  await page.getByText('No key matches').waitFor();
  await closePage(page);
});

browserTest(
  'an order goes over all pages, is in the URL, works by keyboard and ends with the third press',
  async () => {
    const project = await makeProject('Order');
    await fill(project, '/api-keys');
    const page = await openShort(`${project.path}/api-keys?sort=-nothing`);
    await expectRows(page, [...names].reverse());
    assert.equal(await page.locator('th[aria-sort]').count(), 0, 'an order that does not exist is ignored');
    const header = table(page, 'API keys').getByRole('columnheader', { name: 'Name' });
    const before = await header.locator('span').boundingBox();
    await header.getByRole('button').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/[?&]sort=name/);
    await page.locator('tbody tr:first-child').getByText('=oldest').waitFor();
    await expectRows(page, ['=oldest', 'row 1', 'Row 2', 'Row 3', 'Row 10']);
    assert.equal(await header.getAttribute('aria-sort'), 'ascending');
    assert.deepEqual(await header.locator('span').boundingBox(), before, 'the arrow had its place before');
    await expectAccessible(page, 'a sorted table');
    await page.keyboard.press('Space');
    await page.waitForURL(/[?&]sort=-name/);
    await expectRows(page, ['Row 10', 'Row 3', 'Row 2', 'row 1', '=oldest']);
    assert.equal(await header.getAttribute('aria-sort'), 'descending');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => !url.searchParams.has('sort'));
    await expectRows(page, ['Row 3', 'row 1', 'Row 2']);
    assert.equal(await header.getAttribute('aria-sort'), null);
    await closePage(page);
  },
);

browserTest('two tables of a page are sorted by one parameter, and each ignores the orders of the other', async () => {
  const { path, api } = await makeProject('Two tables');
  const secrets = { client_id: 'app', client_secret: 'secret-of-the-app' };
  for (const provider of ['github', 'google']) await api('POST', '/oauth-providers', { provider, ...secrets });
  for (const name of ['Alpha', 'Beta'])
    await api('POST', '/oauth-clients', { name, redirect_uris: ['https://app.example.com/cb'] });
  const page = await dashboard.open(`${path}/oauth?sort=client_name`);
  const first = (name: string) => table(page, name).locator('tbody tr:first-child');
  await first('Clients').getByText('Alpha').waitFor();
  await first('OAuth').getByText('Google').first().waitFor();
  assert.equal(await table(page, 'OAuth').locator('th[aria-sort]').count(), 0);
  await table(page, 'OAuth').getByRole('button', { name: 'Provider' }).click();
  await page.waitForURL(/[?&]sort=name/);
  await first('Clients').getByText('Beta').waitFor();
  await first('OAuth').getByText('GitHub').first().waitFor();
  await closePage(page);
});

browserTest('a log says that it is newest first, and cannot be sorted otherwise', async () => {
  const page = await dashboard.open(`/projects/${dashboard.project_id}/audit-log`);
  await waitForData(page);
  const when = table(page, 'Audit log').getByRole('columnheader', { name: 'When' });
  assert.equal(await when.getAttribute('aria-sort'), 'descending');
  assert.equal(await when.getAttribute('title'), 'Newest first');
  assert.equal(await table(page, 'Audit log').locator('th button').count(), 0);
  await closePage(page);
});

browserTest('deleting the last row of a page leads to the page before', async () => {
  const project = await makeProject('Delete');
  await fill(project, '/api-keys');
  const { data } = await project.api('GET', '/api-keys');
  await project.api('DELETE', `/api-keys/${data[0].id}`);
  const page = await openShort(`${project.path}/api-keys`);
  await expectRows(page, ['row 1', 'Row 2', 'Row 10']);
  await page.getByRole('button', { name: 'Next' }).click();
  await expectRows(page, ['=oldest']);
  assert.notEqual(parameter(page, 'cursor'), null);
  await chooseAction(page, '=oldest', 'Delete');
  await confirmByName(page.getByRole('alertdialog'), '=oldest');
  await page.waitForURL((url) => !url.searchParams.has('cursor'));
  await expectRows(page, ['row 1', 'Row 2', 'Row 10']);
  await pages(page).waitFor({ state: 'detached' });
  // The link of somebody else to a page that has no rows any more.
  await goTo(page, `${project.path}/api-keys?sort=name&cursor=500`);
  await page.waitForURL((url) => !url.searchParams.has('cursor'));
  await expectRows(page, ['row 1', 'Row 2', 'Row 10']);
  await closePage(page);
});

browserTest('an export has all rows that match and no secret, and a spreadsheet runs none of it', async () => {
  const project = await makeProject('Export');
  await fill(project, '/integrations', '/api-keys');
  const { id } = await project.api('POST', '/integrations', { name: 'Exported' });
  const body = { name: 'Key of the integration', permissions: ['read'] };
  const { key } = await project.api('POST', `/integrations/${id}/api-keys`, body);
  await server.api('POST', '/api/v1/mcp/session-token', { key, body: { member_external_id: 'user-1' } });
  const page = await openShort(`${project.path}/api-keys`);
  await expectRows(page, ['Key of the integration', 'Row 3', 'row 1']);
  const csv = await download(page, 'CSV');
  assert.equal(csv.trim().split('\r\n').length, 1 + names.length + 1);
  assert.ok(csv.includes(",'=oldest,"), 'a name that begins like a formula is a text');
  const json = await download(page, 'JSON');
  assert.equal(JSON.parse(json).length, names.length + 1);
  assert.ok(!csv.includes(key) && !json.includes(key));
  const exported = {
    [`${project.path}/integrations?search=exported`]: ['Exported'],
    [`${project.path}/members`]: ['user-1'],
    '/people': [owner.email],
  };
  for (const [path, texts] of Object.entries(exported)) {
    await goTo(page, path);
    await waitForData(page);
    const lines = (await download(page, 'CSV')).trim().split('\r\n');
    assert.equal(lines.length, 1 + texts.length, path);
    assert.ok(
      texts.every((text) => lines.join('\n').includes(text)),
      path,
    );
  }
  await closePage(page);
  const developer = await makePerson(server, owner, 'developer');
  const view = await dashboard.open(`${project.path}/members`, { as: developer });
  const button = view.getByRole('button', { name: 'Export' });
  await button.waitFor();
  assert.equal(await button.getAttribute('aria-disabled'), 'true', 'disabled, with the reason');
  await closePage(view);
});

browserTest('every empty list has an action, a command that works and a link to the reference', async () => {
  const { path, id } = await makeProject('Empty');
  const page = await dashboard.open('/theme.js', { width: 360 });
  for (const list of ['api-keys', 'integrations', 'oauth', 'assertion-keys', 'members']) {
    await goTo(page, `${path}/${list}`);
    await page.getByRole('heading', { name: / yet$/ }).first().waitFor();
    await waitForData(page);
    const main = page.locator('main');
    const [link] = await main.getByRole('link', { name: 'API reference' }).all();
    assert.match((await link?.getAttribute('href')) ?? '', /^\/docs\/api#api\/tag\/[a-z-]+$/, list);
    const commands = await main.getByRole('region', { name: 'Request' }).allTextContents();
    assert.ok(commands.length > 0, list);
    for (const command of commands) {
      const [, target = ''] = /\/api\/v1(\/projects\S+)/.exec(command) ?? [];
      const [, body] = /-d '(\{[^']*\})'/.exec(command) ?? [];
      if (target === '' || body === undefined) continue;
      const response = await owner.api('POST', target, { headers: { 'x-project-id': id }, body: JSON.parse(body) });
      assert.equal(response.status, 201, `${command} ${response.text}`);
    }
    await expectAccessible(page, list);
    await expectNoOverflow(page, list);
  }
  await closePage(page);
});

browserTest('an id in the palette leads to where it can be seen, also of a delivery and of an event', async () => {
  const { path, id, api } = await makeProject('Ids');
  const secrets = { client_id: 'app', client_secret: 'secret-of-the-app' };
  const provider = await api('POST', '/oauth-providers', { provider: 'github', ...secrets });
  await api('POST', '/oauth-providers', { provider: 'google', ...secrets });
  const redirect_uris = ['https://app.example.com/cb'];
  const client = await api('POST', '/oauth-clients', { name: 'Wanted client', redirect_uris });
  await api('POST', '/oauth-clients', { name: 'Other client', redirect_uris });
  const events = ['project.updated'];
  const other = await api('POST', '/webhooks', { url: `${customer.url}/other`, events });
  await api('POST', `/webhooks/${other.id}/ping`);
  const webhook = await api('POST', '/webhooks', { url: `${customer.url}/wanted`, events });
  const delivery = await api('POST', `/webhooks/${webhook.id}/ping`);
  const page = await dashboard.open(`${path}/settings`);
  await waitForData(page);
  const open = async (text: string, what: string) => {
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    await palette.locator('input').fill(text);
    await palette.getByRole('option', { name: `Open ${what}` }).waitFor();
    await page.keyboard.press('Enter');
    await palette.waitFor({ state: 'detached' });
  };
  const shown = (name: string) => table(page, name).locator('tbody tr');
  await open(provider.id, 'OAuth provider');
  await shown('OAuth').getByText('GitHub').first().waitFor();
  assert.equal(await shown('OAuth').count(), 1);
  await open(client.id, 'OAuth client');
  await shown('Clients').getByText('Wanted client').waitFor();
  assert.equal(await shown('Clients').count(), 1);
  for (const [text, what] of [
    [delivery.event_id, 'event'],
    [delivery.id, 'delivery'],
  ]) {
    await open(text, what);
    await page.waitForURL(new RegExp(`/webhooks\\?search=${text}`));
    const link = shown('Webhooks').getByRole('link', { name: '/wanted' });
    await link.waitFor();
    assert.equal(await shown('Webhooks').count(), 1, what);
    await link.click();
    if (what === 'delivery') await page.getByRole('dialog', { name: 'ping' }).waitFor();
    else await shown('Deliveries').getByText(text).waitFor();
  }
  await page.keyboard.press('Escape');
  await open(`akey_${id.slice(4)}`, 'assertion key');
  await page.waitForURL(/\/assertion-keys\?search=akey_/);
  await closePage(page);
});
