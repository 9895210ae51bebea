// Webhooks, analytics, logs and the audit log: filled, empty and failing, in light and dark, on narrow and wide screens.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { fillCalls, fillWebhooks } from './fill-logs.ts';
import {
  browserTest,
  closePage,
  expectAccessible,
  expectNoOverflow,
  expectScreen,
  startDashboard,
  waitForData,
} from './open-browser.ts';

const WIDTHS = [360, 768, 1600];
const customer = await startCustomer();
after(() => customer.close());
const dashboard = await startDashboard({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { api, owner } = dashboard;
const empty = (await owner.api('POST', '/projects', { body: { name: 'Empty' } })).body;
await fillCalls(dashboard, customer);
const { bad } = await fillWebhooks(dashboard, customer);
const hostile = '<img src=x onerror=alert(1)>‮eman '.repeat(12);
await api('PATCH', `/projects/${dashboard.project_id}/webhooks/${bad.id}`, {
  url: `${customer.url}/${'very-long-path/'.repeat(40)}`,
  description: hostile,
});
await api('POST', `/projects/${dashboard.project_id}/api-keys`, { name: hostile.slice(0, 128), permissions: ['read'] });

const screens = [
  { path: '/webhooks', heading: 'Webhooks', nothing: 'No webhooks yet' },
  { path: '/analytics', heading: 'Analytics', nothing: 'No calls in this period' },
  { path: '/analytics?range=30d&compare=on&group_by=member', heading: 'Analytics', nothing: 'No calls in this period' },
  { path: '/logs', heading: 'Logs', nothing: 'No calls yet' },
  { path: '/audit-log', heading: 'Audit log', nothing: null },
  { path: `/webhooks/${bad.id}`, heading: 'https://', nothing: null },
];

for (const { path, heading, nothing } of screens) {
  browserTest(`${path.replace(bad.id, '{id}')} has no violation in light and dark, and fits every screen`, async () => {
    const page = await dashboard.open(`/projects/${dashboard.project_id}${path}`);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    await waitForData(page);
    assert.ok((await page.title()).startsWith(heading), await page.title());
    await expectScreen(page, path, WIDTHS);
    await page.setViewportSize({ width: 360, height: 800 });
    await expectAccessible(page, `${path} in dark at 360 px`);
    await closePage(page);
  });
  if (nothing === null) continue;
  browserTest(`${path} says what to do when there is nothing`, async () => {
    const page = await dashboard.open(`/projects/${empty.id}${path}`, { width: 360 });
    await page.getByText(nothing).first().waitFor();
    await waitForData(page);
    await expectAccessible(page, 'nothing there');
    await expectNoOverflow(page, 'nothing there');
    await closePage(page);
  });
}

const failure = {
  code: 'INTERNAL_ERROR',
  message: 'An internal error occurred',
  details: { reason: 'internal_error', remedy: 'Try again.' },
  request_id: 'req_5kWm8nQzXv5tRb1YcL7pHd',
};

browserTest('a chart that was not measured yet is not wider than the screen', async () => {
  const measureNothing = 'ResizeObserver = class { observe() {} unobserve() {} disconnect() {} }';
  const page = await dashboard.open(`/projects/${dashboard.project_id}/analytics`, {
    width: 360,
    is_reused: false,
    before: (page) => page.addInitScript(measureNothing),
  });
  await page.getByRole('img', { name: 'Calls, drawn over time' }).waitFor();
  await expectNoOverflow(page, 'the chart');
  await closePage(page);
});

browserTest('a list that is read again and again keeps the alert of its failure until "Try again"', async () => {
  let requests = 0;
  const page = await dashboard.open(`/projects/${dashboard.project_id}/webhooks/${bad.id}`, {
    async before(page) {
      await page.route('**/deliveries?limit=25', (route) => {
        requests += 1;
        return route.fulfill({ status: 500, json: { error: failure } });
      });
      await page.clock.install();
    },
  });
  const alert = page.getByRole('alert').filter({ hasText: failure.request_id });
  await alert.waitFor();
  await page.clock.fastForward(60_000);
  await alert.getByRole('button', { name: 'Try again' }).click();
  await alert.waitFor();
  assert.equal(requests, 2);
  await closePage(page);
});

for (const { path, resource } of [
  { path: '/webhooks', resource: 'webhooks' },
  { path: '/analytics', resource: 'analytics' },
  { path: '/logs', resource: 'tool-calls' },
  { path: '/audit-log', resource: 'audit-log' },
  { path: `/webhooks/${bad.id}`, resource: 'deliveries' },
]) {
  browserTest(`${path.replace(bad.id, '{id}')} shows a failed request with its id, and recovers`, async () => {
    const isFailing = ({ pathname }: URL) => pathname.startsWith('/api/') && pathname.endsWith(`/${resource}`);
    const page = await dashboard.open(`/projects/${dashboard.project_id}${path}`, {
      before: (page) => page.route(isFailing, (route) => route.fulfill({ status: 500, json: { error: failure } })),
    });
    const alert = page.getByRole('alert').filter({ hasText: failure.request_id }).first();
    await alert.getByText(failure.message).waitFor();
    await expectAccessible(page, 'the failure');
    await page.unroute(isFailing);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('table').first().waitFor();
    await alert.waitFor({ state: 'detached' });
    await closePage(page);
  });
}
