// Tools and MCP servers that act in the name of members, in a production project: what waits for an admin, why, and the approval.

import assert from 'node:assert/strict';
import { makePerson } from '../../server/test/support/make/make-accounts.ts';
import { browserTest, closePage, expectAccessible, expectNoOverflow, startDashboard } from './open-browser.ts';
import { goTo } from './turn-page.ts';

const dashboard = await startDashboard();
const { api, server, owner } = dashboard;
const project = `/projects/${dashboard.project_id}`;
const developer = await makePerson(server, owner, 'developer');

const jwt = { auth_strategy: 'member_jwt', auth_config: { audience: 'https://orders.example.com' } };
const headers = { 'x-project-id': dashboard.project_id };
async function add(path: string, body: object): Promise<{ id: string }> {
  const made = await developer.api<{ id: string }>('POST', path, { body: { ...body, ...jwt }, headers });
  assert.equal(made.status, 201, made.text);
  return made.body;
}
const tool = await add('/custom-tools', {
  name: 'list_orders',
  base_url: 'https://api.example.com',
  endpoint_path: '/orders',
});
const mcpServer = await add(`${project}/mcp-servers`, {
  slug: 'b',
  name: 'Billing',
  url: 'https://mcp.example.com/mcp',
});

const waiting = [
  {
    name: 'list_orders',
    page: `custom-tools/${tool.id}`,
    path: `/custom-tools/${tool.id}`,
    to: 'https://api.example.com',
  },
  {
    name: 'Billing',
    page: `mcp-servers/${mcpServer.id}`,
    path: `${project}/mcp-servers/${mcpServer.id}`,
    to: 'https://mcp.example.com/mcp',
  },
];

browserTest('in development the page of each says what production would refuse', async () => {
  for (const { page: at } of waiting) {
    const page = await dashboard.open(`${project}/${at}`, { as: developer });
    await page.getByText('In production, calls would be refused.').waitFor();
    await closePage(page);
  }
  await api('PATCH', project, { environment: 'production' });
});

browserTest('in production a developer sees that it waits for an admin, in the list and on its page', async () => {
  for (const { page: at } of waiting) {
    const page = await dashboard.open(`${project}/${at.split('/')[0]}`, { as: developer });
    await page.getByText('not approved').waitFor();
    await goTo(page, `${project}/${at}`);
    await page.getByText('Calls are refused until an admin approves this configuration.').waitFor();
    const button = page.getByRole('button', { name: 'Approve', exact: true });
    assert.equal(await button.getAttribute('aria-disabled'), 'true');
    await expectAccessible(page, `${at}, not approved`);
    await page.setViewportSize({ width: 375, height: 800 });
    await expectNoOverflow(page, `${at} at 375 px`);
    await closePage(page);
  }
});

browserTest('an admin reads what is sent and where to, and approves it', async () => {
  for (const { name, page: at, path, to } of waiting) {
    const page = await dashboard.open(`${project}/${at}`);
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    const dialog = page.getByRole('alertdialog', { name: `Approve “${name}”?` });
    await dialog.getByText('A signed JWT about the member').waitFor();
    await dialog.getByText(to, { exact: true }).waitFor();
    await dialog.getByText('https://orders.example.com').waitFor();
    await expectAccessible(page, `the approval of ${name}`);
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await page.getByText(`“${name}” approved`).waitFor();
    await page.getByText('Calls are refused until').waitFor({ state: 'detached' });
    assert.equal((await api('GET', path)).is_approved, true);
    await closePage(page);
  }
});
