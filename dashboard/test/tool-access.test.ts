// Who sees a tool: on its page, and by the rules for members in Settings. And a tool is duplicated.

import assert from 'node:assert/strict';
import {
  browserTest,
  chooseAction,
  closePage,
  comeBack,
  expectAccessible,
  expectNoOverflow,
  startDashboard,
  waitForData,
} from './open-browser.ts';
import { addToolsets } from './toolset-samples.ts';

const dashboard = await startDashboard();
const { api, project_id } = dashboard;
const project = `/projects/${project_id}`;
const { tools, toolsets } = await addToolsets(dashboard);
const memberAccess = async () => (await api('GET', project)).settings.member_access;

browserTest('the page of a tool says who sees it and why, and a tag that is added puts it into a toolset', async () => {
  const keys = `${project}/api-keys`;
  await api('POST', keys, { name: 'Backend', permissions: ['read'] });
  await api('POST', keys, { name: 'Helpdesk bot', permissions: ['read'], toolset_ids: [toolsets.support.id] });
  const page = await dashboard.open(`${project}/custom-tools/${tools.delete_product}?tab=access`);
  await page.getByText('In no toolset').waitFor();
  await page.getByRole('list', { name: 'Sees every tool' }).getByRole('link', { name: 'Backend' }).waitFor();
  await page.getByLabel('Tags', { exact: true }).fill('orders');
  await page.keyboard.press('Enter');
  await page.getByText('The tags are now catalogue, orders').waitFor();
  const list = page.getByRole('list', { name: 'Toolsets that contain it' });
  const support = list.getByRole('listitem').filter({ hasText: 'Support staff' });
  await support.getByText('by the tag orders').waitFor();
  await support.getByRole('link', { name: 'Helpdesk bot' }).waitFor();
  await list.getByText('left out: the toolset includes only read-only tools').waitFor();
  await expectAccessible(page, 'who sees it');
  await page.setViewportSize({ width: 375, height: 800 });
  await expectNoOverflow(page, 'who sees it');
  await expectAccessible(page, 'who sees it at 375 px');
  await page.getByRole('button', { name: 'Remove orders' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('In no toolset').waitFor();
  assert.deepEqual((await api('GET', `/custom-tools/${tools.delete_product}`)).tags, ['catalogue']);
  await closePage(page);
});

browserTest('a tool is duplicated under another name, and its page opens', async () => {
  const page = await dashboard.open(`${project}/custom-tools`);
  await waitForData(page);
  await chooseAction(page, 'get_order', 'Duplicate');
  const dialog = page.getByRole('dialog', { name: 'Duplicate “get_order”' });
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'get_order_copy');
  await dialog.getByLabel('Name').fill('list_orders');
  await dialog.getByRole('button', { name: 'Duplicate' }).click();
  await dialog.getByRole('alert').getByText('Name already exists for this project').waitFor();
  await dialog.getByLabel('Name').fill('my_order');
  await dialog.getByRole('button', { name: 'Duplicate' }).click();
  await page.getByRole('heading', { name: 'my_order', level: 1 }).waitFor();
  const { tags, is_enabled } = await api('GET', '/custom-tools/my_order');
  assert.deepEqual([tags, is_enabled], [['orders'], false]);
  await closePage(page);
});

browserTest(
  'rules for members are tried with claims before they are saved, and saved as the API wants them',
  async () => {
    const page = await dashboard.open(`${project}/settings#member-access`);
    await waitForData(page);
    const outcome = page.getByRole('status', { name: 'Outcome' });
    await page.getByLabel('Try the rules').fill('{ "groups": ["staff", "support"], "level": 3 }');
    await outcome.getByText('This member sees all tools.').waitFor();
    await page.getByRole('button', { name: 'Add rule' }).click();
    const rule = page.getByRole('region', { name: 'Rule 1' });
    await outcome.getByText('This member sees no tools.').waitFor();
    await page.getByRole('radio', { name: 'Only the toolsets that rules give' }).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Rule 1: enter the name of a claim').waitFor();
    await rule.getByLabel('Claim').fill('groups');
    await rule.getByLabel('Value').fill('support');
    await rule.getByRole('checkbox', { name: 'Support staff' }).check();
    await page
      .getByRole('list', { name: 'Toolsets of this member' })
      .getByRole('link', { name: 'Support staff' })
      .waitFor();
    await outcome.getByText('Matching: rule 1.').waitFor();

    await page.getByRole('button', { name: 'Add rule' }).click();
    const second = page.getByRole('region', { name: 'Rule 2' });
    await second.getByLabel('Claim').fill('level');
    await second.getByLabel('Value').fill('3');
    await second.getByRole('checkbox', { name: 'Everyone' }).check();
    await outcome.getByText('Matching: rule 1.').waitFor();
    await second.getByLabel('Is, or contains').selectOption('number');
    await outcome.getByText('Matching: rule 1, rule 2.').waitFor();
    await page.getByRole('radio', { name: 'Only these toolsets' }).check();
    await page.getByText('No tools. No toolset is chosen').waitFor();
    await page.getByRole('group', { name: 'Every member sees' }).getByRole('checkbox', { name: 'Customers' }).check();
    await expectAccessible(page, 'rules for members');
    await page.setViewportSize({ width: 375, height: 800 });
    await expectNoOverflow(page, 'rules for members');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByLabel('Try the rules').fill('["support"]');
    await page.getByText('Claims are an object').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Settings saved').waitFor();
    assert.deepEqual(await memberAccess(), {
      default: ['customers'],
      rules: [
        { claim: 'groups', equals: 'support', toolsets: ['support'] },
        { claim: 'level', equals: 3, toolsets: ['everyone'] },
      ],
    });

    // Somebody else removes a rule while another setting is edited here: neither is lost.
    await page.getByLabel('MCP server name').fill('Shop');
    const theirs = { default: ['customers'], rules: [] };
    await api('PATCH', `${project}/settings`, { member_access: theirs });
    await comeBack(page);
    await rule.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
    assert.deepEqual(await memberAccess(), theirs);
    await closePage(page);
  },
);

browserTest('the audit log names toolsets, and says what null and an empty list mean', async () => {
  const key = await api('POST', `${project}/api-keys`, { name: 'Audited', permissions: ['read'] });
  const change = (toolset_ids: string[]) => api('PATCH', `${project}/api-keys/${key.id}`, { toolset_ids });
  await change([toolsets.support.id]);
  await change([]);
  const page = await dashboard.open(`${project}/audit-log?action=api_key.updated&target=${key.id}`);
  const table = page.getByRole('table', { name: 'Audit log' });
  await table
    .getByRole('link', { name: /api_key.updated/ })
    .first()
    .click();
  const changes = page.getByRole('table', { name: 'Changes' });
  await changes.getByText('No tools').waitFor();
  await changes.getByText('Support staff').waitFor();
  await closePage(page);
});
