// A project with tools, calls of the last days, a webhook that works and one that does not, and changes by several people.

import { readFileSync } from 'node:fs';
import { after } from 'node:test';
import type { Page } from 'playwright-core';
import { insertCalls, type NewCall } from '../../server/src/features/activity/analytics/store.ts';
import { insertMembers } from '../../server/test/support/database/insert-members.ts';
import { newCall } from '../../server/test/support/make/new-call.ts';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { type Dashboard, startDashboard } from './open-browser.ts';

type Customer = Awaited<ReturnType<typeof startCustomer>>;

const HOUR_MS = 3_600_000;
const names = ['search_products', 'get_order', 'create_refund', 'list_invoices'];

type Filled = { key: { id: string; key: string }; tools: { id: string; name: string }[] };

/** A dashboard whose project has these calls and records payloads. `call` makes another one, and returns the id of its request. */
export async function startLogs() {
  const customer = await startCustomer();
  after(() => customer.close());
  const dashboard = await startDashboard({ TOOLGATE_EGRESS_ALLOW: customer.address });
  const { server, api } = dashboard;
  const project = `/projects/${dashboard.project_id}`;
  await api('PATCH', `${project}/settings`, { record_payloads: true, redact_fields: ['iban'] });
  const { key, tools } = await fillCalls(dashboard, customer);
  const [search, order] = tools as [(typeof tools)[0], (typeof tools)[0]];
  async function call(tool: { id: string }, given: object = {}): Promise<string> {
    const options = { key: key.key, body: { arguments: given } };
    const response = await server.api('POST', `/custom-tools/${tool.id}/execute`, options);
    return response.headers.get('x-request-id') ?? '';
  }
  return { customer, dashboard, server, api, project, key, search, order, call };
}

export const logs = (page: Page) => page.getByRole('table', { name: 'Logs' });
export const newest = (page: Page) => logs(page).getByRole('row').nth(1);

export async function savedFile(page: Page, save: () => Promise<unknown>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), save()]);
  return readFileSync(await download.path(), 'utf8');
}

/** The same calls each time: nothing is random. */
export async function fillCalls({ server, api, project_id }: Dashboard, { url }: Customer): Promise<Filled> {
  const keys = `/projects/${project_id}/api-keys`;
  const key = await api('POST', keys, { name: 'Shop backend', permissions: ['read', 'write'] });
  const model = await api('POST', keys, { name: 'Claude', permissions: ['read', 'write'] });
  const tools: Filled['tools'] = [];
  for (const name of names) {
    const body = { name, base_url: url, endpoint_path: `/${name}`, input_schema: { type: 'object' } };
    tools.push(await api('POST', '/custom-tools', body));
  }
  const now = server.app.now();
  const calls: NewCall[] = [];
  for (let i = 0; i < 900; i += 1) {
    const tool = tools[(i * 7 + (i % 3)) % (1 + (i % tools.length))] as Filled['tools'][number];
    const upstream_ms = 40 + ((i * 37) % 160) + (i % 29 === 0 ? 900 : 0);
    const hour = Math.floor((i * i * 7) % 46);
    calls.push(
      newCall(project_id, {
        tool_id: tool.id,
        tool_name: tool.name,
        api_key_id: i % 3 === 0 ? key.id : model.id,
        member_id: i % 4 === 0 ? null : `mem_${i % 17}`,
        transport: i % 3 === 0 ? 'rest' : 'mcp',
        client_name: i % 3 === 0 ? null : 'claude-ai',
        created_at: now - hour * HOUR_MS - ((i * 97) % 3600) * 1000 - 60_000,
        request_id: `req_past${i}`,
        connect_ms: i % 5 === 0 ? 18 : 0,
        upstream_ms,
        duration_ms: upstream_ms + 4 + (i % 5 === 0 ? 18 : 0),
        ...(i % 11 === 0 && { status: 502, error_code: 'UPSTREAM_STATUS', upstream_status: 503 }),
        ...(i % 41 === 0 && {
          status: 422,
          error_code: 'VALIDATION_ERROR',
          upstream_status: null,
          queue_ms: null,
          connect_ms: null,
          upstream_ms: null,
          duration_ms: 2,
        }),
      }),
    );
  }
  const members = Array.from({ length: 17 }, (_, n) => `mem_${n}`);
  await insertMembers(server.app.database, project_id, members);
  await insertCalls(server.app.background.pool, calls);
  return { key, tools };
}

/** Two webhooks. The first gets everything; half of what is sent to the second fails. */
export async function fillWebhooks({ server, api, project_id }: Dashboard, customer: Customer) {
  const path = `/projects/${project_id}/webhooks`;
  const good = await api('POST', path, {
    url: `${customer.url}/hooks/toolgate`,
    events: ['*'],
    description: 'Keeps the shop up to date',
  });
  const bad = await api('POST', path, {
    url: `${customer.url}/hooks/broken`,
    events: ['custom_tool.*', 'project.updated'],
    description: 'Warehouse, old system',
  });
  customer.respond('/hooks/toolgate', { body: { received: true } });
  for (const [index, status] of [200, 500, 200, 503, 500].entries()) {
    customer.respond('/hooks/broken', { status, body: { error: status === 200 ? null : 'The database is down' } });
    await api('PATCH', `/projects/${project_id}`, { name: `Shop ${index}` });
    await server.runJobs();
  }
  return { good, bad };
}
