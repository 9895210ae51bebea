// npm run screenshots: writes docs/screenshots from a server with sample data. Each screen in light and dark.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { closePage, type Dashboard, openPage, startDashboard, waitForData } from './open-browser.ts';

const folder = join(import.meta.dirname, '../../docs/screenshots');
const dashboard = await startDashboard();
const project = `/projects/${dashboard.project_id}`;

type Shot = { name: string; path: string; width?: number; height?: number; signedOut?: boolean };

/** A new screen is a line here. */
const shots: Shot[] = [
  { name: 'sign-in', path: '/sign-in', signedOut: true },
  { name: 'projects', path: '/' },
  { name: 'overview', path: project, height: 1000 },
  { name: 'overview-narrow', path: project, width: 360, height: 800 },
  { name: 'api-keys', path: `${project}/api-keys` },
  { name: 'api-keys-create', path: `${project}/api-keys?dialog=create` },
  { name: 'people', path: '/people' },
  { name: 'account', path: '/account', height: 1000 },
];

async function addSamples({ api }: Dashboard): Promise<void> {
  const keys = `${project}/api-keys`;
  await api('POST', keys, { name: 'Backend', permissions: ['read', 'write', 'webhook'] });
  await api('POST', keys, { name: 'Claude Desktop of the support team', permissions: ['read'] });
  const soon = new Date(dashboard.server.app.now() + 5 * 86_400_000).toISOString();
  await api('POST', keys, { name: 'Continuous integration', permissions: ['admin'], expires_at: soon });
  const { id } = await api('POST', keys, { name: 'Old laptop', permissions: ['read'] });
  await api('POST', `${keys}/${id}/revoke`);
  await api('POST', '/projects', { name: 'Billing assistant', environment: 'production' });
  await api('POST', '/organization/invitations', { email: 'grace@example.com', role: 'developer' });
  await api('POST', '/custom-tools', {
    name: 'find_order',
    description: 'Finds an order by its id',
    base_url: 'https://api.example.com',
    endpoint_path: '/v1/orders/{{order_id}}',
    method: 'GET',
    input_schema: { type: 'object', properties: { order_id: { type: 'string' } }, required: ['order_id'] },
  });
}

await addSamples(dashboard);
mkdirSync(folder, { recursive: true });

for (const { name, path, width = 1280, height = 800, signedOut } of shots)
  for (const theme of ['light', 'dark'] as const)
    test(`${name} in ${theme}`, async () => {
      const as = signedOut ? null : dashboard.owner;
      const page = await openPage(dashboard.server, path, { width, height, theme, as });
      await waitForData(page);
      await page.screenshot({ path: join(folder, `${name}-${theme}.png`), animations: 'disabled' });
      await closePage(page);
    });
