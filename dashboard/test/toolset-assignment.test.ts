// Which tools a key, an integration, a client and a provider see: chosen in their forms, shown in their lists, and previewed.

import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { makePerson } from '../../server/test/support/make/make-accounts.ts';
import { addAccessSamples, addMember } from './access-samples.ts';
import {
  browserTest,
  chooseAction,
  closePage,
  expectAccessible,
  expectNoOverflow,
  startDashboard,
  waitForData,
} from './open-browser.ts';
import { addToolsets } from './toolset-samples.ts';
import { goTo } from './turn-page.ts';

const dashboard = await startDashboard();
const { api, project_id } = dashboard;
const project = `/projects/${project_id}`;
const samples = await addAccessSamples(dashboard);
const { tools, toolsets } = await addToolsets(dashboard);
const find = async (path: string, name: string) =>
  (await api('GET', `${project}/${path}?limit=100`)).data.find((each: { name: string }) => each.name === name);

async function chooseOnly(dialog: Locator, ...names: string[]): Promise<void> {
  await dialog.getByRole('radio', { name: 'Only these toolsets' }).check();
  await dialog.getByRole('status').getByText('No tools. No toolset is chosen').waitFor();
  for (const name of names) await dialog.getByRole('checkbox', { name }).check();
  if (names.length > 0) await dialog.getByRole('status').waitFor({ state: 'detached' });
}

browserTest('a key sees all tools unless toolsets are chosen, and an empty choice is called "No tools"', async () => {
  const page = await dashboard.open(`${project}/api-keys?dialog=create`);
  const dialog = page.getByRole('dialog', { name: 'Create API key' });
  assert.ok(await dialog.getByRole('radio', { name: 'All tools' }).isChecked());
  await dialog.getByLabel('Name').fill('Narrow');
  await chooseOnly(dialog, 'Customers');
  // What was chosen is not lost by a look at the other choice.
  await dialog.getByRole('radio', { name: 'All tools' }).check();
  await dialog.getByRole('radio', { name: 'Only these toolsets' }).check();
  assert.ok(await dialog.getByRole('checkbox', { name: 'Customers' }).isChecked());
  await expectAccessible(page, 'the picker');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByRole('row', { name: /Narrow Customers · Project/ }).waitFor();
  const { id, toolset_ids } = await find('api-keys', 'Narrow');
  assert.deepEqual(toolset_ids, [toolsets.customers.id]);

  await chooseAction(page, 'Narrow', 'Choose tools');
  const tools = page.getByRole('dialog', { name: 'Tools of “Narrow”' });
  await tools.getByRole('checkbox', { name: 'Customers' }).uncheck();
  await tools.getByText('No tools.').waitFor();
  await page.setViewportSize({ width: 375, height: 700 });
  await expectNoOverflow(page, 'the picker');
  await expectAccessible(page, 'no tools');
  await page.setViewportSize({ width: 1280, height: 800 });
  await tools.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /Narrow No tools · Project/ }).waitFor();
  assert.deepEqual((await api('GET', `${project}/api-keys/${id}`)).toolset_ids, []);
  await closePage(page);
});

browserTest(
  'an integration, a client and a provider take toolsets in their forms, and their lists show them',
  async () => {
    const page = await dashboard.open(`${project}/integrations`);
    await waitForData(page);
    await chooseAction(page, 'Support desk', 'Edit');
    const dialog = page.getByRole('dialog');
    await chooseOnly(dialog, 'Support staff');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('row', { name: /Support desk/ })
      .getByText('Support staff')
      .waitFor();
    assert.deepEqual((await find('integrations', 'Support desk')).toolset_ids, [toolsets.support.id]);

    await goTo(page, `${project}/oauth`);
    await waitForData(page);
    await chooseAction(page, 'Web shop', 'Edit');
    await chooseOnly(dialog, 'Customers', 'Everyone');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('row', { name: /Web shop/ })
      .getByText('Customers')
      .waitFor();
    const { customers, everyone } = toolsets;
    assert.deepEqual((await find('oauth-clients', 'Web shop')).toolset_ids, [customers.id, everyone.id]);

    await chooseAction(page, 'Google', 'Edit');
    await dialog.getByText('More options').click();
    await chooseOnly(dialog);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('row', { name: /Google/ })
      .getByText('No tools')
      .waitFor();
    assert.deepEqual((await find('oauth-providers', 'Google')).toolset_ids, []);
    await closePage(page);
  },
);

browserTest(
  '"Preview as" says for each hidden tool what hides it, and leads to the place that decides it',
  async () => {
    const key = await api('POST', `${project}/api-keys`, {
      ...{ name: 'Website', permissions: ['read'], toolset_ids: [toolsets.everyone.id] },
    });
    await api('PATCH', `/custom-tools/${tools.opening_hours}`, { is_enabled: false });
    await api('PATCH', `/custom-tools/${tools.find_product}`, { require_member: true });
    const page = await dashboard.open(`${project}/api-keys/${key.id}`);
    await page.getByRole('link', { name: 'Preview its tools' }).click();
    await page.getByText('Sees 1 of 7 tools').waitFor();
    const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) });
    await row('get_order').getByText('Seen').waitFor();
    await row('get_order').getByRole('link', { name: 'Customers' }).waitFor();
    await row('opening_hours').getByText('The tool is disabled.').waitFor();
    await row('find_product').getByText("It acts for a member, so an API key alone can't call it.").waitFor();
    await row('refund_order').getByText("The API key's toolsets don't include it.").waitFor();
    await page.setViewportSize({ width: 375, height: 800 });
    await expectNoOverflow(page, 'a preview');
    await expectAccessible(page, 'a preview');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByLabel('State').selectOption('false');
    await row('get_order').waitFor({ state: 'detached' });

    await page.getByRole('combobox', { name: 'Preview as' }).selectOption('member_id');
    await page.getByText('Choose a caller to preview').waitFor();
    await api('PATCH', `${project}/settings`, { member_access: { default: ['customers'], rules: [] } });
    // Rules are applied when a session begins.
    await addMember(dashboard, samples.key, samples.member.external_id);
    await page.getByRole('combobox', { name: 'Member' }).selectOption({ label: samples.member.external_id });
    await row('refund_order').getByText('The rules for members give no toolset that includes it.').waitFor();
    assert.match(
      (await row('refund_order').getByRole('link', { name: 'Change the rules' }).getAttribute('href')) ?? '',
      /settings#member-access$/,
    );

    await page.getByRole('combobox', { name: 'Preview as' }).selectOption('oauth_client_id');
    await page.getByLabel('OAuth client').selectOption({ label: 'Web shop' });
    await page
      .getByRole('row', { name: /The OAuth client's toolsets don't include it/ })
      .first()
      .getByRole('link', { name: 'Change the client' })
      .click();
    await page.getByRole('heading', { name: 'OAuth', level: 1 }).waitFor();
    const clients = page.getByRole('table', { name: 'Clients' });
    await clients.getByText('Web shop').waitFor();
    assert.equal(await clients.getByRole('row').count(), 2, 'the head and the client');
    await closePage(page);
  },
);

browserTest('who may not read keys previews one by its id', async () => {
  const viewer = await makePerson(dashboard.server, dashboard.owner, 'viewer');
  const { id } = await find('api-keys', 'Website');
  const page = await dashboard.open(`${project}/toolsets?tab=preview`, { as: viewer });
  await page.getByLabel('Id of the API key').fill(id);
  await page.keyboard.press('Enter');
  await page.getByText('Sees 1 of 7 tools').waitFor();
  await page.getByLabel('Id of the API key').fill('key_unknown');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('Not found').waitFor();
  await closePage(page);
});
