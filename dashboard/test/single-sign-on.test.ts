// Single sign-on in a real browser, at a real OpenID provider: set up and tested by an owner, used by people, required.

import assert from 'node:assert/strict';
import { after, beforeEach } from 'node:test';
import type { Page } from 'playwright-core';
import { totpCode } from '../../server/src/features/identity/accounts/totp.ts';
import { makePerson, PASSWORD, type Person, signIn } from '../../server/test/support/make/make-accounts.ts';
import { ssoFields } from '../../server/test/support/make/make-sso.ts';
import { startOpenIdProvider } from '../../server/test/support/peers/openid-provider.ts';
import {
  browserTest,
  closePage,
  expectAccessible,
  expectGone,
  expectNoOverflow,
  startDashboard,
} from './open-browser.ts';

const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
after(() => peer.close());
const dashboard = await startDashboard({ TOOLGATE_EGRESS_ALLOW: peer.address });
const { server } = dashboard;
clock.now = () => server.app.now();
let owner: Person = dashboard.owner;

beforeEach(async () => {
  peer.reset();
  server.advance(61 * 60_000);
  owner = await signIn(server, owner.email);
});

const user = (name: string, groups: string[]) => ({
  sub: `sub-${name}`,
  email: `${name}@example.com`,
  email_verified: true,
  name: `The ${name}`,
  groups,
});

/** A browser that accepts the certificate of the provider, which signs its person in at once. */
async function openBrowser(as: Person | null): Promise<Page> {
  const spare = await dashboard.open('/sign-in', { as: null });
  const context = await spare.context().browser()?.newContext({ ignoreHTTPSErrors: true });
  await closePage(spare);
  context?.setDefaultTimeout(20_000);
  if (as) {
    const [name = '', value = ''] = as.cookie.split('=');
    await context?.addCookies([{ name, value, url: server.url, httpOnly: true, sameSite: 'Lax' }]);
  }
  return (await context?.newPage()) ?? assert.fail('no page');
}

async function continueWithSso(page: Page, email: string): Promise<void> {
  await page.goto(`${server.url}/sign-in`);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Continue with single sign-on' }).click();
}

async function setUp(fields: object = {}): Promise<void> {
  const response = await owner.api('PUT', '/organization/sso', { body: ssoFields(peer, fields) });
  assert.equal(response.status, 200, response.text);
}

browserTest('an owner tests the settings step by step, and saves them; the secret is not shown again', async () => {
  const page = await openBrowser(owner);
  await page.goto(`${server.url}/people?tab=single-sign-on`);
  await page.getByLabel('Issuer').fill(peer.url);
  await page.getByLabel('Client ID').fill(peer.client_id);
  await page.getByLabel('Client secret', { exact: true }).fill('not the secret');
  await page.getByLabel('Email domains').fill(' Example.com. ');
  await page.getByRole('button', { name: 'Add group' }).click();
  await page.getByLabel('Group 1', { exact: true }).fill('builders');
  await page.getByLabel('Role of group 1').selectOption('developer');
  await expectAccessible(page, 'the form of single sign-on');

  const steps = page.getByRole('list', { name: 'Steps' });
  const test = async () => {
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    const link = page.getByRole('link', { name: 'Sign in at the identity provider' });
    const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await tab.getByRole('heading', { level: 1 }).waitFor();
    const heading = await tab.getByRole('heading', { level: 1 }).textContent();
    await tab.close();
    return heading;
  };
  peer.setUser(user('ann', ['builders']));
  assert.equal(await test(), 'Single sign-on does not work yet');
  await steps.getByRole('listitem').filter({ hasText: 'accepts the client ID' }).getByLabel('Failed').waitFor();
  await steps.getByText('Check client_id and client_secret').waitFor();
  await expectAccessible(page, 'a test that failed');

  await page.getByLabel('Client secret', { exact: true }).fill(peer.client_secret);
  assert.equal(await test(), 'Single sign-on works');
  await steps.getByText('An account for ann@example.com would be created').waitFor();
  assert.equal(await steps.getByLabel('Passed').count(), 10);
  assert.equal((await owner.api('GET', '/organization/sso')).status, 404);

  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Single sign-on saved').waitFor();
  await expectGone(page, peer.client_secret);
  const saved = (await owner.api('GET', '/organization/sso')).body;
  assert.deepEqual(
    [saved.domains, saved.role_map, saved.default_role],
    [['example.com'], { builders: 'developer' }, null],
  );
  await page.setViewportSize({ width: 360, height: 800 });
  await expectNoOverflow(page, 'the form of single sign-on');
  await page.context().close();
});

browserTest('a person signs in by the email address, and is in the list of people', async () => {
  await setUp();
  const page = await openBrowser(null);
  peer.setUser(user('bob', ['leads']));
  await continueWithSso(page, 'bob@example.com');
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  await page.goto(`${server.url}/people`);
  const row = page.getByRole('row', { name: /bob@example.com/ });
  await row.getByText('Single sign-on').waitFor();
  await row.getByText('admin', { exact: true }).waitFor();
  await expectAccessible(page, 'people with single sign-on');
  await page.goto(`${server.url}/account`);
  await page.getByText('You use single sign-on').waitFor();
  assert.equal(await page.getByLabel('New password').count(), 0);
  await page.context().close();
});

/** A link on a page of another site, such as a tile of the identity provider. */
async function followLink(page: Page, email: string): Promise<void> {
  const url = `${server.url}/api/v1/account/sso?${new URLSearchParams({ email })}`;
  await page.goto(`data:text/html,<a href="${url}">toolgate</a>`);
  await page.getByRole('link', { name: 'toolgate' }).click();
}

browserTest('a link on another site shows a button, which signs the person in', async () => {
  await setUp();
  const page = await openBrowser(null);
  peer.setUser(user('tina', ['leads']));
  await followLink(page, 'tina@example.com');
  await page.getByRole('heading', { name: 'Sign in with single sign-on' }).waitFor();
  await page.getByText('tina@example.com').waitFor();
  await expectAccessible(page, 'a link on another site');
  await page.setViewportSize({ width: 360, height: 800 });
  await expectNoOverflow(page, 'a link on another site');
  await page.getByRole('button', { name: 'Continue with single sign-on' }).click();
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  await page.context().close();
});

browserTest('a person who is signed in to another account chooses the account to go on with', async () => {
  await setUp();
  const person = await makePerson(server, owner, 'viewer');
  const page = await openBrowser(person);
  peer.setUser(user('ulla', ['builders']));
  const question = page.getByRole('heading', { name: 'Continue as ulla@example.com?' });
  const expectAccount = async (email: string) => {
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    const account = await page.evaluate(async () => (await fetch('/api/v1/account')).text());
    assert.equal(JSON.parse(account).email, email);
  };
  await followLink(page, 'ulla@example.com');
  await page.getByRole('button', { name: 'Continue with single sign-on' }).click();
  await question.waitFor();
  await expectAccessible(page, 'the question about another account');
  await page.setViewportSize({ width: 360, height: 800 });
  await expectNoOverflow(page, 'the question about another account');
  await page.getByRole('button', { name: `Stay signed in as ${person.email}` }).click();
  await expectAccount(person.email);
  await continueWithSso(page, 'ulla@example.com');
  await question.waitFor();
  await page.getByRole('button', { name: 'Continue as ulla@example.com' }).click();
  await expectAccount('ulla@example.com');
  await page.context().close();
});

browserTest('a person without a role, and an unknown domain, get a page that says why and leads back', async () => {
  await setUp();
  const page = await openBrowser(null);
  peer.setUser(user('carl', ['others']));
  await continueWithSso(page, 'carl@example.com');
  await page.getByRole('heading', { name: 'Your groups at the identity provider give you no role here' }).waitFor();
  await expectAccessible(page, 'a refused sign-in');
  await page.getByRole('link', { name: 'Back to the sign-in page' }).click();
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  await continueWithSso(page, 'someone@elsewhere.example');
  await page.getByRole('heading', { name: 'Single sign-on is not set up for this email domain' }).waitFor();
  await page.context().close();
});

browserTest('a person with a password gives it once, and signs in by single sign-on from then on', async () => {
  await setUp();
  const person = await makePerson(server, owner, 'viewer');
  const page = await openBrowser(null);
  peer.setUser({ ...user('dora', ['builders']), sub: 'dora', email: person.email });
  await continueWithSso(page, person.email);
  await page.getByText('Enter its password once').waitFor();
  await expectAccessible(page, 'the password of the account');
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByRole('alert').getByText('Email or password is wrong').waitFor();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  const { body } = await owner.api('GET', `/organization/accounts/${person.account.id}`);
  assert.deepEqual([body.has_sso, body.role], [true, 'developer']);
  await page.context().close();
});

browserTest(
  'an owner marks a break-glass owner and requires it: other sessions end, passwords are refused',
  async () => {
    await setUp();
    const { secret } = (await owner.api('POST', '/account/totp')).body;
    const code = () => totpCode(secret, Math.floor(server.app.now() / 30_000));
    await owner.api('POST', '/account/totp/confirm', { body: { code: code() } });
    const other = await makePerson(server, owner, 'developer');
    const theirs = await openBrowser(other);
    await theirs.goto(`${server.url}/people`);
    const page = await openBrowser(owner);
    await page.goto(`${server.url}/people`);
    const row = page.getByRole('row', { name: new RegExp(owner.email) });
    await row.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Make break-glass owner' }).click();
    await row.getByText('Break-glass').waitFor();
    await page.getByRole('tab', { name: 'Single sign-on' }).click();
    await page.getByLabel('Require single sign-on').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Single sign-on saved').waitFor();
    await theirs.reload();
    await theirs.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await theirs.getByLabel('Email').fill(other.email);
    await theirs.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await theirs.getByRole('button', { name: 'Sign in', exact: true }).click();
    await theirs.getByRole('alert').getByText('Your organization requires single sign-on').waitFor();
    for (const each of [page, theirs]) await each.context().close();
  },
);
