// /docs/api: the reference is drawn from this server's document, and nothing is asked of anybody else.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { buildSite } from '../../server/test/support/build-site.ts';
import { browserTest, closePage, expectAccessible, expectNoOverflow, startDashboard } from './open-browser.ts';

/** Scalar reads the whole document first: two seconds on a quiet machine, much more on a busy one. */
const DRAWN_WITHIN_MS = 90_000;

/** Its markup breaks rules that no setting changes: those are not ours. Its colors are. */
const SCALAR = '#reference';
const lowContrast = `axe.run('${SCALAR}', { runOnly: ['color-contrast'] })
  .then(({ violations }) => violations.flatMap(({ nodes }) => nodes.map(({ html }) => html)))`;

buildSite();
const dashboard = await startDashboard();
const heading = (page: Page) => page.getByRole('heading', { name: 'API reference', level: 1 });
const open = async (options: Parameters<typeof dashboard.open>[1] = {}) => {
  const page = await dashboard.open('/healthz', options);
  await page.goto(`${dashboard.server.url}/docs/api`, { timeout: DRAWN_WITHIN_MS });
  await heading(page).waitFor({ timeout: DRAWN_WITHIN_MS });
  return page;
};

browserTest('the API reference shows the operations, offline, in both themes', async () => {
  for (const theme of ['light', 'dark'] as const) {
    const page = await open({ theme, as: null });
    assert.match(await page.title(), /^API reference/);
    await page.getByText('API keys').first().waitFor();
    await page.getByRole('heading', { name: 'Projects' }).first().waitFor();
    const background: string = await page.evaluate("getComputedStyle(document.querySelector('.scalar-app')).color");
    assert.match(background, theme === 'dark' ? /^rgb\(2\d\d/ : /^rgb\(\d\d?,/, `the text in ${theme}`);
    await expectAccessible(page, `the frame in ${theme}`, SCALAR);
    assert.deepEqual(await page.evaluate(lowContrast), [], `what can be read in ${theme}`);
    await page.setViewportSize({ width: 360, height: 800 });
    await expectNoOverflow(page, 'the reference at 360 px');
    await closePage(page);
  }
});

browserTest('the URL of an operation leads to it, below a heading that is larger than its text', async () => {
  const page = await open();
  await page.goto(`${dashboard.server.url}/docs/api#api/tag/custom-tools/createCustomTool`);
  await page.reload({ timeout: DRAWN_WITHIN_MS });
  const title = page.getByRole('heading', { name: 'Register a tool' });
  await title.waitFor({ timeout: DRAWN_WITHIN_MS });
  await page.waitForFunction('scrollY > innerHeight', null, { timeout: DRAWN_WITHIN_MS });
  const { y = -1 } = (await title.boundingBox()) ?? {};
  assert.ok(y > 0 && y < 500, `the heading is ${y} px below the top of the window`);
  const size: string = await page.evaluate(
    "getComputedStyle([...document.querySelectorAll('h3')].find((h3) => h3.textContent.startsWith('Register a tool'))).fontSize",
  );
  assert.ok(Number.parseFloat(size) >= 20, `the heading has ${size}`);
  await closePage(page);
});

browserTest('project and key are filled in on request, and are neither stored nor in the URL', async () => {
  const key = 'svc_test_filledInByAPerson';
  const page = await open();
  await page.getByRole('button', { name: 'Fill in my project and key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Fill in my project and key' });
  await page.locator(`datalist option[value="${dashboard.project_id}"]`).waitFor({ state: 'attached' });
  await dialog.getByLabel('Project').fill(dashboard.project_id);
  await dialog.getByLabel('API key').fill(key);
  await expectAccessible(page, 'the dialog', SCALAR);
  await dialog.getByRole('button', { name: 'Fill in', exact: true }).click();
  await page.getByText('Get a project', { exact: true }).first().click();
  await page
    .getByText(`/api/v1/projects/${dashboard.project_id}`)
    .first()
    .waitFor({ state: 'attached', timeout: DRAWN_WITHIN_MS });
  await page.getByText(key).first().waitFor({ state: 'attached' });
  const kept: string = await page.evaluate(
    'JSON.stringify([localStorage, sessionStorage, location.href, document.cookie])',
  );
  assert.ok(!kept.includes(key), kept);
  await closePage(page);
});

browserTest('a document that cannot be read is said on the page', async () => {
  const page = await dashboard.open('/account');
  await page.route('**/openapi.json', (route) => route.fulfill({ status: 503, body: '' }));
  await page.goto(`${dashboard.server.url}/docs/api`);
  await page.getByRole('alert').getByText('could not be loaded').waitFor();
  await closePage(page);
});
