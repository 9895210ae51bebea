// The page "Limits": what each counts, who is nearest to it, and how it is created, changed and deleted.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import { makePerson } from '../../server/test/support/make/make-accounts.ts';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import {
  browserTest,
  chooseAction,
  closePage,
  confirmByName,
  expectAccessible,
  expectScreen,
  startDashboard,
  waitForData,
} from './open-browser.ts';
import { goTo } from './turn-page.ts';

const customer = await startCustomer();
after(() => customer.close());
const dashboard = await startDashboard({ TOOLGATE_EGRESS_ALLOW: customer.address });
const base = `/projects/${dashboard.project_id}`;
const limits = async () => (await dashboard.api('GET', `${base}/limits`)).data as any[];
const makeTool = (name: string, fields: object = {}) =>
  dashboard.api('POST', '/custom-tools', {
    name,
    method: 'GET',
    base_url: customer.url,
    endpoint_path: `/${name}`,
    ...fields,
  });
const makeLimit = (name: string, fields: object = {}) =>
  dashboard.api('POST', `${base}/limits`, { name, per: 'api_key', limit: 4, window_seconds: 3600, ...fields });

const find = await makeTool('find_order', { tags: ['orders'] });
const other = await makeTool('other_tool', { weight: 3 });
const toolset = await dashboard.api('POST', `${base}/toolsets`, {
  name: 'Support staff',
  slug: 'support',
  tool_ids: [find.id],
});

browserTest('a limit is created for chosen tools, edited by what changed alone, and deleted by its name', async () => {
  const page = await dashboard.open(`${base}/limits`);
  await page.getByText('No limits yet').waitFor();
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: 'Create limit' });
  await dialog.getByLabel('Name', { exact: true }).fill('Searches');
  await dialog.getByRole('radio', { name: 'Chosen tools' }).check();
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await dialog.getByText('Choose at least one tool').waitFor();
  const tools = dialog.getByLabel('Tools', { exact: true });
  await tools.fill('nothing');
  await page.keyboard.press('Enter');
  await dialog.getByText('No tool is called nothing').waitFor();
  await tools.fill('find_order');
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Counted for').selectOption('api_key');
  await dialog.getByLabel('Calls', { exact: true }).fill('10');
  await dialog.getByLabel('In', { exact: true }).fill('5');
  await dialog.getByLabel('Unit').selectOption('minutes');
  await dialog.getByRole('button', { name: 'Add override' }).click();
  await dialog.getByLabel('Override 1: id').fill('key_unknown');
  await dialog.getByLabel('Override 1: calls').fill('20');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await dialog.getByText('must be the id of an API key of this project').first().waitFor();
  assert.equal(await dialog.getByLabel('Override 1: id').getAttribute('aria-invalid'), 'true');
  await expectAccessible(page, 'a refused limit');
  await dialog.getByRole('button', { name: 'Remove override 1' }).click();
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText('“Searches” created').waitFor();
  const row = page.getByRole('row', { name: 'Searches' });
  await row.getByText('10 in 5 minutes, each API key').waitFor();
  await row.getByText('find_order').waitFor();
  const [made] = await limits();
  assert.deepEqual([made.match, made.window_seconds, made.overrides], [{ tool_ids: [find.id] }, 300, []]);

  await dashboard.api('PATCH', `${base}/limits/${made.id}`, { name: 'Renamed meanwhile' });
  await chooseAction(page, 'Searches', 'Edit');
  const edit = page.getByRole('dialog', { name: 'Edit the limit “Searches”' });
  await edit.getByRole('radio', { name: 'A toolset' }).check();
  await edit.getByLabel('Toolset', { exact: true }).selectOption('support');
  await edit.getByRole('button', { name: 'Save' }).click();
  await page.getByText('“Renamed meanwhile” saved').waitFor();
  const [changed] = await limits();
  assert.deepEqual([changed.name, changed.match], ['Renamed meanwhile', { toolset: 'support' }]);

  await chooseAction(page, 'Renamed meanwhile', 'Delete');
  const asked = page.getByRole('alertdialog', { name: 'Delete the limit “Renamed meanwhile”?' });
  await confirmByName(asked, 'Renamed meanwhile');
  await page.getByText('No limits yet').waitFor();
  assert.deepEqual(await limits(), []);
  await closePage(page);
});

browserTest('a weight above the limit is refused at the limit, in the words of the API', async () => {
  const page = await dashboard.open(`${base}/limits?dialog=create`);
  const dialog = page.getByRole('dialog', { name: 'Create limit' });
  await dialog.getByLabel('Name', { exact: true }).fill('Too small');
  const calls = dialog.getByLabel('Calls', { exact: true });
  await calls.fill('2');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await dialog
    .getByRole('alert')
    .getByText(/req_\w+/)
    .waitFor();
  assert.equal(await calls.getAttribute('aria-invalid'), 'true');
  assert.deepEqual(await limits(), []);
  await closePage(page);
});

browserTest('the list and the drawer name who is nearest to a limit, and a tool leads to its limits', async () => {
  const key = await dashboard.api('POST', `${base}/api-keys`, { name: 'Backend', permissions: ['read'] });
  const limit = await makeLimit('Calls of a key', {
    match: { tags: ['orders'] },
    overrides: [{ subject_id: key.id, limit: 2 }],
  });
  for (const expected of [200, 200, 429]) {
    const response = await dashboard.server.api('POST', `/custom-tools/${find.id}/execute`, { key: key.key, body: {} });
    assert.equal(response.status, expected, response.text);
  }
  const page = await dashboard.open(`${base}/limits`);
  const row = page.getByRole('row', { name: 'Calls of a key' });
  await row.getByText('Backend').waitFor();
  await row.getByText('2 of 2').waitFor();
  assert.equal(await row.getByRole('meter', { name: 'Used by Backend' }).getAttribute('aria-valuenow'), '2');
  await row.getByRole('link', { name: 'Calls of a key' }).focus();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Calls of a key' });
  await drawer.getByRole('list', { name: 'Use' }).getByText('2 of 2').waitFor();
  await drawer.getByRole('list', { name: 'Overrides' }).getByText('Backend').waitFor();
  await expectAccessible(page, 'the drawer of a limit');
  await drawer.getByRole('link', { name: 'Refused calls' }).click();
  await page.getByRole('heading', { name: 'Logs', level: 1 }).waitFor();
  assert.match(page.url(), /error_code=TOOL_LIMIT_REACHED/);

  await goTo(page, `${base}/custom-tools/${find.id}?tab=access`);
  const applied = page.getByRole('list', { name: 'Limits on this tool' });
  await applied.getByText('4 in 1 hour, each API key').waitFor();
  await applied.getByRole('link', { name: 'Calls of a key' }).click();
  await page.getByRole('dialog', { name: 'Calls of a key' }).waitFor();
  await goTo(page, `${base}/custom-tools/${other.id}?tab=access`);
  await page.getByText('Only the plan applies to it.').waitFor();
  await dashboard.api('DELETE', `${base}/limits/${limit.id}`);
  await closePage(page);
});

browserTest('deleting a toolset names the limits of its tools before it is sent, and detaches them', async () => {
  const limit = await makeLimit('Of the staff', { match: { toolset: toolset.slug } });
  const page = await dashboard.open(`${base}/toolsets/${toolset.id}`);
  await page.getByRole('list', { name: 'Assigned to' }).getByRole('link', { name: 'Of the staff' }).waitFor();
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete the toolset “Support staff”?' });
  await dialog.getByRole('list', { name: 'Assigned to' }).getByText('Limit: Of the staff').waitFor();
  await confirmByName(dialog, 'Support staff');
  await dialog.getByRole('alert').waitFor();
  await dialog.getByRole('list', { name: 'Assigned to' }).getByText('Limit: Of the staff').waitFor();
  await dialog.getByLabel('Remove it everywhere').check();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('“Support staff” deleted').waitFor();
  const left = await dashboard.api('GET', `${base}/limits/${limit.id}`);
  assert.deepEqual(left.match, { tool_ids: [] });
  const list = await dashboard.open(`${base}/limits`);
  await list.getByText('No tools: its tools or its toolset were deleted').first().waitFor();
  await dashboard.api('DELETE', `${base}/limits/${limit.id}`);
  await closePage(list);
  await closePage(page);
});

browserTest(
  'the page of limits, filled and failing: no violation, no wider than a phone; a viewer changes nothing',
  async () => {
    const hostile = await makeLimit('<b>"hostile" & \u202Eeman</b> '.repeat(4).trim(), {
      match: { tool_ids: [find.id, other.id] },
      limit: 1_000_000,
      window_seconds: 86_399,
    });
    const viewer = await makePerson(dashboard.server, dashboard.owner, 'viewer');
    const page = await dashboard.open(`${base}/limits`, { as: viewer });
    await waitForData(page);
    const create = page.getByRole('button', { name: 'Create limit' });
    assert.equal(await create.getAttribute('aria-disabled'), 'true');
    await expectScreen(page, 'the limits', [375, 768]);
    await goTo(page, `${base}/limits?limit=lim_unknown`);
    await page.getByRole('dialog').getByText('No such limit').waitFor();
    await closePage(page);
    const failing = await dashboard.open(`${base}/limits`, {
      before: (each) => each.route('**/limits?**', (route) => route.abort()),
    });
    await failing.getByRole('button', { name: 'Try again' }).waitFor();
    await closePage(failing);
    await dashboard.api('DELETE', `${base}/limits/${hostile.id}`);
  },
);
