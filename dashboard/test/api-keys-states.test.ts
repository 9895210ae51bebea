// The pages of keys in every state: empty, loading, failing, refused, signed out, and gone.

import assert from 'node:assert/strict';
import { makePerson, PASSWORD } from '../../server/test/support/make/make-accounts.ts';
import {
  browserTest,
  chooseAction,
  closePage,
  comeBack,
  confirmByName,
  expectAccessible,
  startDashboard,
  waitForData,
} from './open-browser.ts';
import { goTo } from './turn-page.ts';

const dashboard = await startDashboard();
const path = `/projects/${dashboard.project_id}/api-keys`;
const makeKey = (name: string) => dashboard.api('POST', path, { name, permissions: ['read'] });

browserTest('without keys the page offers to create one', async () => {
  const page = await dashboard.open(path);
  await page.getByRole('heading', { name: 'No API keys yet' }).waitFor();
  for (const name of ['Create API key', 'Create the first API key'])
    assert.equal(await page.getByRole('button', { name }).count(), 1, name);
  await expectAccessible(page, 'no keys');
  await closePage(page);
});

browserTest('a mark of direction in a name is shown as a mark, and turns nothing', async () => {
  const { id } = await makeKey('pay\u202Eload');
  const page = await dashboard.open(path);
  const name = page.getByRole('row', { name: /load/ });
  await name.getByRole('link').locator('bdi').waitFor();
  await name.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Deactivate' }).click();
  await page.getByText('“pay[U+202E]load” is inactive', { exact: true }).waitFor();
  await name.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('alertdialog', { name: /^Delete the API key “pay ?U\+202E ?load”\?$/ });
  await dialog.getByLabel('Type the name to confirm').fill('payload');
  assert.equal(await dialog.getByRole('button', { name: 'Delete' }).isEnabled(), true);
  await goTo(page, `${path}/${id}`);
  await page.getByRole('heading', { name: 'tool calls in 7 days' }).waitFor();
  assert.match(await page.title(), /^pay\[U\+202E\]load · /);
  await closePage(page);
});

browserTest('what the API refuses is shown at the field that it names, with the request id', async () => {
  const page = await dashboard.open(`${path}?dialog=create`);
  const dialog = page.getByRole('dialog', { name: 'Create API key' });
  await dialog.getByLabel('Name').fill('Expired');
  await dialog.getByLabel('Expires').selectOption('On a date');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await dialog.getByText('Choose a date', { exact: true }).waitFor();
  await dialog.getByLabel('Expiry date').fill('2020-01-01');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  const alert = page.getByRole('alert');
  await alert.getByText(/req_/).waitFor();
  const field = dialog.getByLabel('Expiry date');
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  const described = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];
  const texts = await Promise.all(described.map((id) => page.locator(`[id="${id}"]`).textContent()));
  assert.match(texts.join(' '), /future/);
  await expectAccessible(page, 'a refused form');
  await closePage(page);
});

browserTest('who may not see the keys is told why, and every control says so too', async () => {
  const viewer = await makePerson(dashboard.server, dashboard.owner, 'viewer');
  const page = await dashboard.open(path, { as: viewer });
  await page.getByRole('heading', { name: 'You cannot see API keys' }).waitFor();
  const create = page.getByRole('button', { name: 'Create API key' });
  assert.equal(await create.getAttribute('aria-disabled'), 'true');
  assert.match((await create.getAttribute('aria-description')) ?? '', /viewer.*admin/);
  await create.click({ force: true });
  await page.keyboard.press('c');
  assert.equal(await page.getByRole('dialog').count(), 0);
  await expectAccessible(page, 'a viewer');
  await goTo(page, '/');
  await waitForData(page);
  await page.getByRole('link', { name: 'Shop' }).first().click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await waitForData(page);
  assert.equal(await page.getByRole('alert').count(), 0, 'nothing that a viewer may not read is asked for');
  await closePage(page);
});

browserTest('a failing server is shown with its request id, and "Try again" tries again', async () => {
  const { name } = await makeKey('Behind a failure');
  const page = await dashboard.open('/');
  await waitForData(page);
  const body = JSON.stringify({
    error: { code: 'INTERNAL', message: 'It broke', details: {}, request_id: 'req_of_the_failure' },
  });
  const pattern = /\/api-keys\?/;
  await page.route(pattern, (route) => route.fulfill({ status: 500, contentType: 'application/json', body }));
  await goTo(page, path);
  const alert = page.getByRole('alert');
  await alert.getByText('req_of_the_failure').waitFor();
  await expectAccessible(page, 'a failed request');
  await page.unroute(pattern);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('link', { name }).waitFor();
  await closePage(page);
});

browserTest(
  'a failed action shows one alert with the request id, which stays until it is dismissed by keyboard',
  async () => {
    const { name } = await makeKey('Not to pause');
    const page = await dashboard.open('/account');
    await waitForData(page);
    const error = { code: 'INTERNAL', message: 'It broke', details: {}, request_id: 'req_of_the_action' };
    await page.route(/\/api\/v1\//, (route) =>
      route.request().method() === 'GET' ? route.fallback() : route.fulfill({ status: 500, json: { error } }),
    );
    await page.clock.install();
    await goTo(page, path);
    await chooseAction(page, name, 'Deactivate');
    const alert = page.getByRole('alert');
    await alert.getByText('req_of_the_action').waitFor();
    await alert.getByText('It broke').waitFor();
    await page.clock.fastForward(60_000);
    assert.equal(await alert.count(), 1, 'one failure is one alert');
    await expectAccessible(page, 'the alert');
    await page.keyboard.press('F6');
    await page.keyboard.press('Tab');
    await page.locator('[role=alert]:focus').waitFor();
    await page.keyboard.press('Escape');
    await alert.waitFor({ state: 'detached' });

    // Everywhere the same.
    await goTo(page, '/');
    await page.getByRole('list', { name: 'Projects' }).getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await alert.getByText('req_of_the_action').waitFor();
    await goTo(page, '/account');
    await page.getByRole('button', { name: 'Turn on two-factor' }).click();
    await alert.getByText('req_of_the_action').waitFor();
    await goTo(page, `/projects/${dashboard.project_id}/custom-tools`);
    await waitForData(page);
    await page.route(/custom-tools\?limit=100/, (route) => route.fulfill({ status: 500, json: { error } }));
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'CSV' }).click();
    await alert.getByText('req_of_the_action').waitFor();
    assert.equal(await alert.count(), 1);
    await closePage(page);
  },
);

browserTest('an ended session leads to the sign-in, which says so and returns to the page', async () => {
  const developer = await makePerson(dashboard.server, dashboard.owner, 'developer');
  const page = await dashboard.open('/', { as: developer });
  await waitForData(page);
  await developer.api('POST', '/account/sign-out');
  await page.goto(dashboard.server.url + path);
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  await page.getByLabel('Email').fill(developer.email);
  await page.getByLabel('Password', { exact: true }).fill('wrong password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').getByText('Email or password is wrong').waitFor();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByText('You are signed out.').waitFor();
  await closePage(page);
});

browserTest('while another key loads, nothing of the last one is on its page', async () => {
  const first = await makeKey('First to look at');
  const second = await makeKey('Second to look at');
  const page = await dashboard.open(`${path}/${first.id}`);
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 });
  await heading(first.name).waitFor();
  let respond = () => {};
  const held = new Promise<void>((resolve) => {
    respond = resolve;
  });
  await page.route(`**/api-keys/${second.id}`, async (route) => {
    await held;
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  // What is typed before the palette has the focus goes to the page.
  await page.getByRole('dialog', { name: 'Command palette' }).locator('input').fill(second.id);
  await page.getByRole('option').first().click();
  await heading(first.name).waitFor({ state: 'detached' });
  respond();
  await heading(second.name).waitFor();
  await closePage(page);
});

browserTest('the page of a key that somebody else deleted says that it is gone', async () => {
  const { id, name } = await makeKey('Deleted elsewhere');
  const page = await dashboard.open(`${path}/${id}`);
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  await dashboard.api('DELETE', `${path}/${id}`);
  await comeBack(page);
  await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor();
  await closePage(page);
});

browserTest('after something is deleted the focus goes on in the content', async () => {
  for (const isOnPage of [false, true]) {
    const { id, name } = await makeKey(isOnPage ? 'Deleted on its page' : 'Deleted in the list');
    const page = await dashboard.open(isOnPage ? `${path}/${id}` : path);
    if (isOnPage) {
      await page.getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
    } else await chooseAction(page, name, 'Delete');
    const dialog = page.getByRole('alertdialog');
    await confirmByName(dialog, name);
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    await page.locator('#content:focus').waitFor();
    assert.equal(await page.getByRole('row', { name }).count(), 0);
    await closePage(page);
  }
});
