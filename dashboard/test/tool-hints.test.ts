// Hints of tools, fixed arguments and the weight: in the form of a tool, and hints of many tools at once.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { browserTest, closePage, expectAccessible, expectScreen, startDashboard, waitForData } from './open-browser.ts';

const dashboard = await startDashboard();
const tools = `/projects/${dashboard.project_id}/custom-tools`;
const PROPERTIES = { locale: { type: 'string', maxLength: 2 }, q: { type: 'string' } };

const create = async (name: string, fields: object = {}) =>
  dashboard.api('POST', '/custom-tools', {
    name,
    method: 'GET',
    base_url: 'https://api.acme.example',
    endpoint_path: `/${name}`,
    input_schema: { type: 'object', properties: PROPERTIES, required: ['locale'] },
    ...fields,
  });
const read = (id: string) => dashboard.api('GET', `/custom-tools/${id}`);
const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page
    .getByText(/^Saved/)
    .first()
    .waitFor();
};

browserTest('hints that are derived are marked with the method, and one click confirms them', async () => {
  const { id } = await create('derived_hints');
  const page = await dashboard.open(`${tools}/${id}`);
  const confirm = page.getByRole('button', { name: 'Confirm 4 hints' });
  await confirm.waitFor();
  assert.equal(await page.getByText('derived from GET – confirm').count(), 4);
  assert.match(await page.getByLabel('Read only').innerText(), /Derived from GET: yes/);
  await page.getByLabel('Method').selectOption('DELETE');
  assert.equal(await page.getByText('derived from DELETE – confirm').count(), 4, 'the form follows the method');
  assert.match(await page.getByLabel('Read only').innerText(), /Derived from DELETE: no/);
  assert.equal(await confirm.getAttribute('aria-disabled'), 'true', 'the method is not saved');
  await page.getByLabel('Method').selectOption('GET');
  await confirm.focus();
  await page.keyboard.press('Enter');
  await page.getByText('Hints of “derived_hints” confirmed').waitFor();
  await confirm.waitFor({ state: 'detached' });
  const { annotations, derived_annotations } = await read(id);
  assert.deepEqual(derived_annotations, []);
  assert.deepEqual(annotations, {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  });
  assert.equal(await page.getByLabel('Read only').inputValue(), 'true');
  await closePage(page);
});

browserTest(
  'a tool that is read only and destructive is explained and not saved; a hint can be derived again',
  async () => {
    const { id } = await create('conflict', { annotations: { title: 'Kept', idempotentHint: false } });
    const page = await dashboard.open(`${tools}/${id}`);
    await page.getByLabel('Read only').selectOption('true');
    await page.getByLabel('Destructive').selectOption('true');
    await page.getByText("A tool can't be both read-only and destructive").waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('A tool that is read only cannot be destructive').waitFor();
    assert.equal(await page.getByLabel('Destructive').getAttribute('aria-invalid'), 'true');
    await expectAccessible(page, 'the conflict');
    await page.getByLabel('Destructive').selectOption('');
    await page.getByLabel('Idempotent').selectOption('');
    await save(page);
    const { annotations, derived_annotations } = await read(id);
    assert.deepEqual(annotations, { title: 'Kept', readOnlyHint: true });
    assert.deepEqual(derived_annotations, ['destructiveHint', 'idempotentHint', 'openWorldHint']);
    await closePage(page);
  },
);

browserTest('all hints of the list are confirmed with one request of the person, those of a filter alone', async () => {
  const one = await create('bulk_one', { tags: ['shown'] });
  const other = await create('bulk_other', { is_enabled: false });
  const page = await dashboard.open(`${tools}?tag=shown`);
  await waitForData(page);
  const dialog = page.getByRole('alertdialog', { name: 'Confirm the hints of all tools that match the filters?' });
  await page.getByRole('button', { name: 'Confirm all hints' }).click();
  await dialog.getByText('1 tool on this page has hints that are derived').waitFor();
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
  await page.getByText('1 tool confirmed').waitFor();
  assert.deepEqual((await read(one.id)).derived_annotations, []);
  assert.equal((await read(other.id)).derived_annotations.length, 4);

  await page.getByLabel('Tag').selectOption('');
  await page.getByRole('link', { name: 'bulk_other' }).waitFor();
  await page.getByRole('button', { name: 'Confirm all hints' }).click();
  await page
    .getByRole('alertdialog', { name: 'Confirm the hints of all tools of the project?' })
    .getByRole('button', { name: 'Confirm', exact: true })
    .click();
  await page.getByRole('button', { name: 'Confirm all hints', disabled: true }).waitFor();
  const { data } = await dashboard.api('GET', '/custom-tools?limit=100');
  for (const { name, derived_annotations } of data) assert.deepEqual(derived_annotations, [], name);
  await closePage(page);
});

browserTest(
  'a fixed argument that its schema refuses is said at its row; saved, it is not asked for in Try it',
  async () => {
    const { id } = await create('fixed');
    const page = await dashboard.open(`${tools}/${id}`);
    await page.getByRole('button', { name: 'Add fixed argument' }).click();
    await page.getByLabel('Fixed argument 1: name').fill('locale');
    const value = page.getByLabel('Fixed argument 1: value as JSON');
    await value.fill('en');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('This is not JSON').waitFor();
    await value.fill('"english"');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByRole('alert')
      .getByText(/req_\w+/)
      .waitFor();
    assert.equal(await value.getAttribute('aria-invalid'), 'true');
    const described = (await value.getAttribute('aria-describedby')) ?? '';
    assert.match(await page.locator(`[id="${described}"]`).innerText(), /2/);
    await value.fill('"en"');
    await page.getByText('More: timeout').click();
    await page.getByLabel('Weight').fill('7');
    await save(page);
    const { fixed_arguments, weight } = await read(id);
    assert.deepEqual([fixed_arguments, weight], [{ locale: 'en' }, 7]);

    await page.reload();
    await page.getByRole('tab', { name: 'Try it' }).click();
    await page.getByLabel('q', { exact: true }).waitFor();
    assert.equal(await page.getByLabel('locale', { exact: true }).count(), 0);
    assert.deepEqual(JSON.parse(await page.getByLabel('Arguments').inputValue()), {});
    await closePage(page);
  },
);

browserTest('the definition with hints and fixed arguments: no violation, and no wider than a phone', async () => {
  const { id } = await create('screen', { fixed_arguments: { locale: 'en', ['x'.repeat(60)]: { deep: ['value'] } } });
  const page = await dashboard.open(`${tools}/${id}`);
  await page.getByRole('button', { name: 'Confirm 4 hints' }).waitFor();
  await expectScreen(page, 'the definition');
  await closePage(page);
});
