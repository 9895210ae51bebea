// By keyboard alone: the skip link, the palette, the shortcuts, a dialog, and where the focus goes.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../../server/test/support/make/make-accounts.ts';
import { browserTest, closePage, expectAccessible, startDashboard, waitForData } from './open-browser.ts';

const dashboard = await startDashboard();
const overview = `/projects/${dashboard.project_id}`;
const focused = (page: Page) =>
  page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent ?? ''");

browserTest('the first Tab is the link to the content', async () => {
  const page = await dashboard.open(overview);
  await waitForData(page);
  await page.keyboard.press('Tab');
  assert.equal(await focused(page), 'Skip to content');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate('document.activeElement.id'), 'content');
  await closePage(page);
});

/** Presses Tab until the focus is there. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let i = 0; i < 40; i += 1) {
    if (String(await focused(page)).trim() === name) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab does not lead to ${name}`);
}

browserTest('from the sign-in to a new key without a mouse, and the focus returns to where it was', async () => {
  const page = await dashboard.open('/sign-in', { as: null });
  await page.locator('input[name=email]:focus').waitFor();
  await page.keyboard.type(dashboard.owner.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  await waitForData(page);
  await tabTo(page, 'Shop');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('k');
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
  await waitForData(page);
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: 'Create API key' });
  await dialog.locator('input[name=name]:focus').waitFor();
  await page.keyboard.type('Typed');
  await page.keyboard.press('Enter');
  const saved = page.getByRole('button', { name: 'I have saved it' });
  await saved.waitFor();
  await tabTo(page, 'I have saved it');
  await page.keyboard.press('Enter');
  await saved.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Typed' }).waitFor();

  await page.keyboard.press('/');
  assert.equal(await focused(page), 'Search keys');
  await page.keyboard.type('nothing like it');
  await page.getByText('No key matches').waitFor();
  assert.equal(new URL(page.url()).searchParams.get('search'), 'nothing like it');

  const create = page.getByRole('button', { name: 'Create API key' });
  await create.focus();
  await page.keyboard.press('Enter');
  await dialog.locator('input[name=name]:focus').waitFor();
  for (let i = 0; i < 25; i += 1) {
    await page.keyboard.press('Tab');
    // Behind the last element stands a focus guard, which moves the focus back to the first one in the next frame.
    await page.locator('[role=dialog]:focus-within').waitFor();
  }
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.match(String(await focused(page)), /Create API key/);
  await closePage(page);
});

browserTest('Ctrl+K finds pages, projects and actions, and opens what an id names', async () => {
  const page = await dashboard.open('/');
  await waitForData(page);
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  // The field gets the focus one frame after the palette is there.
  const openPalette = async () => {
    await page.keyboard.press('Control+k');
    await palette.locator('input:focus').waitFor();
  };
  await openPalette();
  await expectAccessible(page, 'the palette');
  await page.keyboard.type('shop');
  await palette.getByRole('option', { name: /Shop/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await openPalette();
  await page.keyboard.type('create key');
  await palette.getByRole('option', { name: /Create API key/ }).waitFor();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Create API key' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  const { id, name } = await dashboard.api('POST', `${overview}/api-keys`, { name: 'Pasted', permissions: ['read'] });
  await openPalette();
  await page.keyboard.insertText(` ${id}\n`);
  await palette.getByRole('option', { name: /Open API key/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  await closePage(page);
});

browserTest('? shows the shortcuts, and they do nothing while somebody types', async () => {
  const page = await dashboard.open('/');
  await waitForData(page);
  await page.getByLabel('Search projects').fill('g');
  await page.keyboard.type('k?');
  assert.equal(await page.getByRole('dialog').count(), 0);
  await page.getByRole('heading', { name: 'Projects' }).click();
  await page.keyboard.press('Escape');
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await sheet.getByText('API keys').waitFor();
  await expectAccessible(page, 'the shortcuts');
  // The focus is on the close button, whose tooltip is open. One press closes both.
  await page.getByText('Close', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await closePage(page);
});

browserTest('on a narrow screen the navigation is behind "Menu", and closes with the choice', async () => {
  const page = await dashboard.open(overview, { width: 360 });
  await waitForData(page);
  assert.equal(await page.getByRole('navigation', { name: 'Project' }).count(), 0);
  await page.getByRole('button', { name: 'Menu' }).click();
  await expectAccessible(page, 'the menu');
  const link = page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'API keys' });
  await link.click();
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
  await page.getByRole('navigation', { name: 'Project' }).waitFor({ state: 'detached' });
  await closePage(page);
});

browserTest('with reduced motion nothing is animated', async () => {
  const page = await dashboard.open(`${overview}/api-keys`);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await waitForData(page);
  await page.keyboard.press('c');
  await page.getByRole('dialog').waitFor();
  const longest = await page.evaluate(
    'Math.max(0, ...document.getAnimations().map(({ effect }) => Number(effect.getComputedTiming().endTime)))',
  );
  assert.ok(Number(longest) < 1, `an animation lasts ${longest} ms`);
  await closePage(page);
});

browserTest('the theme is chosen in the menu, kept, and there before the first paint', async () => {
  const page = await dashboard.open('/', { theme: 'light' });
  await waitForData(page);
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark');
  // Reloaded with every module blocked: only the script in the head runs.
  await page.route(/\/assets\/.*\.js/, (route) => route.abort());
  await page.reload({ waitUntil: 'commit' });
  await page.locator('html[data-theme=dark]').waitFor({ state: 'attached' });
  await page.context().close();
});
