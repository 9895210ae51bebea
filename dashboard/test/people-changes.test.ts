// The page of people beyond the journeys: who sees what, and roles that change meanwhile.

import assert from 'node:assert/strict';
import { makePerson } from '../../server/test/support/make/make-accounts.ts';
import {
  browserTest,
  chooseAction,
  closePage,
  confirmByName,
  expectAccessible,
  startDashboard,
  waitForData,
} from './open-browser.ts';
import { goTo } from './turn-page.ts';

const dashboard = await startDashboard();
const { server } = dashboard;

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
