// People: an invitation from the link to the first page, roles, the second factor.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { totpCode } from '../../server/src/features/identity/accounts/totp.ts';
import { makePerson, PASSWORD, type Person } from '../../server/test/support/make/make-accounts.ts';
import { browserTest, closePage, expectAccessible, expectGone, startDashboard } from './open-browser.ts';

const dashboard = await startDashboard();
const { server } = dashboard;
const STEP_MS = 30_000;

async function startSignIn(page: Page, { email }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

browserTest('an invitation is a link that is shown once, and whoever follows it becomes that person', async () => {
  const page = await dashboard.open('/people');
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite' });
  await dialog.getByLabel('Email').fill('grace@example.com');
  await dialog.getByLabel('Role').selectOption('viewer');
  await expectAccessible(page, 'the invitation form');
  await dialog.getByRole('button', { name: 'Invite' }).click();
  const field = page.getByLabel('Invitation link');
  await field.waitFor();
  const link = new URL(await field.inputValue());
  await expectAccessible(page, 'the link');
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await field.waitFor({ state: 'detached' });
  await expectGone(page, link.hash.slice('#token='.length));
  const invitations = page.getByRole('table', { name: 'Invitations' });
  await invitations
    .getByRole('row', { name: /grace@example.com/ })
    .getByText('pending')
    .waitFor();

  const other = await dashboard.open(link.pathname + link.hash, { as: null });
  await other.getByText('grace@example.com as viewer').waitFor();
  assert.equal(await other.evaluate('location.hash'), '');
  await expectAccessible(other, 'an invitation');
  await other.getByLabel('Your name').fill('Grace Hopper');
  await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await other.getByRole('button', { name: 'Create account' }).click();
  await other.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  const create = other.getByRole('button', { name: 'Create project' });
  assert.equal(await create.getAttribute('aria-disabled'), 'true');
  assert.match((await create.getAttribute('aria-description')) ?? '', /viewer.*write/);
  await closePage(other);

  await page.reload();
  await page
    .getByRole('table', { name: 'People' })
    .getByRole('row', { name: /Grace Hopper/ })
    .waitFor();
  const again = await dashboard.open(link.pathname + link.hash, { as: null });
  await again.getByRole('alert').getByText('This invitation has expired or was already used').waitFor();
  await closePage(again);
  await closePage(page);
});

browserTest('a role is changed with Undo, and only an owner changes an owner', async () => {
  const { account } = await makePerson(server, dashboard.owner, 'developer');
  const role = async () => (await dashboard.api('GET', `/organization/accounts/${account.id}`)).role;
  const page = await dashboard.open('/people');
  const row = page.getByRole('row', { name: new RegExp(account.email) });
  await row.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Make admin' }).click();
  await row.getByText('admin', { exact: true }).waitFor();
  assert.equal(await role(), 'admin');
  await page.getByRole('button', { name: 'Undo' }).click();
  await row.getByText('developer', { exact: true }).waitFor();
  assert.equal(await role(), 'developer');
  await closePage(page);

  const admin = await makePerson(server, dashboard.owner, 'admin');
  const asAdmin = await dashboard.open('/people', { as: admin });
  const owner = asAdmin.getByRole('row', { name: new RegExp(dashboard.owner.email) });
  await owner.getByRole('button', { name: 'Actions' }).click();
  const remove = asAdmin.getByRole('menuitem', { name: /Remove/ });
  assert.equal(await remove.getAttribute('aria-disabled'), 'true');
  await remove.getByText('Only an owner can change an owner.').waitFor();
  await closePage(asAdmin);
});

browserTest('with two-factor on a person signs in with a code, or once with each recovery code', async () => {
  const person = await makePerson(server, dashboard.owner, 'developer');
  const page = await dashboard.open('/account', { as: person });
  await page.getByRole('button', { name: 'Turn on two-factor' }).click();
  const secret = await page.getByLabel('Secret').inputValue();
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  await expectAccessible(page, 'the secret of the app');
  await page.getByLabel('Authentication code').fill('000 000');
  await page.getByRole('button', { name: 'Turn on', exact: true }).click();
  await page.getByRole('alert').getByText(/req_/).waitFor();
  const code = () => totpCode(secret, Math.floor(server.app.now() / STEP_MS)).replace(/^.../, '$& ');
  await page.getByLabel('Authentication code').fill(code());
  await page.getByRole('button', { name: 'Turn on', exact: true }).click();
  const list = page.getByRole('list', { name: 'Recovery codes' });
  await list.waitFor();
  const recovery = await list.getByRole('listitem').allInnerTexts();
  assert.equal(recovery.length, 10);
  await page.keyboard.press('Escape');
  await expectAccessible(page, 'the recovery codes');
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await list.waitFor({ state: 'detached' });
  await page.getByText('10 recovery codes are left').waitFor();
  for (const each of [secret, ...recovery]) await expectGone(page, each);
  await closePage(page);

  // The code that turned it on is used.
  server.advance(2 * STEP_MS);
  const withApp = await dashboard.open('/sign-in', { as: null });
  await startSignIn(withApp, person);
  const field = withApp.getByLabel('Authentication code');
  await field.waitFor();
  assert.equal(await withApp.evaluate('document.activeElement.name'), 'code', 'it has the focus');
  await expectAccessible(withApp, 'the second factor');
  await field.fill(code());
  await withApp.getByRole('button', { name: 'Sign in' }).click();
  await withApp.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  await closePage(withApp);

  const [first = ''] = recovery;
  for (const works of [true, false]) {
    const withCode = await dashboard.open('/sign-in', { as: null });
    await startSignIn(withCode, person);
    await withCode.getByRole('button', { name: 'Use a recovery code' }).click();
    await withCode.getByLabel('Recovery code').fill(first);
    await withCode.getByRole('button', { name: 'Sign in' }).click();
    if (works) await withCode.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    else await withCode.getByRole('alert').getByText(/req_/).waitFor();
    await closePage(withCode);
  }
});
