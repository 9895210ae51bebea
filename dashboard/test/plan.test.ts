// The plan of a project: a person who can change it is told where before it is used up, and others whom to ask.

import assert from 'node:assert/strict';
import { makePerson } from '../../server/test/support/make/make-accounts.ts';
import {
  browserTest,
  closePage,
  comeBack,
  expectAccessible,
  expectNoOverflow,
  startDashboard,
  waitForData,
} from './open-browser.ts';

const dashboard = await startDashboard();
const { server, owner, project_id } = dashboard;
await dashboard.api('PATCH', `/projects/${project_id}`, { plan: 'free' });

async function use(requests: number): Promise<void> {
  for (let i = 0; i < requests; i += 1) await server.app.limits.take(project_id, 100, server.app.now());
}

browserTest('a project whose hour is nearly used says where the plan is changed, to whom can', async () => {
  await use(79);
  const page = await dashboard.open(`/projects/${project_id}/webhooks`);
  await waitForData(page);
  const banner = page.getByRole('region', { name: 'Requests this hour' });
  assert.equal(await banner.count(), 0, 'there is enough left');
  await use(1);
  await comeBack(page);
  await banner.getByText('80 of the 100 requests per hour of the plan “free”').waitFor();
  await use(20);
  await page.reload();
  await banner.getByText('Further requests are refused').waitFor();
  await expectAccessible(page, 'the banner');

  const developer = await makePerson(server, owner, 'developer');
  const other = await dashboard.open(`/projects/${project_id}`, { as: developer, width: 360, theme: 'dark' });
  const text = other.getByRole('region', { name: 'Requests this hour' });
  await text.getByText('Ask an owner of the organization that runs this server').waitFor();
  assert.equal(await text.getByRole('link').count(), 0);
  await expectNoOverflow(other, 'the banner at 360 px');
  await expectAccessible(other, 'the banner in the dark theme');
  await closePage(other);

  await banner.getByRole('link', { name: 'Settings → Plan' }).click();
  await page.getByLabel('Plan', { exact: true }).selectOption('enterprise');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Settings saved').waitFor();
  await banner.waitFor({ state: 'detached' });
  assert.equal(await page.getByText(/\btier\b/i).count(), 0);
  await closePage(page);
});
