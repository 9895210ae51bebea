// Approvals: the inbox with its badge, the decision, the history, and the forms that say who confirms and who approves.

import assert from 'node:assert/strict';
import { makePerson } from '../../server/test/support/make/make-accounts.ts';
import { browserTest, closePage, expectAccessible, expectScreen, startDashboard, waitForData } from './open-browser.ts';
import { goTo } from './turn-page.ts';

const dashboard = await startDashboard();
const { api, project_id, server } = dashboard;
const project = `/projects/${project_id}`;
const HIDDEN = '\u202e';

const properties = { order_id: { type: 'string' }, amount: { type: 'number' } };
const tool = await api('POST', '/custom-tools', {
  ...{ name: 'refund_order', base_url: 'https://shop.invalid', endpoint_path: '/refunds' },
  input_schema: { type: 'object', properties },
  confirm: { by: 'approver' },
});
const asking = await api('POST', `${project}/api-keys`, { name: 'Agent of the shop', permissions: ['write'] });

/** A call that has to wait. Returns its approval. */
async function ask(given: object): Promise<{ id: string }> {
  const response = await server.api('POST', `/custom-tools/${tool.id}/execute`, {
    key: asking.key,
    body: { arguments: given },
  });
  assert.equal(response.status, 409, response.text);
  return response.body.error.details.approval;
}

const read = ({ id }: { id: string }) => api('GET', `${project}/approvals/${id}`);

browserTest('a call that waits appears by itself, with a badge in the menu and its arguments laid out', async () => {
  const page = await dashboard.open(`${project}/approvals`);
  await page.getByText('No calls are waiting').waitFor();
  const approval = await ask({ order_id: `A-1${HIDDEN}001`, amount: 250 });
  const table = page.getByRole('table', { name: 'Approvals' });
  await table.getByText('refund_order').waitFor();
  await page.reload();
  await page.getByRole('navigation', { name: 'Project' }).getByText('1 waiting').waitFor();
  await table.getByRole('link', { name: 'refund_order' }).click();
  const drawer = page.getByRole('dialog', { name: 'Call of refund_order' });
  await drawer.getByText('Agent of the shop').waitFor();
  // JSON, with the character that nobody sees marked.
  assert.match(await drawer.getByText('"A-1').innerText(), /"A-1\s*U\+202E\s*001"/);
  await drawer.getByText('250', { exact: true }).waitFor();
  // The question is not a call that the tool made.
  await drawer.getByText('No calls yet').waitFor();
  await expectScreen(page, 'the drawer');
  await closePage(page);
  await api('POST', `${project}/approvals/${approval.id}/decline`, {});
});

browserTest('the log shows a question as waiting, and how long the person took; so do analytics', async () => {
  const approval = await ask({ order_id: 'A-3003', amount: 80 });
  const past = `update approvals set created_at = created_at - interval '3 minutes' where id = $1`;
  await server.app.pool.query(past, [approval.id]);
  await api('POST', `${project}/approvals/${approval.id}/approve`, {});
  // There is no such API: the call is made, and fails.
  const { status } = await server.api('POST', `/custom-tools/${tool.id}/execute`, {
    key: asking.key,
    body: { arguments: { order_id: 'A-3003', amount: 80 } },
    headers: { 'x-toolgate-approval': approval.id },
  });
  assert.equal(status, 502);
  await server.app.batch_writer.flush();
  const page = await dashboard.open(`${project}/logs`);
  const log = page.getByRole('table', { name: 'Logs' });
  await log.getByText('waiting', { exact: true }).first().waitFor();
  await log
    .getByRole('row', { name: /UPSTREAM_CONNECTION/ })
    .getByRole('link')
    .click();
  const drawer = page.getByRole('dialog', { name: 'Call of refund_order' });
  const stage = drawer.getByRole('table', { name: 'Stages' }).getByRole('row', { name: /^Confirmation/ });
  assert.match(await stage.innerText(), /3 min/);
  await drawer.getByText('Confirmation by a person').waitFor();
  await goTo(page, `${project}/analytics`);
  const section = page.locator('section', { has: page.getByRole('heading', { name: 'Waiting for approval' }) });
  await section.getByText('Median approval time').waitFor();
  assert.match(await section.innerText(), /3 min/);
  await expectAccessible(page, 'analytics with waiting');
  await closePage(page);
});

browserTest('a call is approved with a reason by keyboard, and is in the history then', async () => {
  const approval = await ask({ order_id: 'A-2002', amount: 120 });
  const page = await dashboard.open(`${project}/approvals`);
  const link = page.getByRole('table', { name: 'Approvals' }).getByRole('link', { name: 'refund_order' });
  await link.focus();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Call of refund_order' });
  await drawer.getByLabel('Reason').focus();
  await page.keyboard.type('Agreed with the customer');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Call approved').waitFor();
  const decided = await read(approval);
  assert.deepEqual(
    [decided.status, decided.reason, decided.decided_by, decided.decided_via],
    ['approved', 'Agreed with the customer', dashboard.owner.account.id, 'dashboard'],
  );
  await drawer.getByText('Agreed with the customer').waitFor();
  assert.equal(await drawer.getByRole('button', { name: 'Approve' }).count(), 0);
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByLabel('Status').selectOption('approved');
  const history = page.getByRole('table', { name: 'History' });
  await history.locator(`a[href*="${approval.id}"]`).waitFor();
  await history.getByText('declined').waitFor({ state: 'detached' });
  await expectAccessible(page, 'the history');
  await closePage(page);
});

browserTest('a call is declined; what somebody else decided meanwhile is said', async () => {
  const [first, second] = [await ask({ order_id: 'A-3' }), await ask({ order_id: 'A-4' })];
  const page = await dashboard.open(`${project}/approvals?approval=${first.id}`);
  const drawer = page.getByRole('dialog', { name: 'Call of refund_order' });
  await drawer.getByRole('button', { name: 'Decline' }).click();
  await page.getByText('Call declined').waitFor();
  assert.equal((await read(first)).status, 'declined');
  await goTo(page, `${project}/approvals?approval=${second.id}`);
  await drawer.getByRole('button', { name: 'Approve' }).waitFor();
  await api('POST', `${project}/approvals/${second.id}/decline`, { reason: 'Too late' });
  // The page reads again every few seconds.
  await drawer.getByText('Too late').waitFor();
  assert.equal(await drawer.getByRole('button', { name: 'Approve' }).count(), 0);
  await closePage(page);
});

browserTest('a developer decides only once an admin has let them', async () => {
  const approval = await ask({ order_id: 'A-5' });
  const developer = await makePerson(server, dashboard.owner, 'developer');
  const people = await dashboard.open('/people');
  const row = people.getByRole('row', { name: new RegExp(developer.account.email) });
  const page = await dashboard.open(`${project}/approvals?approval=${approval.id}`, { as: developer });
  const drawer = page.getByRole('dialog', { name: 'Call of refund_order' });
  await drawer.getByText('Your role, developer, cannot approve calls.').waitFor();
  await drawer.getByText('Only people who can approve this call see its arguments.').waitFor();
  await closePage(page);
  await row.getByRole('button', { name: 'Actions' }).click();
  await people.getByRole('menuitem', { name: 'Allow approvals' }).click();
  await row.getByText('approves calls').waitFor();
  await closePage(people);
  const again = await dashboard.open(`${project}/approvals?approval=${approval.id}`, { as: developer });
  await again.getByRole('button', { name: 'Decline' }).click();
  await again.getByText('Call declined').waitFor();
  await closePage(again);
});

browserTest('a tool, a key and the settings say who confirms and who approves', async () => {
  const page = await dashboard.open(`${project}/custom-tools/${tool.id}`);
  await waitForData(page);
  await page.getByLabel('Who confirms a call').selectOption('user');
  await page.getByLabel('Reuse an approval for (seconds)').fill('60');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page
    .getByText(/^Saved/)
    .first()
    .waitFor();
  const { confirm } = await api('GET', `/custom-tools/${tool.id}`);
  assert.deepEqual(confirm, { by: 'user', remember_seconds: 60, fallback: 'link' });
  await closePage(page);
  const settings = await dashboard.open(`${project}/settings`);
  await settings.getByLabel('Confirm destructive tools').click();
  await settings.getByLabel('Your approval page').fill('https://app.example.com/approve');
  await settings.getByRole('button', { name: 'Save', exact: true }).click();
  await settings.getByText('must contain {id}').first().waitFor();
  await settings.getByLabel('Your approval page').fill('https://app.example.com/approve?id={id}');
  await settings.getByRole('button', { name: 'Save', exact: true }).click();
  await settings.getByText('Settings saved').waitFor();
  const saved = (await api('GET', project)).settings;
  assert.deepEqual([saved.confirm_destructive, saved.approval_url], [true, 'https://app.example.com/approve?id={id}']);
  await closePage(settings);
  const keys = await dashboard.open(`${project}/api-keys?dialog=create`);
  const dialog = keys.getByRole('dialog', { name: 'Create API key' });
  await dialog.getByLabel('Name').fill('Bot that approves');
  await dialog.getByLabel('Can approve calls').click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await keys.getByLabel('Secret').waitFor();
  const { data } = await api('GET', `${project}/api-keys`);
  assert.equal(data.find(({ name }: { name: string }) => name === 'Bot that approves').can_approve, true);
  await keys.getByRole('button', { name: 'I have saved it' }).click();
  await closePage(keys);
});
