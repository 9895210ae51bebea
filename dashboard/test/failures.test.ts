// A request that fails is on the page, and nowhere else: not in the console, and not after "Try again".

import assert from 'node:assert/strict';
import type { Page, Route } from 'playwright-core';
import { waitUntil } from '../../server/test/support/wait-until.ts';
import { browserTest, closePage, startDashboard, waitForData } from './open-browser.ts';

const dashboard = await startDashboard();
const { server, project_id } = dashboard;

const error = { code: 'INTERNAL_ERROR', message: 'It broke', details: {}, request_id: 'req_of_the_failure' };
const fail = (route: Route) => route.fulfill({ status: 500, json: { error } });

/** Fails until it is told to hold; then the requests wait until it is told how to go on. */
async function failAndHold(page: Page, path: string) {
  const held: Route[] = [];
  let respond: ((route: Route) => Promise<void>) | null = fail;
  await page.route(
    ({ pathname }) => pathname === `/api/v1${path}`,
    (route) => {
      if (respond) return respond(route);
      held.push(route);
      return undefined;
    },
  );
  return {
    hold: () => {
      respond = null;
    },
    async release(how: (route: Route) => Promise<void>): Promise<void> {
      // Before that: the alert may be gone a moment before the request is sent.
      await waitUntil(async () => held.length > 0, 20_000, 'the request is sent again');
      respond = how;
      for (const route of held.splice(0)) await how(route);
    },
  };
}

for (const [what, address, path] of [
  ['the account', '/', '/account'],
  ['the project', `/projects/${project_id}/webhooks`, `/projects/${project_id}`],
  ['a list', `/projects/${project_id}/api-keys`, `/projects/${project_id}/api-keys`],
] as const) {
  browserTest(`"Try again" removes the alert of ${what} until the answer is there, and nothing is logged`, async () => {
    const page = await dashboard.open('/docs/errors');
    const requests = await failAndHold(page, path);
    await page.goto(server.url + address);
    const alert = page.getByRole('alert').filter({ hasText: 'It broke' });
    await alert.getByText(error.request_id).waitFor();
    requests.hold();
    await alert.getByRole('button', { name: 'Try again' }).click();
    await alert.waitFor({ state: 'detached' });
    await requests.release(fail);
    await alert.waitFor();
    requests.hold();
    await alert.getByRole('button', { name: 'Try again' }).click();
    await alert.waitFor({ state: 'detached' });
    await requests.release((route) => route.fallback());
    await waitForData(page);
    assert.equal(await page.getByRole('alert').count(), 0);
    await closePage(page);
  });
}

browserTest('"Try again" in one part of the overview tries every part that failed', async () => {
  let isBroken = true;
  const parts = ['analytics', 'usage', 'tool-calls'].map((part) => `/api/v1/projects/${project_id}/${part}`);
  const page = await dashboard.open(`/projects/${project_id}`, {
    before: (page) =>
      page.route(
        ({ pathname }) => parts.includes(pathname),
        (route) => (isBroken ? fail(route) : route.fallback()),
      ),
  });
  const alerts = page.getByRole('alert').filter({ hasText: 'It broke' });
  for (const name of ['Last 24 hours', 'Live calls', 'Last errors']) {
    const part = page.locator('section').filter({ has: page.getByRole('heading', { name }) });
    await part.getByRole('alert').waitFor();
  }
  isBroken = false;
  await alerts.nth(1).getByRole('button', { name: 'Try again' }).click();
  for (const text of ['Requests this hour', 'No calls yet', 'No call has failed.'])
    await page.getByText(text).waitFor();
  assert.equal(await alerts.count(), 0);
  await closePage(page);
});

browserTest('a page that is loaded ahead and fails is not in the console', async () => {
  const other = (await dashboard.owner.api('POST', '/projects', { body: { name: 'Other' } })).body;
  const page = await dashboard.open('/');
  await waitForData(page);
  await page.route(({ pathname }) => pathname === `/api/v1/projects/${other.id}`, fail);
  const failed = page.waitForResponse((response) => response.status() === 500);
  await page.getByRole('link', { name: 'Other' }).first().hover();
  await failed;
  await page.getByRole('link', { name: 'Other' }).first().click();
  await page.getByRole('alert').getByText(error.request_id).waitFor();
  await closePage(page);
});
