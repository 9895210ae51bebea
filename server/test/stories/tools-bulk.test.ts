// POST /custom-tools/bulk: many tools enabled, disabled or deleted in one request.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectResponse, makeKey, makeTenant, unique } from '../support/make/make.ts';
import { toolFields } from '../support/make/make-tools.ts';
import { startServer } from '../support/servers/start-server.ts';

const server = await startServer();

const bulk = (key: string, body: object, headers = {}) =>
  server.api('POST', '/custom-tools/bulk', { key, body, headers });

async function makeTools(key: string, count: number, fields: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const body = toolFields('https://api.example.com', fields);
    ids.push(expectResponse(await server.api('POST', '/custom-tools', { key, body }), 201).id);
  }
  return ids;
}

const listed = async (key: string) =>
  expectResponse(await server.api('GET', '/custom-tools?limit=100', { key }), 200).data as any[];

const eventsOf = async (project_id: string, key: string) => {
  await server.runJobs();
  const events = expectResponse(await server.api('GET', `/projects/${project_id}/events?limit=100`, { key }), 200);
  return events.data.filter(({ type }: any) => type.startsWith('custom_tool.')) as any[];
};

test('each id has its result, and one that is unknown fails no other', async () => {
  const { id: project_id, keys } = await makeTenant(server);
  const other = await makeTenant(server);
  const [foreign = ''] = await makeTools(other.keys.write, 1);
  const [a = '', b = ''] = await makeTools(keys.write, 2);
  expectResponse(await server.api('POST', `/custom-tools/${a}/disable`, { key: keys.write }), 200);
  const { results, changed } = expectResponse(
    await bulk(keys.write, { ids: [b, 'tool_unknown', foreign, a, b], action: 'disable' }),
    200,
  );
  assert.deepEqual(results, [
    { id: b, status: 'disabled' },
    { id: 'tool_unknown', status: 'not_found' },
    { id: foreign, status: 'not_found' },
    { id: a, status: 'unchanged' },
  ]);
  assert.equal(changed, 1);
  assert.ok((await listed(keys.read)).every(({ is_enabled }) => !is_enabled));
  assert.ok((await listed(other.keys.read)).every(({ is_enabled }) => is_enabled));
  const events = await eventsOf(project_id, keys.read);
  assert.deepEqual(
    events.slice(0, 2).map(({ type, data }) => [type, data.id]),
    [
      ['custom_tool.disabled', b],
      ['custom_tool.disabled', a],
    ],
  );
});

test('every tool that changes has its event and audit entry, over many batches', async () => {
  const { id: project_id, keys } = await makeTenant(server);
  const paths = Object.fromEntries(Array.from({ length: 70 }, (_, i) => [`/a${i}`, { get: {} }]));
  const document = { openapi: '3.1.0', servers: [{ url: 'https://api.example.com' }], paths };
  expectResponse(await server.api('POST', '/custom-tools/import', { key: keys.write, body: { document } }), 201);
  const filter = { is_enabled: false, search: 'get_a' };
  assert.equal(expectResponse(await bulk(keys.write, { filter, action: 'enable' }), 200).changed, 70);
  assert.equal(expectResponse(await bulk(keys.write, { filter, action: 'enable' }), 200).changed, 0);
  assert.ok((await listed(keys.read)).every(({ is_enabled, version }) => is_enabled && version === 1));
  assert.equal((await eventsOf(project_id, keys.read)).filter(({ type }) => type === 'custom_tool.enabled').length, 70);
  const { rows } = await server.app.pool.query(
    `select count(*)::int as count, count(distinct target_id)::int as tools from audit_entries
     where project_id = $1 and action = 'custom_tool.enabled' and before ->> 'is_enabled' = 'false'`,
    [project_id],
  );
  assert.deepEqual(rows, [{ count: 70, tools: 70 }]);
});

test('delete needs the permission admin, and removes the tools', async () => {
  const { id: project_id, keys } = await makeTenant(server);
  const ids = await makeTools(keys.write, 2);
  expectResponse(await bulk(keys.write, { ids, action: 'delete' }), 403, 'Insufficient permissions');
  expectResponse(await bulk(keys.read, { ids, action: 'enable' }), 403);
  assert.equal((await listed(keys.read)).length, 2);
  const { results } = expectResponse(await bulk(keys.admin, { ids, action: 'delete' }), 200);
  assert.ok(results.every(({ status }: any) => status === 'deleted'));
  assert.deepEqual(await listed(keys.read), []);
  const deleted = (await eventsOf(project_id, keys.read)).filter(({ type }) => type === 'custom_tool.deleted');
  assert.deepEqual(new Set(deleted.map(({ data }) => data.id)), new Set(ids));
});

test('it counts as one request', async () => {
  const { id, keys } = await makeTenant(server);
  const ids = await makeTools(keys.write, 5);
  const { key } = await makeKey(server, id, ['write']);
  const remaining = async (body: object) => Number((await bulk(key, body)).headers.get('x-ratelimit-remaining'));
  const first = await remaining({ ids, action: 'disable' });
  assert.equal(await remaining({ ids, action: 'enable' }), first - 1);
});

test('a retry with the same Idempotency-Key gets the first answer', async () => {
  const { keys } = await makeTenant(server);
  const ids = await makeTools(keys.write, 1);
  const headers = { 'idempotency-key': unique('bulk') };
  const first = await bulk(keys.admin, { ids, action: 'delete' }, headers);
  const second = await bulk(keys.admin, { ids, action: 'delete' }, headers);
  assert.deepEqual([second.status, second.text], [200, first.text]);
  assert.equal(second.headers.get('idempotent-replayed'), 'true');
});

test('what names no tools, or names them twice over, is 422 and changes nothing', async () => {
  const { keys } = await makeTenant(server);
  const ids = await makeTools(keys.write, 1);
  const wrong: [body: object, field: string][] = [
    [{ action: 'disable' }, 'ids'],
    [{ ids, filter: { is_enabled: true }, action: 'disable' }, 'ids'],
    [{ ids: [], action: 'disable' }, 'ids'],
    [{ ids: [...ids, 'tool_\0'], action: 'disable' }, 'ids.1'],
    [{ filter: {}, action: 'disable' }, 'filter'],
    [{ filter: { name: 'a' }, action: 'disable' }, 'filter.name'],
    [{ ids, action: 'rename' }, 'action'],
    [{ ids }, 'action'],
  ];
  for (const [body, field] of wrong)
    assert.equal(expectResponse(await bulk(keys.admin, body), 422).error.details.field, field);
  assert.ok((await listed(keys.read)).every(({ is_enabled }) => is_enabled));
});
