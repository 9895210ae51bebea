// The page "Hooks": how policies are created, tried, changed and deleted, and their decisions in the log.

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

const customer = await startCustomer();
after(() => customer.close());
const dashboard = await startDashboard({ TOOLGATE_EGRESS_ALLOW: customer.address });
const base = `/projects/${dashboard.project_id}`;
const hooks = async () => (await dashboard.api('GET', `${base}/hooks`)).data as any[];
const url = `${customer.url}/policy`;
customer.respond('/policy', { body: { decision: 'deny', reason: 'Refunds over 100 need a manager.' } });

const tool = await dashboard.api('POST', '/custom-tools', {
  name: 'refund_order',
  base_url: customer.url,
  endpoint_path: '/refunds',
});
const key = await dashboard.api('POST', `${base}/api-keys`, { name: 'Backend', permissions: ['read'] });
const call = () =>
  dashboard.server.api('POST', `/custom-tools/${tool.id}/execute`, {
    key: key.key,
    body: { arguments: { amount: 250 } },
  });

browserTest(
  'a hook is created with its secret shown once, edited by what changed alone, and deleted by its URL',
  async () => {
    const page = await dashboard.open(`${base}/settings`);
    await page.getByRole('link', { name: 'Hooks of this project' }).click();
    await page.getByRole('heading', { name: 'Hooks', level: 1 }).waitFor();
    await page.getByText('No hooks yet').waitFor();
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog', { name: 'Create hook' });
    await dialog.getByLabel('URL', { exact: true }).fill('https://10.0.0.1/');
    await dialog.getByRole('checkbox', { name: 'Before a call' }).uncheck();
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByText('Choose at least one', { exact: true }).waitFor();
    await dialog.getByRole('checkbox', { name: 'Before a call' }).check();
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog
      .getByText(/must be a public HTTPS URL/)
      .first()
      .waitFor();
    await expectAccessible(page, 'a refused hook');
    await dialog.getByLabel('URL', { exact: true }).fill(url);
    await dialog.getByRole('radio', { name: 'Chosen tools' }).check();
    await dialog.getByLabel('Tools', { exact: true }).fill('refund_order');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Timeout in milliseconds').fill('500');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    const once = page.getByRole('dialog', { name: 'The hook is ready' });
    assert.match(await once.getByLabel('Secret', { exact: true }).inputValue(), /^hksec_/);
    await expectAccessible(page, 'the secret of a hook');
    await once.getByRole('button', { name: 'I have saved it' }).click();
    const row = page.getByRole('row', { name: url });
    await row.getByText('before a call, 500 ms, refuses if it fails').waitFor();
    await row.getByText('refund_order').waitFor();
    const [made] = await hooks();
    assert.deepEqual([made.match, made.points, made.timeout_ms], [{ tool_ids: [tool.id] }, ['before'], 500]);

    await dashboard.api('PATCH', `${base}/hooks/${made.id}`, { timeout_ms: 700 });
    await chooseAction(page, url, 'Edit');
    const edit = page.getByRole('dialog', { name: 'Edit hook' });
    await edit.getByRole('checkbox', { name: 'After a call' }).check();
    await edit.getByRole('radio', { name: 'Allow the call' }).check();
    await edit.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Hook saved').waitFor();
    const [changed] = await hooks();
    assert.deepEqual([changed.points, changed.on_failure, changed.timeout_ms], [['before', 'after'], 'allow', 700]);

    await chooseAction(page, url, 'Rotate');
    await page.getByRole('dialog', { name: 'Rotate' }).getByRole('button', { name: 'Rotate' }).click();
    await once.getByRole('button', { name: 'I have saved it' }).click();
    await chooseAction(page, url, 'Disable');
    await row.getByText('disabled', { exact: true }).waitFor();
    assert.equal((await hooks())[0].is_enabled, false);

    await chooseAction(page, url, 'Delete');
    const asked = page.getByRole('alertdialog', { name: 'Delete this hook?' });
    await confirmByName(asked, url);
    await page.getByText('No hooks yet').waitFor();
    assert.deepEqual(await hooks(), []);
    await closePage(page);
  },
);

browserTest('a test sends a recorded call or a sample to the hook, and shows its decision and its time', async () => {
  await dashboard.api('PATCH', `${base}/settings`, { record_payloads: true });
  const made = await dashboard.api('POST', `${base}/hooks`, { url, points: ['before'], is_enabled: false });
  assert.equal((await call()).status, 200);
  await dashboard.server.app.batch_writer.flush();
  const page = await dashboard.open(`${base}/hooks`);
  await chooseAction(page, url, 'Test');
  const dialog = page.getByRole('dialog', { name: 'Test hook' });
  await dialog.getByRole('button', { name: 'Test', exact: true }).click();
  const decision = dialog.getByRole('region', { name: 'Decision' });
  await decision.getByText('deny', { exact: true }).waitFor();
  await decision.getByText('Refunds over 100 need a manager.').waitFor();
  await decision.getByText(/^\d+ ms$/).waitFor();
  await decision.getByText(/"amount": 250/).waitFor();
  await expectAccessible(page, 'a tested hook');
  await dialog.getByLabel('Call', { exact: true }).selectOption({ label: 'A sample for refund_order' });
  await dialog.getByLabel('Arguments', { exact: true }).fill('{"amount": 1');
  await dialog.getByRole('button', { name: 'Test', exact: true }).click();
  await dialog
    .getByText(/not JSON/)
    .first()
    .waitFor();
  customer.respond('/policy', { status: 503 });
  await dialog.getByLabel('Arguments', { exact: true }).fill('{"amount": 1}');
  await dialog.getByRole('button', { name: 'Test', exact: true }).click();
  await decision.getByText('The hook returned status 503.').waitFor();
  await decision.getByText('The call would be refused.').waitFor();
  customer.respond('/policy', { body: { decision: 'deny', reason: 'Refunds over 100 need a manager.' } });
  assert.equal(customer.at('/refunds').length, 1, 'nothing was sent to the API');
  await dashboard.api('DELETE', `${base}/hooks/${made.id}`);
  await closePage(page);
});

browserTest('the log shows what the hooks decided about a call', async () => {
  const made = await dashboard.api('POST', `${base}/hooks`, { url, points: ['before'] });
  assert.equal((await call()).status, 403);
  await dashboard.server.app.batch_writer.flush();
  const [entry] = (await dashboard.api('GET', `${base}/tool-calls?error_code=CALL_DENIED`)).data;
  const page = await dashboard.open(`${base}/logs?call=${entry.id}`);
  const list = page.getByRole('list', { name: 'Policy decisions' });
  await list.getByText('deny', { exact: true }).waitFor();
  await list.getByText('Refunds over 100 need a manager.').waitFor();
  await list.getByText('before a call').waitFor();
  await page.getByText('Policy', { exact: true }).first().waitFor();
  await expectAccessible(page, 'a call that was denied');
  await dashboard.api('DELETE', `${base}/hooks/${made.id}`);
  await closePage(page);
});

browserTest(
  'the page of hooks, filled and failing: no violation, no wider than a phone; only admins see it',
  async () => {
    const long = `${customer.url}/${'policy-of-a-long-path/'.repeat(20)}`;
    const hostile = await dashboard.api('POST', `${base}/hooks`, {
      url: long,
      points: ['before', 'after'],
      may_change: true,
      match: { tags: ['a'.repeat(40), 'b'.repeat(40)] },
    });
    for (let i = 0; i < 4; i += 1) await dashboard.api('POST', `${base}/hooks`, { url, points: ['after'] });
    const page = await dashboard.open(`${base}/hooks`);
    await waitForData(page);
    const rows = await page.getByRole('row').allTextContents();
    assert.ok(rows[1]?.includes('policy-of-a-long-path'), 'the first that is asked comes first');
    const create = page.getByRole('button', { name: 'Create hook' });
    assert.equal(await create.getAttribute('aria-disabled'), 'true');
    await expectScreen(page, 'the hooks', [375, 768]);
    await closePage(page);
    const developer = await makePerson(dashboard.server, dashboard.owner, 'developer');
    const other = await dashboard.open(`${base}/hooks`, { as: developer });
    await other.getByText('You cannot see the hooks').waitFor();
    await closePage(other);
    const failing = await dashboard.open(`${base}/hooks`, {
      before: (each) =>
        each.route('**/hooks', (route) =>
          route.request().resourceType() === 'document' ? route.continue() : route.abort(),
        ),
    });
    await failing.getByRole('button', { name: 'Try again' }).waitFor();
    await closePage(failing);
    for (const { id } of await hooks()) await dashboard.api('DELETE', `${base}/hooks/${id}`);
    assert.ok(hostile.id);
  },
);
