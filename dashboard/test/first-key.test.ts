// From an empty server to the first API key, as a newcomer does it.

import assert from 'node:assert/strict';
import { makeSetupLink } from '../../server/src/features/accounts/setup-link.ts';
import { PASSWORD } from '../../server/test/make-accounts.ts';
import { browserTest, closePage, expectAccessible, openPage, startServerWithDashboard } from './open-browser.ts';

browserTest('set-up leads to a key whose secret is shown once and is nowhere afterwards', async () => {
  const server = await startServerWithDashboard();
  const link = new URL((await makeSetupLink(server.app)) as string);

  const page = await openPage(server, '/projects/prj_unknown/logs');
  await page.getByRole('heading', { name: 'Set up toolgate', level: 1 }).waitFor();
  await page.getByText('Open the link that the server printed').waitFor();
  // In the same tab: only the fragment changes.
  await page.goto(server.url + link.pathname + link.hash);
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Project name').fill('Acme shop');
  assert.equal(await page.evaluate('location.hash'), '', 'the token is not left in the address bar');
  await page.getByRole('button', { name: 'Create account' }).click();

  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  const steps = page.getByRole('list', { name: 'First steps' });
  assert.equal(await steps.getByText('Done').count(), 0);
  await steps.getByRole('link', { name: 'Create an API key' }).click();

  const dialog = page.getByRole('dialog', { name: 'Create API key' });
  await dialog.getByLabel('Name').fill('Backend');
  await dialog.getByRole('checkbox', { name: 'write' }).check();
  await dialog.getByLabel('Expires').selectOption('In 30 days');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();

  const secretField = page.getByLabel('Secret');
  await secretField.waitFor();
  const secret = await secretField.inputValue();
  assert.match(secret, /^svc_test_/);
  await expectAccessible(page, 'the secret');
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 400);
  assert.equal(await secretField.inputValue(), secret, 'neither Escape nor a click outside closes it');
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await secretField.waitFor({ state: 'detached' });

  await page.getByRole('table', { name: 'API keys' }).getByRole('link', { name: 'Backend' }).waitFor();
  const left = `${await page.content()}${await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, history.state])')}`;
  assert.ok(!left.includes(secret), 'the secret is still in the page or in its storage');

  const answer = await server.api('GET', '/projects', { key: secret });
  assert.equal(answer.status, 200);
  await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Overview' }).click();
  await steps.getByRole('listitem').filter({ hasText: 'Create an API key' }).getByText('Done').waitFor();
  await closePage(page);
});
