// How many bytes a row of each growing table takes, with its indexes, after real traffic: tool calls, changes with a webhook, and
// member sessions. docs/scaling.md uses these figures.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findRunning } from '../../server/src/database/embedded.ts';
import { ROOT_KEY } from '../api.ts';
import { startCustomer } from '../customer.ts';
import { finish, report } from '../measure.ts';
import { main, startChild } from '../processes.ts';

const CALLS = 4_000;
const CHANGES = 1_500;
const SESSIONS = 1_500;

const data = mkdtempSync(join(tmpdir(), 'toolgate-bench-'));
chmodSync(data, 0o755);
const customer = await startCustomer(data);
const child = await startChild(main, {
  TOOLGATE_DATA_DIR: join(data, 'data'),
  TOOLGATE_ROOT_KEY: ROOT_KEY,
  TOOLGATE_EGRESS_ALLOW: customer.address,
  TOOLGATE_LOG_LEVEL: 'error',
  NODE_EXTRA_CA_CERTS: customer.authority_file,
});

async function post(path: string, body: object, key = ROOT_KEY, project?: string): Promise<any> {
  const response = await fetch(`${child.url}/api/v1${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(project === undefined ? {} : { 'x-project-id': project }),
    },
    body: JSON.stringify(body),
  });
  // A busy machine: the size of a row does not depend on when it is written.
  if (response.status === 503) return sleep(500).then(() => post(path, body, key, project));
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Sixteen at a time. */
async function repeat(count: number, send: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await send(next++);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

async function makeRows(): Promise<void> {
  const { id } = await post('/projects', { name: 'Shop', plan: 'enterprise', requests_per_hour: 1_000_000 });
  const project = `/projects/${id}`;
  const { key } = await post(`${project}/api-keys`, { name: 'k', permissions: ['admin'] });
  const definition = { base_url: customer.origin, endpoint_path: '/orders', input_schema: { type: 'object' } };
  const tool = await post('/custom-tools', { name: 'list_orders', ...definition }, key);
  await repeat(CALLS, () => post(`/custom-tools/${tool.id}/execute`, { arguments: { status: 'paid' } }, key));
  await post(`${project}/webhooks`, { url: `${customer.origin}/hook`, events: ['api_key.*'] });
  await repeat(CHANGES, (index) => post(`${project}/api-keys`, { name: `key ${index}`, permissions: ['read'] }));
  const integration = await post(`${project}/integrations`, { name: 'app' });
  const made = await post(`${project}/integrations/${integration.id}/api-keys`, { name: 'k', permissions: ['read'] });
  await repeat(SESSIONS, (index) => post('/mcp/session-token', { member_external_id: `user-${index}` }, made.key));
}

/** Until the deliveries are made and all batches are written. */
async function untilDelivered(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query("select from jobs where kind = 'delivery' limit 1");
    await sleep(1_000);
    if (rows.length === 0) return;
  }
}

const SIZES = `
  select coalesce(p.relname, t.relname) as name, sum(pg_total_relation_size(t.oid)) as bytes
  from pg_class t
    left join pg_inherits i on i.inhrelid = t.oid left join pg_class p on p.oid = i.inhparent
  where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace
  group by 1`;

async function reportSizes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; bytes: string }>(SIZES);
  for (const { name, bytes } of rows.sort((a, b) => Number(b.bytes) - Number(a.bytes))) {
    const { rows: counted } = await client.query<{ count: string }>(`select count(*) as count from ${name}`);
    const count = Number(counted[0]?.count);
    // Few rows say little: a table has at least a page for itself and one for each index.
    if (count >= 1_000) report(`${name}: ${count} rows`, Number(bytes) / count, ' bytes a row');
  }
}

try {
  await makeRows();
  const connection = await findRunning(join(data, 'data'));
  const client = new pg.Client(connection);
  await client.connect();
  await untilDelivered(client);
  await client.query('vacuum analyze');
  await reportSizes(client);
  await client.end();
} finally {
  await child.stop();
  await customer.stop();
  rmSync(data, { recursive: true, force: true });
}
finish();
