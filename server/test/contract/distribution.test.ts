// Whether every table can be distributed by project_id (Citus): the column has to be in the primary key and in every unique
// constraint. docs/scaling.md has the statement that adds it where it is missing, and lists all tables: both are tested here.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const page = readFileSync(join(import.meta.dirname, '../../../docs/scaling.md'), 'utf8');

type UniqueKey = { table: string; columns: string; has_column: boolean };

/** Every primary key and unique index of every table; partitions have those of their parent. */
const UNIQUE_KEYS = `
  select t.relname as table,
    (select string_agg(pg_get_indexdef(x.indexrelid, n, true), ', ' order by n)
      from generate_series(1, x.indnkeyatts) as n) as columns,
    exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'project_id' and not a.attisdropped) as has_column
  from pg_index x join pg_class t on t.oid = x.indrelid
  where x.indisunique and not t.relispartition and t.relnamespace = 'public'::regnamespace
  order by 1, 2`;
const { rows: keys } = await server.app.pool.query<UniqueKey>(UNIQUE_KEYS);

const hasProject = ({ columns }: UniqueKey) => /(^|, )project_id(,|$)/.test(columns);
const namesOf = (found: UniqueKey[]) => [...new Set(found.map(({ table }) => table))];

/** The first column of the table below a heading: the names in it. */
function listed(heading: string): string[] {
  const [, section = ''] = page.split(`### ${heading}\n`);
  const [body = ''] = section.split(/\n#+ /);
  return [...body.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name as string).sort();
}

test('docs/scaling.md lists exactly the tables with project_id whose keys lack it', () => {
  const lacking = keys.filter((key) => key.has_column && !hasProject(key));
  assert.deepEqual(listed('Tables whose keys lack `project_id`'), namesOf(lacking).sort());
});

test('docs/scaling.md lists each of their keys', () => {
  const [, section = ''] = page.split('### Tables whose keys lack `project_id`\n');
  const missing = keys
    .filter((key) => key.has_column && !hasProject(key))
    .filter(({ table, columns }) => {
      const line = section.split('\n').find((text) => text.startsWith(`| \`${table}\` |`));
      return !line?.includes(`(${columns})`);
    });
  assert.deepEqual(missing, []);
});

test('docs/scaling.md lists exactly the tables without project_id, which are not distributed by it', () => {
  assert.deepEqual(listed('Tables without `project_id`'), namesOf(keys.filter(({ has_column }) => !has_column)).sort());
});

test('every other table has project_id in each of its keys', () => {
  const named = new Set([...listed('Tables whose keys lack `project_id`'), ...listed('Tables without `project_id`')]);
  const others = keys.filter(({ table }) => !named.has(table));
  assert.ok(others.length > 5, 'hardly any table is left: the query is broken');
  assert.deepEqual(
    others.filter((key) => !hasProject(key)),
    [],
  );
});

/** Their rows without a project are the service's and the organization's. */
const NOT_DISTRIBUTED = ['audit_entries', 'data_keys'];

test('the statement of docs/scaling.md puts project_id into every key of every table that is distributed', async () => {
  const [, statement = ''] = /```sql\n(.*?)```/s.exec(page) ?? [];
  await server.app.pool.query(statement);
  const { rows: changed } = await server.app.pool.query<UniqueKey>(UNIQUE_KEYS);
  assert.equal(changed.length, keys.length);
  const lacking = changed.filter((key) => key.has_column && !hasProject(key));
  assert.deepEqual(namesOf(lacking), NOT_DISTRIBUTED);
  const { rows: nullable } = await server.app.pool.query<{ name: string }>(`
    select t.relname as name from pg_class t join pg_attribute a on a.attrelid = t.oid
    where t.relkind in ('r', 'p') and not t.relispartition and t.relnamespace = 'public'::regnamespace
      and a.attname = 'project_id' and not a.attnotnull
    order by 1`);
  assert.deepEqual(
    nullable.map(({ name }) => name),
    NOT_DISTRIBUTED,
  );
});

test('foreign keys between distributed tables have project_id on both sides', async () => {
  const { rows } = await server.app.pool.query<{ definition: string }>(`
    select conrelid::regclass || ' ' || pg_get_constraintdef(oid) as definition from pg_constraint
    where contype = 'f' and conparentid = 0 and pg_get_constraintdef(oid) not like '%REFERENCES projects(id)%'
      and exists (select from pg_attribute where attrelid = confrelid and attname = 'project_id')`);
  assert.ok(rows.length >= 10);
  const wrong = rows.filter(({ definition }) => !/KEY \(project_id, .*REFERENCES \w+\(project_id, /.test(definition));
  assert.deepEqual(wrong, []);
});

test('a server works with the changed keys: tools, calls, events, sessions, rotation and deletion', async () => {
  const make = async (path: string, body: object, key = ROOT_KEY) => {
    const { status, body: made, text } = await server.api('POST', path, { key, body });
    assert.ok(status < 300, `${path}: ${status} ${text}`);
    return made;
  };
  const { id } = await make('/projects', { name: 'Shop' });
  const project = `/projects/${id}`;
  const { key, id: key_id } = await make(`${project}/api-keys`, { name: 'k', permissions: ['admin'] });
  await make(`${project}/webhooks`, { url: `${customer.url}/hook`, events: ['custom_tool.created'] });
  const definition = { base_url: customer.url, endpoint_path: '/orders', input_schema: { type: 'object' } };
  const tool = await make('/custom-tools', { name: 'orders', ...definition }, key);
  await make(`/custom-tools/${tool.id}/execute`, { arguments: {} }, key);
  const integration = await make(`${project}/integrations`, { name: 'app' });
  const made = await make(`${project}/integrations/${integration.id}/api-keys`, { name: 'k', permissions: ['read'] });
  await make('/api/v1/mcp/session-token', { member_external_id: 'user-1' }, made.key);
  await make('/api/v1/mcp/session-token', { member_external_id: 'user-1' }, made.key);
  await server.runJobs();
  assert.deepEqual([customer.at('/orders').length, customer.at('/hook').length], [1, 1]);
  const rotated = await make(`${project}/api-keys/${key_id}/rotate`, { overlap_seconds: 0 });
  assert.equal((await server.api('DELETE', `/custom-tools/${tool.id}`, { key: rotated.key })).status, 204);
  assert.equal((await server.api('DELETE', project, { key: ROOT_KEY })).status, 204);
  await server.runJobs();
});
