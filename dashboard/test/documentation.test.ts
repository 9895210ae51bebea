// The documentation site in a browser: its frame, its search and its pages.

import assert from 'node:assert/strict';
import { buildSite } from '../../server/test/support/build-site.ts';
import { browserTest, closePage, expectAccessible, expectNoOverflow, startDashboard } from './open-browser.ts';

buildSite();
const dashboard = await startDashboard();
/** A guide with code, tables and many headings. */
const GUIDE = '/docs/guides/first-tool';

browserTest('a guide, the errors and the first page are accessible in both themes, and fit a phone', async () => {
  for (const path of [GUIDE, '/docs/errors', '/docs'])
    for (const theme of ['light', 'dark'] as const) {
      const page = await dashboard.open(path, { theme, as: null });
      await expectAccessible(page, `${path} in ${theme}`);
      await page.setViewportSize({ width: 360, height: 800 });
      await expectNoOverflow(page, `${path} at 360 px`);
      await closePage(page);
    }
});

browserTest('the slash opens the search, arrows choose a result, and Enter opens it at its heading', async () => {
  const page = await dashboard.open(GUIDE, { as: null });
  await page.keyboard.press('/');
  const query = page.getByRole('combobox', { name: 'Search the documentation' });
  await query.fill('INVALID_API_KEY');
  const results = page.getByRole('option');
  await results.first().waitFor();
  await expectAccessible(page, 'the search');
  assert.equal(await results.first().getAttribute('aria-selected'), 'true');
  await page.keyboard.press('ArrowDown');
  assert.equal(await results.nth(1).getAttribute('aria-selected'), 'true');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/docs\/errors#invalid_api_key$/);
  await page.keyboard.press('Control+k');
  await query.fill('zzzzqqqq');
  await page.getByText('Nothing was found').waitFor();
  await page.keyboard.press('Escape');
  await query.waitFor({ state: 'hidden' });
  await closePage(page);
});

browserTest('the first Tab skips to the content, code can be copied, and the theme is kept', async () => {
  const page = await dashboard.open(GUIDE, { as: null });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.match(page.url(), /#page-content$/);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const block = page.locator('.code').first();
  await block.hover();
  await block.getByRole('button', { name: 'Copy' }).click();
  await block.getByRole('button', { name: 'Copied' }).waitFor();
  const copied: string = await page.evaluate('navigator.clipboard.readText()');
  assert.equal(copied, (await block.locator('code').textContent())?.trimEnd());
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await page.reload();
  await page.locator('html[data-theme=dark]').waitFor();
  await page.getByRole('button', { name: 'Light theme' }).click();
  await page.evaluate('localStorage.clear()');
  await closePage(page);
});

browserTest('on a phone the list of pages is behind a button, and leads to a page', async () => {
  const page = await dashboard.open(GUIDE, { width: 390, height: 844, as: null });
  const pages = page.getByRole('navigation', { name: 'Pages' });
  assert.equal(await pages.isVisible(), false);
  await page.getByRole('button', { name: 'Menu' }).click();
  await expectAccessible(page, 'the list of pages on a phone');
  await pages.getByRole('link', { name: 'Concepts' }).click();
  await page.getByRole('heading', { name: 'Concepts', level: 1 }).waitFor();
  await closePage(page);
});

browserTest('the calculator says what a load needs, accessible and on a phone', async () => {
  const page = await dashboard.open('/docs/scaling', { width: 390, height: 844, as: null });
  const form = page.getByRole('form', { name: 'Calculate your own' });
  await form.getByLabel('Tool calls per second').fill('100000');
  await form.getByText('a distributed PostgreSQL').waitFor();
  await form.getByLabel('Tool calls per second').fill('');
  await form.getByLabel('Member sessions per second').fill('-3');
  await form.getByText('nothing').waitFor();
  await expectAccessible(page, 'the calculator');
  await expectNoOverflow(page, 'the calculator at 390 px');
  await closePage(page);
});
