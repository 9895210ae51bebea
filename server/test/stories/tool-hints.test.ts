// The hints of tools: what the project set, what is derived from the method, and who confirms it.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { sql } from 'kysely';
import { modern } from '../mcp/rpc.ts';
import { expectResponse, makeTenant, unique } from '../support/make/make.ts';
import { toolFields } from '../support/make/make-tools.ts';
import { startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const { api } = server;
const tenant = await makeTenant(server);
const { keys } = tenant;

const create = (fields: object) =>
  api('POST', '/custom-tools', { key: keys.write, body: toolFields('https://api.example.com', fields) });
const make = async (fields: object) => expectResponse(await create(fields), 201);
const patch = async (id: string, body: object) =>
  expectResponse(await api('PATCH', `/custom-tools/${id}`, { key: keys.write, body }), 200);
const read = async (id: string) => expectResponse(await api('GET', `/custom-tools/${id}`, { key: keys.read }), 200);

async function listed(name: string) {
  const { tools } = (await modern(server, keys.read, 'tools/list')).body.result;
  return tools.find((tool: { name: string }) => tool.name === name)?.annotations;
}

const ALL = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];
const hints = (readOnlyHint: boolean, destructiveHint: boolean, idempotentHint: boolean) => ({
  ...{ readOnlyHint, destructiveHint, idempotentHint, openWorldHint: false },
});

for (const [method, annotations, expected] of [
  ['GET', null, hints(true, false, true)],
  ['PUT', null, hints(false, true, true)],
  ['DELETE', null, hints(false, true, true)],
  ['POST', null, hints(false, true, false)],
  ['PATCH', null, hints(false, true, false)],
  ['GET', { destructiveHint: true }, hints(false, true, true)],
  ['GET', { readOnlyHint: false }, hints(false, true, true)],
  ['POST', { readOnlyHint: true }, hints(true, false, false)],
  ['POST', { destructiveHint: false }, hints(false, false, false)],
  ['PATCH', { idempotentHint: true, openWorldHint: true }, { ...hints(false, true, true), openWorldHint: true }],
] as const)
  test(`${method} with ${JSON.stringify(annotations)}: every hint is listed, and the derived ones are named`, async () => {
    const tool = await make({ method, annotations, title: 'A title' });
    const set = Object.keys(annotations ?? {});
    assert.deepEqual(tool.annotations, annotations);
    assert.deepEqual(
      tool.derived_annotations,
      ALL.filter((name) => !set.includes(name)),
    );
    assert.deepEqual(tool.listed_annotations, { title: 'A title', ...expected });
    assert.deepEqual(await listed(tool.name), { title: 'A title', ...expected });
    const { is_read_only } = await server.app.database
      .selectFrom('custom_tools')
      .select('is_read_only')
      .where('id', '=', tool.id)
      .executeTakeFirstOrThrow();
    assert.equal(is_read_only, expected.readOnlyHint, 'the column that toolsets go by says the same');
  });

for (const [name, words] of [
  ['list_open-orders', 'List open orders'],
  ['listOpenOrders', 'List open orders'],
  ['getHTTPStatus2', 'Get HTTP status2'],
  ['__', '__'],
] as const)
  test(`the listed title of ${name} is made of its name`, async () => {
    const tool = await make({ name });
    assert.equal((await listed(name)).title, words);
    await patch(tool.id, { title: 'Orders' });
    assert.equal((await listed(name)).title, 'Orders');
    await patch(tool.id, { annotations: { title: 'For people' } });
    assert.equal((await listed(name)).title, 'For people');
  });

test('a change that sets hints confirms them, and one that takes them back makes them derived again', async () => {
  const { id } = await make({ method: 'GET' });
  const some = await patch(id, { annotations: { readOnlyHint: true, openWorldHint: false } });
  assert.deepEqual(some.derived_annotations, ['destructiveHint', 'idempotentHint']);
  assert.equal(some.version, 2);
  assert.deepEqual((await patch(id, { annotations: hints(true, false, true) })).derived_annotations, []);
  assert.deepEqual((await patch(id, { annotations: null })).derived_annotations, ALL);
});

test('a tool that is both read-only and destructive is refused, and nothing is saved', async () => {
  const both = { readOnlyHint: true, destructiveHint: true };
  assert.equal(
    expectResponse(await create({ annotations: both }), 422).error.details.field,
    'annotations.destructiveHint',
  );
  const tool = await make({ annotations: { readOnlyHint: true } });
  expectResponse(await api('PATCH', `/custom-tools/${tool.id}`, { key: keys.write, body: { annotations: both } }), 422);
  assert.deepEqual(await read(tool.id), tool);
});

test('many tools are confirmed at once: each as it is listed, with a new version, and only once', async () => {
  const plain = await make({ method: 'DELETE' });
  const some = await make({ method: 'GET', annotations: { title: 'T', destructiveHint: true } });
  const ids = [plain.id, some.id];
  const confirm = async () =>
    expectResponse(
      await api('POST', '/custom-tools/bulk', { key: keys.write, body: { ids, action: 'confirm_hints' } }),
      200,
    );
  assert.deepEqual(
    (await confirm()).results.map(({ status }: { status: string }) => status),
    ['confirmed', 'confirmed'],
  );
  const [one, two] = [await read(plain.id), await read(some.id)];
  assert.deepEqual([one.annotations, one.derived_annotations, one.version], [hints(false, true, true), [], 2]);
  assert.deepEqual([two.annotations, two.derived_annotations], [{ title: 'T', ...hints(false, true, true) }, []]);
  const again = await confirm();
  assert.deepEqual([again.changed, again.results[0].status], [0, 'unchanged']);
  assert.deepEqual(await read(plain.id), one);
});

test('a tool that reads by its method is in a toolset of read-only tools, until it is changed', async () => {
  const tag = unique('reads');
  const tool = await make({ method: 'GET', tags: [tag] });
  const body = { slug: unique('reads'), name: 'Reads', tags: [tag], only: 'read_only' };
  const base = `/projects/${tenant.id}/toolsets`;
  const toolset = expectResponse(await api('POST', base, { key: keys.admin, body }), 201);
  const count = async () =>
    expectResponse(await api('GET', `${base}/${toolset.id}`, { key: keys.read }), 200).tool_count;
  assert.equal(await count(), 1);
  await patch(tool.id, { method: 'POST' });
  assert.equal(await count(), 0);
  await patch(tool.id, { method: 'GET' });
  assert.equal(await count(), 1);
});

test('the migration puts tools that read by their method into the toolsets of read-only tools', async () => {
  const { database } = server.app;
  const tag = unique('before');
  const reads = await make({ method: 'GET', tags: [tag] });
  const writes = await make({ method: 'POST', tags: [tag] });
  const makeToolset = async (only: string | null) => {
    const body = { slug: unique('before'), name: 'Before', tags: [tag], only };
    return expectResponse(await api('POST', `/projects/${tenant.id}/toolsets`, { key: keys.admin, body }), 201).id;
  };
  const [only, all] = [await makeToolset('read_only'), await makeToolset(null)];
  // As a version stored it that did not derive hints.
  await sql`delete from toolset_tools where toolset_id = ${only}`.execute(database);
  await sql`update toolset_tools set writable_since = joined_at where toolset_id = ${all}`.execute(database);
  const file = await readFile(new URL('../../migrations/0017_derived_hints.sql', import.meta.url), 'utf8');
  await sql.raw(file.slice(file.indexOf('insert into'))).execute(database);
  const { rows } = await sql`
    select toolset_id, tool_id, writable_since is null as is_read_only from toolset_tools
    where toolset_id in (${only}, ${all}) order by toolset_id = ${all}, tool_id = ${writes.id}`.execute(database);
  assert.deepEqual(rows, [
    { toolset_id: only, tool_id: reads.id, is_read_only: true },
    { toolset_id: all, tool_id: reads.id, is_read_only: true },
    { toolset_id: all, tool_id: writes.id, is_read_only: false },
  ]);
});

const documentOf = (operation: object) => ({
  openapi: '3.1.0',
  info: { title: unique('hints'), version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  paths: { '/orders': { post: { operationId: unique('op'), ...operation } } },
});

test('an import takes the hints that the document states, and shows the ones it derives', async () => {
  const bring = async (document: object, more = {}) =>
    expectResponse(await api('POST', '/custom-tools/import', { key: keys.write, body: { document, ...more } }), 201);
  const plain = await bring(documentOf({}));
  assert.deepEqual(plain.created[0].derived_annotations, ALL);
  assert.equal(plain.created[0].listed_annotations.destructiveHint, true);
  for (const stated of [
    { 'x-mcp': { annotations: { readOnlyHint: true, title: 'Search' } } },
    { 'x-mcp-annotations': { readOnlyHint: true, title: 'Search', idempotentHint: 'yes' } },
  ]) {
    const { created } = await bring(documentOf(stated));
    assert.deepEqual(created[0].derived_annotations, ALL.slice(1));
    assert.equal(created[0].listed_annotations.destructiveHint, false);
    assert.deepEqual((await read(created[0].id)).annotations, { title: 'Search', readOnlyHint: true });
  }
});

test('importing a document again keeps the hints that people confirmed', async () => {
  const document = documentOf({ summary: 'Before' });
  const send = (given: object) =>
    api('POST', '/custom-tools/import', { key: keys.write, body: { document: given, on_conflict: 'update' } });
  const [{ id }] = expectResponse(await send(document), 201).created;
  await patch(id, { annotations: { destructiveHint: false } });
  document.paths['/orders'].post = { ...document.paths['/orders'].post, summary: 'After' } as never;
  assert.equal(expectResponse(await send(document), 201).updated[0].id, id);
  const after = await read(id);
  assert.deepEqual([after.title, after.annotations], ['After', { destructiveHint: false }]);
});
