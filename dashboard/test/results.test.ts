// Analytics of results and limits, and the filter of the log for calls that were found by a search.

import assert from 'node:assert/strict';
import { insertCalls } from '../../server/src/features/activity/analytics/store.ts';
import { newCall } from '../../server/test/support/make/new-call.ts';
import { browserTest, closePage, expectScreen, startDashboard, waitForData } from './open-browser.ts';

const dashboard = await startDashboard();
const { project_id } = dashboard;
const base = `/projects/${project_id}`;
const tool = await dashboard.api('POST', '/custom-tools', {
  name: 'list_orders',
  base_url: 'https://api.acme.example',
  endpoint_path: '/',
});
const key = await dashboard.api('POST', `${base}/api-keys`, { name: 'Nightly job', permissions: ['read'] });
const recent = { tool_id: tool.id, tool_name: 'list_orders', api_key_id: key.id, created_at: Date.now() - 60_000 };
const limited = { status: 429, error_code: 'TOOL_LIMIT_REACHED', result_tokens: null, shaped_tokens: null };
await insertCalls(dashboard.server.app.background.pool, [
  newCall(project_id, { ...recent, result_tokens: 8_000, shaped_tokens: 2_000 }),
  newCall(project_id, {
    ...recent,
    tool_id: 'tool_gone',
    tool_name: 'deleted_tool',
    result_tokens: 90,
    shaped_tokens: 90,
  }),
  newCall(project_id, { ...recent, ...limited }),
  newCall(project_id, { ...recent, ...limited }),
  // Earlier: the report has the name of the newest call.
  newCall(project_id, { ...recent, via: 'search', tool_name: 'found_tool', created_at: recent.created_at - 60_000 }),
]);

browserTest('the heaviest tools and the most limited callers lead to where something can be done', async () => {
  const page = await dashboard.open(`${base}/analytics`);
  const heavy = page.getByRole('table', { name: 'Heaviest tools' });
  const row = heavy.getByRole('row', { name: 'list_orders' });
  await row.getByText('2,075').waitFor();
  await row.getByText('8,075').waitFor();
  await row.getByText('74.3%').waitFor();
  await heavy.getByRole('row', { name: 'deleted_tool' }).getByText('90').first().waitFor();
  const refused = page.getByRole('table', { name: 'Most limited' }).getByRole('row', { name: 'Nightly job' });
  await refused.getByRole('cell', { name: '2', exact: true }).waitFor();
  await waitForData(page);
  await expectScreen(page, 'analytics');
  await page.setViewportSize({ width: 1280, height: 800 });
  await refused.getByRole('link', { name: 'Nightly job' }).click();
  await page.getByRole('heading', { name: 'Logs', level: 1 }).waitFor();
  assert.match(page.url(), /error_code=TOOL_LIMIT_REACHED/);
  assert.match(page.url(), new RegExp(`api_key_id=${key.id}`));
  await page.goBack();
  await row.getByRole('link', { name: 'list_orders' }).click();
  await page.getByRole('tab', { name: 'Response', selected: true }).waitFor();
  await closePage(page);
});

browserTest('the log is filtered by how a tool was found', async () => {
  const page = await dashboard.open(`${base}/logs`);
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByLabel('Found by').selectOption('search');
  await page.getByText('found_tool').first().waitFor();
  assert.match(page.url(), /via=search/);
  await page.getByText('deleted_tool').first().waitFor({ state: 'detached' });
  await closePage(page);
});
