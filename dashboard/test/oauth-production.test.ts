// OAuth in a production project: what is for admins there, what waits for their approval, and where tokens may go.

import assert from 'node:assert/strict';
import { makePerson } from '../../server/test/support/make/make-accounts.ts';
import { browserTest, chooseAction, closePage, expectAccessible, startDashboard } from './open-browser.ts';
import { goTo } from './turn-page.ts';

const dashboard = await startDashboard();
const { api, server, owner } = dashboard;
const project = `/projects/${dashboard.project_id}`;
const developer = await makePerson(server, owner, 'developer');

const added = { provider: 'oidc', issuer: 'https://login.example.com', client_id: 'shop', client_secret: 'secret' };
const body = { ...added, name: 'Staff login', allowed_origins: ['https://api.example.com'] };
const made = await developer.api<{ id: string }>('POST', `${project}/oauth-providers`, { body });
assert.equal(made.status, 201, made.text);
await api('PATCH', project, { environment: 'production' });

browserTest('a developer sees in production what is for admins, and why', async () => {
  const page = await dashboard.open(`${project}/oauth`, { as: developer });
  await page.getByText('not approved').waitFor();
  for (const name of ['Add provider', 'Create client']) {
    const button = page.getByRole('button', { name, exact: true });
    assert.equal(await button.getAttribute('aria-disabled'), 'true', name);
  }
  await chooseAction(page, 'Staff login', 'Edit');
  const dialog = page.getByRole('dialog');
  assert.equal(await dialog.getByLabel('Client ID').getAttribute('readonly'), '');
  await dialog.getByText('More options').click();
  assert.equal(await dialog.getByLabel('Allowed origins').getAttribute('readonly'), '');
  await goTo(page, `${project}/settings`);
  assert.equal(await page.getByLabel('Member id after an OAuth sign-in').isDisabled(), true);
  await closePage(page);
});

browserTest('an admin reads what a developer set up, and approves it', async () => {
  const page = await dashboard.open(`${project}/oauth`);
  await chooseAction(page, 'Staff login', 'Approve');
  const dialog = page.getByRole('dialog', { name: 'Approve “Staff login”?' });
  await dialog.getByText('https://login.example.com').waitFor();
  await dialog.getByText('https://api.example.com').waitFor();
  await expectAccessible(page, 'the approval of a provider');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('“Staff login” approved').waitFor();
  await page.getByText('not approved').waitFor({ state: 'detached' });
  const { is_approved } = await api('GET', `${project}/oauth-providers/${made.body.id}`);
  assert.equal(is_approved, true);
  await closePage(page);
});

browserTest('an admin changes the origins that get the tokens of members', async () => {
  const page = await dashboard.open(`${project}/oauth`);
  await chooseAction(page, 'Staff login', 'Edit');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('More options').click();
  await dialog.getByLabel('Allowed origins').fill('https://api.example.com\nhttps://files.example.com');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { allowed_origins } = await api('GET', `${project}/oauth-providers/${made.body.id}`);
  assert.deepEqual(allowed_origins, ['https://api.example.com', 'https://files.example.com']);
  await closePage(page);
});
