// The list of projects and the overview: archive, search, a failing server, hostile names, and that nothing moves.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { makePerson } from '../../server/test/support/make/make-accounts.ts';
import {
  browserTest,
  closePage,
  expectAccessible,
  expectNoOverflow,
  startDashboard,
  waitForData,
} from './open-browser.ts';
import { goTo } from './turn-page.ts';

const dashboard = await startDashboard();
const { api, project_id } = dashboard;
const project = `/projects/${project_id}`;
const cards = (page: Page) => page.getByRole('list', { name: 'Projects' }).getByRole('listitem');

browserTest('a project is archived with Undo, found under "Archived", and restored', async () => {
  const { id } = await api('POST', '/projects', { name: 'Old trial' });
  const isArchived = async () => (await api('GET', `/projects/${id}`)).is_archived;
  const page = await dashboard.open('/');
  const card = cards(page).filter({ hasText: 'Old trial' });
  const archive = async () => {
    await card.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await card.waitFor({ state: 'detached' });
  };
  await archive();
  assert.equal(await isArchived(), true);
  await page.getByRole('button', { name: 'Undo' }).click();
  await card.waitFor();
  assert.equal(await isArchived(), false);
  await archive();

  await page.getByRole('button', { name: 'Switch project' }).click();
  await page.getByRole('menuitem', { name: 'All projects' }).waitFor();
  assert.equal(await page.getByRole('menuitem', { name: /Old trial/ }).count(), 0);
  await page.keyboard.press('Escape');
  await page.getByLabel('Show', { exact: true }).selectOption('Archived');
  await card.waitFor();
  assert.equal(new URL(page.url()).searchParams.get('is_archived'), 'true');
  await expectAccessible(page, 'archived projects');
  await card.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Restore' }).click();
  await page.getByRole('heading', { name: 'No archived projects' }).waitFor();
  assert.equal(await isArchived(), false);
  await closePage(page);
});

browserTest('projects are searched by name and id, the last opened first, and a created one is opened', async () => {
  await api('POST', '/projects', { name: 'Newer' });
  const page = await dashboard.open(project);
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await goTo(page, '/');
  await cards(page).first().getByRole('link', { name: 'Shop' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type(project_id.slice(4, 16).toLowerCase());
  await cards(page).nth(1).waitFor({ state: 'detached' });
  assert.equal(await cards(page).count(), 1);
  await page.getByRole('button', { name: 'Create project' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create project' });
  await dialog.getByLabel('Name').fill('Fresh');
  await dialog.getByLabel('Environment').selectOption('production');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await page.getByRole('banner').getByText('Fresh').waitFor();
  await page.getByRole('banner').getByText('production').waitFor();
  await page.getByRole('list', { name: 'First steps' }).waitFor();
  const sample = page.getByRole('button', { name: 'Load the sample shop' });
  assert.match((await sample.getAttribute('aria-description')) ?? '', /development/);
  await closePage(page);
});

browserTest('when the numbers cannot be read, the overview and the list say so, and recover', async () => {
  const page = await dashboard.open('/account');
  await waitForData(page);
  const error = { code: 'INTERNAL', message: 'It broke', details: {}, request_id: 'req_of_the_failure' };
  const pattern = /\/api\/v1\/.*(analytics|usage|tool-calls|api-keys|projects)\b(?!\/prj_\w+$)/;
  await page.route(pattern, (route) => route.fulfill({ status: 500, json: { error } }));
  await goTo(page, '/');
  await page.getByRole('alert').getByText('req_of_the_failure').waitFor();
  await goTo(page, project);
  await page.getByRole('heading', { name: 'Last 24 hours' }).waitFor();
  const alerts = page.getByRole('alert');
  await alerts.nth(2).waitFor();
  await waitForData(page);
  await expectAccessible(page, 'a failing overview');
  await page.unroute(pattern);
  while ((await alerts.count()) > 0) {
    const before = await alerts.count();
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await alerts.nth(before - 1).waitFor({ state: 'detached' });
  }
  await page.getByText('No call has failed.').waitFor();
  await closePage(page);
});

const hostile = [
  '<img src=x onerror="window.ran=1">',
  '</script><script>window.ran=1</script>',
  '\u202Eeman desrever \u05E9\u05DC\u05D5\u05DD',
  '🧨👨‍👩‍👧‍👦'.repeat(8),
  'W'.repeat(128),
  '{{constructor.constructor("window.ran=1")()}}',
];

browserTest('names with markup, right-to-left letters, emoji or 128 letters neither run nor break a page', async () => {
  const hostileProject = await api('POST', '/projects', { name: hostile[0] });
  for (const name of hostile.slice(1)) await api('POST', '/projects', { name });
  const home = `/projects/${hostileProject.id}`;
  for (const name of hostile) {
    const key = { name, permissions: ['read'] };
    await api('POST', `${home}/api-keys`, key);
    const person = await makePerson(dashboard.server, dashboard.owner, 'viewer');
    await person.api('PATCH', '/account', { body: { name } });
  }
  const page = await dashboard.open('/', { width: 360 });
  let dialogs = 0;
  page.on('dialog', (dialog) => {
    dialogs += 1;
    return dialog.dismiss();
  });
  for (const path of ['/', '/people', '/people?tab=organization', home, `${home}/api-keys`, `${home}/settings`]) {
    await goTo(page, path);
    await waitForData(page);
    await expectNoOverflow(page, path);
    if (path === home) {
      await page.getByRole('button', { name: 'Switch project' }).click();
      await expectNoOverflow(page, 'the switcher');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await page.getByRole('option', { name: 'W'.repeat(128) }).waitFor();
      await expectNoOverflow(page, 'the palette');
    }
    assert.equal(await page.locator('img, main script').count(), 0, `${path} has an element of a name`);
  }
  assert.deepEqual([await page.evaluate('window.ran'), dialogs], [undefined, 0]);
  assert.ok(await page.title());
  await closePage(page);
});

browserTest('while another project loads, no number of the last one is shown', async () => {
  const other = await api('POST', '/projects', { name: 'Slow to load' });
  let respond = () => {};
  const held = new Promise<void>((resolve) => {
    respond = resolve;
  });
  const page = await dashboard.open('/account');
  await page.route(/\/api\/v1\/projects\/\w+\/analytics\b/, async (route) => {
    if (!route.request().url().includes(project_id)) await held;
    const response = await route.fetch();
    const json = await response.json();
    await route.fulfill({ response, json: { ...json, totals: { ...json.totals, calls: 4711 } } });
  });
  await goTo(page, project);
  await page.getByText('4,711').waitFor();
  await page.getByRole('button', { name: 'Switch project' }).click();
  await page.getByRole('menuitem', { name: /Slow to load/ }).click();
  await page.waitForURL(`**/projects/${other.id}`);
  await page.getByText('4,711').waitFor({ state: 'detached' });
  respond();
  await page.getByText('4,711').waitFor();
  await closePage(page);
});

browserTest('an open page of a project that somebody else deleted says that it is gone', async () => {
  const { id } = await api('POST', '/projects', { name: 'Deleted elsewhere' });
  const page = await dashboard.open(`/projects/${id}`);
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await waitForData(page);
  await api('DELETE', `/projects/${id}`);
  await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor();
  assert.equal(await page.getByRole('main').getByRole('alert').count(), 0);
  await closePage(page);
});
