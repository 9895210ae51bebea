// Nothing moves when data arrives: the skeletons of a page have the size of what replaces them.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Page } from 'playwright-core';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { fillCalls } from './fill-logs.ts';
import { browserTest, closePage, startDashboard, waitForData } from './open-browser.ts';

/** What browsers call good is 0.1. A row of a table that moves by its height is about 0.02. */
const MOST = 0.02;

const customer = await startCustomer();
after(() => customer.close());
const dashboard = await startDashboard({ TOOLGATE_EGRESS_ALLOW: customer.address });
const filled = `/projects/${dashboard.project_id}`;
await fillCalls(dashboard, customer);
const { id } = await dashboard.api('POST', '/projects', { name: 'Empty' });
const empty = `/projects/${id}`;

const observe = `
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries())
      window.shifts.push({ value, moved: sources.map(({ node }) => node?.outerHTML?.slice(0, 120) ?? node?.textContent) });
  }).observe({ type: 'layout-shift', buffered: true });
`;

type Shift = { value: number; moved: string[] };

/** Answers wait until the skeletons are painted: otherwise a fast server would hide that they have another size. */
async function openSlowly(page: Page, path: string): Promise<Shift[]> {
  let release = () => {};
  const painted = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Pages are drawn as soon as the account and the project are known.
  const isFirst = (url: string) => /\/account$|\/projects\/prj_\w+$/.test(new URL(url).pathname);
  await page.route(/\/api\/v1\//, async (route) => {
    if (!isFirst(route.request().url())) await painted;
    await route.continue();
  });
  await page.goto(dashboard.server.url + path);
  await page.locator('.animate-skeleton').first().waitFor();
  await page.evaluate(
    'document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))',
  );
  const before: Shift[] = await page.evaluate('window.shifts.splice(0)');
  release();
  await waitForData(page);
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  return [...before, ...((await page.evaluate('window.shifts')) as Shift[])];
}

const pages = [
  '',
  '/api-keys',
  '/integrations',
  '/oauth',
  '/assertion-keys',
  '/members',
  '/custom-tools',
  '/webhooks',
  '/analytics',
  '/logs',
  '/settings',
  '/audit-log',
];

browserTest('no page moves what it shows when its data arrives', async () => {
  const page = await dashboard.open('/sign-in', { as: null });
  const [name = '', value = ''] = dashboard.owner.cookie.split('=');
  await page.context().addCookies([{ name, value, url: dashboard.server.url }]);
  await page.addInitScript(observe);
  const found: string[] = [];
  for (const path of ['/', '/people', '/account', ...pages.flatMap((each) => [filled + each, empty + each])]) {
    const shifts = await openSlowly(page, path);
    const sum = shifts.reduce((total, { value }) => total + value, 0);
    if (sum > MOST) found.push(`${path}: ${sum.toFixed(3)} ${JSON.stringify(shifts)}`);
  }
  assert.deepEqual(found, []);
  await closePage(page);
});
