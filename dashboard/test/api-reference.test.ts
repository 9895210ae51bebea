// /docs: the reference is drawn from this server's document, and nothing is asked of anybody else.

import { browserTest, closePage, openPage, startServerWithDashboard } from './open-browser.ts';

/** Scalar reads the whole document first: two seconds on a quiet machine, much more on a busy one. */
const DRAWN_WITHIN_MS = 90_000;

const server = await startServerWithDashboard();

browserTest('the API reference shows the operations, offline, in both themes', async () => {
  for (const theme of ['light', 'dark'] as const) {
    const page = await openPage(server, '/docs', { theme });
    await page.getByRole('heading', { name: 'toolgate', level: 1 }).waitFor({ timeout: DRAWN_WITHIN_MS });
    await page.getByText('API keys').first().waitFor();
    await page.getByRole('heading', { name: 'Projects' }).first().waitFor();
    await closePage(page);
  }
});
