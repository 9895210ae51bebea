// Toolsets: the list, the dialog that creates one, the editor, and how one is deleted.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { makePerson } from '../../server/test/support/make/make-accounts.ts';
import {
  browserTest,
  closePage,
  comeBack,
  confirmByName,
  expectAccessible,
  expectScreen,
  startDashboard,
  waitForData,
} from './open-browser.ts';
import { addToolsets } from './toolset-samples.ts';
import { goTo } from './turn-page.ts';

const dashboard = await startDashboard();
const { api, project_id } = dashboard;
const project = `/projects/${project_id}`;
const { tools, toolsets } = await addToolsets(dashboard);
const pageOf = ({ id }: { id: string }) => `${project}/toolsets/${id}`;
const read = ({ id }: { id: string }) => api('GET', `${project}/toolsets/${id}`);
const create = (slug: string, body: object = {}) =>
  api('POST', `${project}/toolsets`, { name: `Set ${slug}`, slug, ...body });
const pick = (page: Page, name: string) => page.getByRole('checkbox', { name: `Pick ${name}`, exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });

async function expectFits(page: Page, what: string): Promise<void> {
  await expectScreen(page, what);
  await page.setViewportSize({ width: 375, height: 800 });
  await expectAccessible(page, `${what} in dark at 375 px`);
  await page.setViewportSize({ width: 1280, height: 800 });
}

browserTest('the list says for each toolset how many tools it has, how it is given out, and who uses it', async () => {
  const { everyone } = toolsets;
  const key = await api('POST', `${project}/api-keys`, {
    ...{ name: 'Website', permissions: ['read'], toolset_ids: [everyone.id] },
  });
  const page = await dashboard.open(`${project}/toolsets`);
  await waitForData(page);
  const table = page.getByRole('table', { name: 'Toolsets' });
  const cells = async (name: string) => (await table.getByRole('row', { name }).innerText()).replace(/\s+/g, ' ');
  await table.getByText('Website').waitFor();
  assert.match(await cells('Everyone'), /everyone 3 Not by OAuth Searched 1 pinned tool Website API key/);
  assert.match(await cells('Customers'), /customers 2 With sign-in Listed Nobody yet/);
  await expectFits(page, 'the list');
  await page.getByLabel('Search toolsets').fill('refund');
  await page.getByText('No toolset matches').waitFor();
  await closePage(page);
  await api('DELETE', `${project}/api-keys/${key.id}`);
});

browserTest('a toolset is created by keyboard, with a slug from its name, and its tools are picked next', async () => {
  const page = await dashboard.open(`${project}/toolsets`);
  await waitForData(page);
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: 'Create toolset' });
  await dialog.getByLabel('Name').fill('Night shift');
  assert.equal(await dialog.getByLabel('Slug').inputValue(), 'night-shift');
  await dialog.getByLabel('Slug').fill('support');
  await dialog.getByLabel('Name').fill('Night shifts');
  assert.equal(await dialog.getByLabel('Slug').inputValue(), 'support', 'a slug of its own stays');
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').getByText('Slug is already in use').waitFor();
  await dialog.getByLabel('Slug').fill('nights');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Night shifts', level: 1 }).waitFor();
  await row(page, 'refund_order').waitFor();
  await pick(page, 'refund_order').focus();
  await page.keyboard.press('Space');
  await page.getByText('1 tool', { exact: true }).waitFor();
  await save(page).focus();
  await page.keyboard.press('Enter');
  await page.getByText('“Night shifts” saved').waitFor();
  const [created] = (await api('GET', `${project}/toolsets`)).data;
  assert.deepEqual([created.slug, created.tool_ids], ['nights', [tools.refund_order]]);
  await closePage(page);
});

browserTest('tools are found by words, tag, method and hints, and all that match are picked at once', async () => {
  const toolset = await create('filters', { tags: ['money'] });
  const page = await dashboard.open(pageOf(toolset));
  const table = page.getByRole('table', { name: 'Tools' });
  const shown = async (total: number) => {
    await page.getByRole('button', { name: `Pick all ${total} matching` }).waitFor();
    return (await table.getByRole('checkbox').all()).length;
  };
  assert.equal(await shown(6), 6);
  await row(page, 'refund_order.*by tag money').waitFor();
  await page.getByLabel('Hints').selectOption('read_only');
  assert.equal(await shown(4), 4);
  await page.getByLabel('Tag', { exact: true }).selectOption('orders');
  assert.equal(await shown(2), 2);
  await page.getByRole('button', { name: 'Pick all 2 matching' }).click();
  await page.getByText('3 tools', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByLabel('Method').selectOption('DELETE');
  assert.equal(await shown(1), 1);
  await page.getByLabel('Method').selectOption('');
  await page.getByLabel('Search tools').fill('order');
  assert.equal(await shown(3), 3);
  // Enter in the search sends no form.
  await page.getByLabel('Search tools').press('Enter');
  await page.getByLabel('Search tools').fill('');
  await page.getByLabel('In the toolset', { exact: true }).selectOption('yes');
  assert.equal(await shown(3), 3);
  await page.getByLabel('Only read-only tools').check();
  await page.getByText('2 tools', { exact: true }).waitFor();
  await page.getByText(/The list costs a model about \d+ tokens/).waitFor();
  await save(page).click();
  await page.getByText('“Set filters” saved').waitFor();
  const saved = await read(toolset);
  assert.deepEqual(
    [saved.tool_ids.toSorted(), saved.only, saved.tool_count],
    [[tools.get_order, tools.list_orders].toSorted(), 'read_only', 2],
  );
  await closePage(page);
});

browserTest('tags, OAuth and what a model gets are chosen, and only what changed is sent', async () => {
  const toolset = await create('offer', { tool_ids: [tools.opening_hours], description: 'For everybody' });
  const page = await dashboard.open(pageOf(toolset));
  await row(page, 'opening_hours').waitFor();
  await page.getByLabel('Tags', { exact: true }).fill('Not a tag');
  await page.keyboard.press('Enter');
  await page.getByText(/A tag must be 1 to 40 lowercase letters/).waitFor();
  await page.getByLabel('Tags', { exact: true }).fill('orders');
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Tags: chosen' }).getByText('orders').waitFor();
  await page.getByRole('radio', { name: 'On request' }).check();
  await page.getByText('tools:offer').waitFor();
  await page.getByRole('radio', { name: 'Search' }).check();
  await page.getByLabel('Pinned tools').fill('find_product');
  await page.keyboard.press('Enter');
  await page.getByText('“find_product” is not in the toolset').waitFor();
  await page.getByLabel('Pinned tools').fill('opening_hours');
  await page.keyboard.press('Enter');
  await page.getByText(/Pinned tools cost a model about \d+ tokens/).waitFor();
  await expectFits(page, 'the editor');
  const sent = page.waitForRequest((request) => request.method() === 'PATCH');
  await save(page).click();
  assert.deepEqual((await sent).postDataJSON(), {
    tags: ['orders'],
    grant: 'on_request',
    exposure: 'search',
    pinned_tool_ids: [tools.opening_hours],
  });
  await page.getByText('“Set offer” saved').waitFor();
  await closePage(page);
});

browserTest('of two people who edit a toolset at once, neither loses a change', async () => {
  const toolset = await create('shared', { tool_ids: [tools.get_order] });
  const page = await dashboard.open(pageOf(toolset));
  await row(page, 'find_product').waitFor();
  await pick(page, 'find_product').check();
  await page.getByLabel('Name', { exact: true }).fill('Mine');
  // Saved by somebody else before the page has read it again.
  await api('PATCH', pageOf(toolset), { tool_ids: [tools.list_orders], name: 'Theirs', grant: 'baseline' });
  await save(page).click();
  const notice = page.getByRole('alert', { name: 'Changed meanwhile' });
  await notice.getByText('Name: they saved “Theirs”').waitFor();
  assert.equal((await read(toolset)).name, 'Theirs', 'nothing is replaced that the person has not seen');
  assert.ok(await page.getByRole('radio', { name: 'With sign-in' }).isChecked());
  await expectAccessible(page, 'a conflict');
  await save(page).click();
  await page.getByText('“Mine” saved').waitFor();
  const { name, tool_ids, grant } = await read(toolset);
  assert.deepEqual(
    [name, grant, tool_ids.toSorted()],
    ['Mine', 'baseline', [tools.list_orders, tools.find_product].toSorted()],
  );

  await page.getByLabel('Name', { exact: true }).fill('Mine again');
  await api('PATCH', pageOf(toolset), { name: 'Theirs again', description: 'By them' });
  await comeBack(page);
  await notice.getByRole('button', { name: 'Use theirs' }).click();
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Theirs again');
  assert.equal(await page.getByLabel('Description').inputValue(), 'By them');
  assert.equal(await page.getByRole('region', { name: 'Unsaved changes' }).count(), 0);
  await closePage(page);
});

browserTest('a toolset that is in use names what uses it, and is deleted when it is detached everywhere', async () => {
  const toolset = await create('used');
  const uses = { toolset_ids: [toolset.id] };
  const key = await api('POST', `${project}/api-keys`, { name: 'Night key', permissions: ['read'], ...uses });
  await api('POST', `${project}/integrations`, { name: 'Helpdesk', ...uses });
  await api('PATCH', `${project}/settings`, { member_access: { default: ['used'], rules: [] } });
  const page = await dashboard.open(pageOf(toolset));
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('alertdialog');
  const list = dialog.getByRole('list', { name: 'Assigned to' });
  for (const name of ['Night key', 'Helpdesk', 'Rules for members']) await list.getByRole('link', { name }).waitFor();
  assert.ok((await list.getByRole('link', { name: 'Night key' }).getAttribute('href'))?.endsWith(key.id));
  await confirmByName(dialog, 'Set used');
  await dialog.getByRole('alert').getByText('Toolset is assigned').waitFor();
  await expectAccessible(page, 'a refused deletion');
  await dialog.getByRole('checkbox', { name: 'Remove it everywhere' }).check();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Toolsets', level: 1 }).waitFor();
  await page.getByText('“Set used” deleted').waitFor();
  assert.deepEqual(
    (await api('GET', `${project}/api-keys/${key.id}`)).toolset_ids,
    [],
    'it sees no tool, not every tool',
  );
  await api('PATCH', `${project}/settings`, { member_access: { default: null, rules: [] } });
  await closePage(page);
});

browserTest('a viewer reads a toolset and filters its tools, and changes nothing', async () => {
  const viewer = await makePerson(dashboard.server, dashboard.owner, 'viewer');
  const page = await dashboard.open(pageOf(toolsets.support), { as: viewer });
  await row(page, 'refund_order').waitFor();
  assert.ok(await pick(page, 'get_order').isDisabled());
  assert.ok(await page.getByRole('radio', { name: 'Search' }).isDisabled());
  await page.getByLabel('Search tools').fill('refund');
  await page.getByRole('button', { name: 'Pick all 1 matching' }).waitFor();
  await page.getByText("API keys are not listed, because your role can't see them.").waitFor();
  await closePage(page);
});

browserTest('an empty project explains what toolsets are for, and the palette finds one by its name', async () => {
  const empty = (await dashboard.owner.api('POST', '/projects', { body: { name: 'Empty' } })).body;
  const page = await dashboard.open(`/projects/${empty.id}/toolsets`);
  await page.getByText('No toolsets yet').waitFor();
  await page.getByText('customers only read their orders').waitFor();
  await expectFits(page, 'no toolsets');
  await goTo(page, project);
  await waitForData(page);
  await page.keyboard.press('Control+k');
  // What is typed before the palette has the focus goes to the page.
  await page.getByRole('dialog', { name: 'Command palette' }).locator('input').fill('Support st');
  await page.getByRole('option', { name: /Support staff/ }).click();
  await page.getByRole('heading', { name: 'Support staff', level: 1 }).waitFor();
  await closePage(page);
});
