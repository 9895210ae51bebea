// People: an invitation from the link to the first page, the limits of roles, the second factor.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { totpCode } from '../../server/src/features/identity/accounts/totp.ts';
import { makePerson, PASSWORD, type Person } from '../../server/test/support/make/make-accounts.ts';
import {
  browserTest,
  chooseAction,
  closePage,
  confirmByName,
  expectAccessible,
  expectGone,
  startDashboard,
  waitForData,
} from './open-browser.ts';
import { goTo } from './turn-page.ts';

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

browserTest('a viewer sees the people and the organization, and why nothing can be changed', async () => {
  const viewer = await makePerson(server, dashboard.owner, 'viewer');
  const page = await dashboard.open('/people', { as: viewer });
  await page.getByRole('row', { name: new RegExp(dashboard.owner.email) }).waitFor();
  await page.keyboard.press('c');
  assert.equal(await page.getByRole('dialog').count(), 0, '"c" does not open what the role does not allow');
  assert.equal(await page.getByRole('button', { name: 'Invite' }).getAttribute('aria-disabled'), 'true');
  await page.getByRole('heading', { name: 'You cannot see invitations' }).waitFor();
  await page.getByRole('tab', { name: 'Organization' }).click();
  await page.getByRole('heading', { name: 'You cannot see the activity' }).waitFor();
  const end = page.getByRole('button', { name: 'Delete organization' });
  assert.match((await end.getAttribute('aria-description')) ?? '', /Only an owner/);
  const save = page.getByRole('button', { name: 'Save' });
  assert.match((await save.getAttribute('aria-description')) ?? '', /viewer.*admin/);
  await waitForData(page);
  assert.equal(await page.getByRole('alert').count(), 0, 'nothing that a viewer may not read is asked for');
  await expectAccessible(page, 'the organization of a viewer');
  await closePage(page);
});

browserTest(
  'what a viewer may not create does not open by "c", by a link or by the palette, which says why',
  async () => {
    const viewer = await makePerson(server, dashboard.owner, 'viewer');
    const project = `/projects/${dashboard.project_id}`;
    const page = await dashboard.open('/account', { as: viewer });
    const dialogs = page.getByRole('dialog');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const path of ['/', '/people', `${project}/webhooks`, `${project}/custom-tools`]) {
      for (const search of ['', '?dialog=create', '?dialog=import']) {
        await goTo(page, path + search);
        await waitForData(page);
        await page.keyboard.press('c');
        // Shortcuts do nothing while a form is open.
        await page.keyboard.press('?');
        await sheet.waitFor();
        assert.equal(await dialogs.count(), 1, `${path}${search} opens nothing else`);
      }
    }
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    await palette.locator('input:focus').waitFor();
    await page.keyboard.type('create api key');
    const option = palette.getByRole('option', { name: /Create API key/ });
    await option.getByText('does not have the permission “admin”').waitFor();
    assert.equal(await option.getAttribute('aria-disabled'), 'true');
    await expectAccessible(page, 'the palette of a viewer');
    await page.keyboard.press('Enter');
    await palette.getByText('does not have the permission “admin”').waitFor();
    assert.match(page.url(), /custom-tools/, 'the page stays');
    await closePage(page);
  },
);

browserTest('numbers of keys that a person may not read say so, with the reason', async () => {
  const viewer = await makePerson(server, dashboard.owner, 'viewer');
  const integrations = `/projects/${dashboard.project_id}/integrations`;
  await dashboard.api('POST', integrations, { name: 'Bot' });
  const page = await dashboard.open('/', { as: viewer });
  const card = page.getByRole('list', { name: 'Projects' }).getByRole('listitem').first();
  const inCard = card.getByText('No access');
  assert.match((await inCard.getAttribute('title')) ?? '', /viewer.*“admin”/);
  await goTo(page, integrations);
  const row = page.getByRole('table', { name: 'Integrations' }).getByRole('row', { name: /Bot/ });
  await row.getByText('No access').nth(2).waitFor();
  await expectAccessible(page, 'the integrations of a viewer');
  await closePage(page);
});

browserTest('the organization is renamed, and its log says by whom', async () => {
  const page = await dashboard.open('/people?tab=organization');
  await page.getByLabel('Organization name').fill('Acme & Søns');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The people who work on the projects of Acme & Søns.').waitFor();
  await page.reload();
  const entry = page.getByRole('table', { name: 'Activity' }).getByRole('row', { name: /organization.updated/ });
  await entry.getByText(dashboard.owner.account.name).first().waitFor();
  await expectAccessible(page, 'the organization');
  await closePage(page);
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

browserTest('a role that somebody else changed applies within a minute, and at once after a refusal', async () => {
  const key = await dashboard.api('POST', `/projects/${dashboard.project_id}/api-keys`, {
    name: 'Of the team',
    permissions: ['read'],
  });
  const admin = await makePerson(server, dashboard.owner, 'admin');
  const become = (role: string) => dashboard.api('PATCH', `/organization/accounts/${admin.account.id}`, { role });
  const page = await dashboard.open('/people', { as: admin });
  await page.clock.install();
  await page.reload();
  await waitForData(page);
  const disabled = (name: string) => page.locator('button[aria-disabled="true"]', { hasText: name });
  assert.equal(await disabled('Invite').count(), 0);
  await become('developer');
  await page.clock.fastForward(61_000);
  await disabled('Invite').waitFor();
  await closePage(page);

  await become('admin');
  const refused = await dashboard.open(`/projects/${dashboard.project_id}/api-keys`, { as: admin });
  await refused.getByRole('row', { name: key.name }).waitFor();
  await become('viewer');
  await chooseAction(refused, key.name, 'Deactivate');
  await refused.locator('button[aria-disabled="true"]', { hasText: 'Create API key' }).waitFor();
  await refused.getByRole('heading', { name: 'You cannot see API keys' }).waitFor();
  await closePage(refused);
});

browserTest('whoever gives up a role loses it on the page too, and whoever leaves is signed out', async () => {
  const admin = await makePerson(server, dashboard.owner, 'admin');
  const page = await dashboard.open('/people', { as: admin });
  const row = new RegExp(admin.email);
  await chooseAction(page, admin.email, 'Make viewer');
  await page.locator('button[aria-disabled="true"]', { hasText: 'Invite' }).waitFor();
  await page.getByRole('row', { name: row }).getByText('viewer', { exact: true }).waitFor();
  await chooseAction(page, admin.email, 'Leave');
  const dialog = page.getByRole('alertdialog');
  await confirmByName(dialog, admin.account.name, 'Leave');
  await page.getByText('You are signed out.').waitFor();
  assert.equal(new URL(page.url()).pathname, '/sign-in');
  await closePage(page);
});
