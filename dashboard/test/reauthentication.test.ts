// Changes that need the password again: the dashboard asks for it in a dialog, then goes on with the change.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { totpCode } from '../../server/src/features/identity/accounts/totp.ts';
import { makePerson, PASSWORD, type Person, signIn } from '../../server/test/support/make/make-accounts.ts';
import { browserTest, chooseAction, closePage, expectAccessible, startDashboard } from './open-browser.ts';

const dashboard = await startDashboard();
const { server } = dashboard;
const MINUTE_MS = 60_000;

/** A new session of the person, whose password was given more than 10 minutes ago. */
async function openStale(path: string, { email }: Person, more: object = {}): Promise<Page> {
  const person = await signIn(server, email, more);
  server.advance(11 * MINUTE_MS);
  return dashboard.open(path, { as: person });
}

const asked = (page: Page) => page.getByRole('dialog', { name: "Confirm it's you" });

async function confirm(page: Page, password = PASSWORD): Promise<void> {
  await asked(page).getByLabel('Password', { exact: true }).fill(password);
  await asked(page).getByRole('button', { name: 'Confirm' }).click();
}

browserTest('turning on two-factor asks for the password again, then goes on by itself', async () => {
  const person = await makePerson(server, await signIn(server, dashboard.owner.email), 'developer');
  const page = await openStale('/account', person);
  const turnOn = page.getByRole('button', { name: 'Turn on two-factor' });
  await turnOn.click();
  await asked(page).waitFor();
  await expectAccessible(page, 'the question for the password');
  await asked(page).getByRole('button', { name: 'Cancel' }).click();
  await asked(page).waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('alert').count(), 0, 'whoever cancels is told nothing more');
  await turnOn.click();
  await confirm(page, 'not the password');
  await asked(page).getByRole('alert').getByText('Password is wrong').first().waitFor();
  await confirm(page);
  const secret = await page.getByLabel('Secret').inputValue();
  await page.getByLabel('Authentication code').fill(totpCode(secret, Math.floor(server.app.now() / 30_000)));
  // The form was open for a while.
  server.advance(11 * MINUTE_MS);
  await page.getByLabel('Authentication code').fill(totpCode(secret, Math.floor(server.app.now() / 30_000)));
  await page.getByRole('button', { name: 'Turn on', exact: true }).click();
  await confirm(page);
  await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
  await closePage(page);
});

browserTest('inviting, making and removing an owner ask for the password above the dialog that is open', async () => {
  const page = await openStale('/people', dashboard.owner);
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite' });
  await dialog.getByLabel('Email').fill('second@example.com');
  await dialog.getByLabel('Role').selectOption('owner');
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await confirm(page, 'wrong');
  await asked(page).getByRole('alert').getByText('Password is wrong').first().waitFor();
  assert.equal(await page.getByLabel('Role').inputValue(), 'owner', 'what was typed is still there');
  await confirm(page);
  await page.getByLabel('Invitation link').waitFor();
  await page.getByRole('button', { name: 'I have saved it' }).click();

  const { account } = await makePerson(server, await signIn(server, dashboard.owner.email), 'admin');
  server.advance(11 * MINUTE_MS);
  await page.reload();
  const row = page.getByRole('row', { name: new RegExp(account.email) });
  await chooseAction(page, account.email, 'Make owner');
  await confirm(page);
  await row.getByText('owner', { exact: true }).waitFor();
  server.advance(11 * MINUTE_MS);
  await chooseAction(page, account.email, 'Remove');
  await page.getByLabel('Type the name to confirm').fill(account.name);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await confirm(page);
  await row.waitFor({ state: 'detached' });
  await closePage(page);
});

browserTest('a person with two-factor may give a code instead of the password', async () => {
  const { email } = await makePerson(server, await signIn(server, dashboard.owner.email), 'owner');
  const fresh = await signIn(server, email);
  const { secret } = (await fresh.api('POST', '/account/totp')).body;
  const code = () => totpCode(secret, Math.floor(server.app.now() / 30_000));
  assert.equal((await fresh.api('POST', '/account/totp/confirm', { body: { code: code() } })).status, 200);
  server.advance(2 * MINUTE_MS);
  const page = await openStale('/people', fresh, { code: code() });
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite' });
  await dialog.getByLabel('Email').fill('third@example.com');
  await dialog.getByLabel('Role').selectOption('owner');
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await asked(page).getByRole('button', { name: 'Use the authenticator app' }).click();
  await asked(page).getByLabel('Authentication code').fill(code());
  await asked(page).getByRole('button', { name: 'Confirm' }).click();
  await page.getByLabel('Invitation link').waitFor();
  await closePage(page);
});
