// Importing a document again: the difference is shown first, then made, and nothing is deleted.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { startServer } from '../support/servers/start-server.ts';

const server = await startServer();

const query = (name: string, schema: object) => ({ name, in: 'query', schema });
const header = (name: string) => ({ name, in: 'header', required: true, schema: { type: 'string' } });
const responses = (schema: object) => ({ 200: { content: { 'application/json': { schema } } } });

const first = {
  openapi: '3.1.0',
  servers: [{ url: 'https://shop.example.com' }],
  paths: {
    '/orders': {
      get: {
        operationId: 'listOrders',
        summary: 'Orders',
        parameters: [query('limit', { type: 'integer' }), query('page', { type: 'integer' }), header('X-Shop')],
        responses: responses({ type: 'object', properties: { a: { type: 'string' } } }),
      },
    },
    '/health': { get: { operationId: 'getHealth' } },
    '/old': { get: { operationId: 'getOld' } },
  },
};
const second = {
  ...first,
  paths: {
    '/orders': {
      get: {
        ...first.paths['/orders'].get,
        summary: 'All orders',
        parameters: [query('limit', { type: 'integer', maximum: 9 }), query('sort', {}), header('X-Shop')],
        responses: responses({ type: 'object', properties: { a: { type: 'number' } } }),
      },
    },
    '/health': first.paths['/health'],
    '/new': { get: { operationId: 'getNew' } },
  },
};

const send = (key: string, document: object, options: object = {}) =>
  server.api('POST', '/custom-tools/import', { key, body: { document, ...options } });
const namesOf = (tools: { name: string }[]) => tools.map(({ name }) => name);
const listed = async (key: string) =>
  expectResponse(await server.api('GET', '/custom-tools?limit=100', { key }), 200).data as any[];
const change = async (key: string, name: string, body: object) => {
  const tool = (await listed(key)).find((each) => each.name === name);
  return expectResponse(await server.api('PATCH', `/custom-tools/${tool.id}`, { key, body }), 200);
};
const update = { on_conflict: 'update' };

test('a dry run shows what is new, changed with its fields, the same, and no longer in the document', async () => {
  const { keys } = await makeTenant(server);
  expectResponse(await send(keys.write, first), 201);
  const other = { name: 'elsewhere', base_url: 'https://shop.example.com', endpoint_path: '/' };
  expectResponse(await server.api('POST', '/custom-tools', { key: keys.write, body: other }), 201);
  const before = await listed(keys.read);

  const dry = expectResponse(await send(keys.write, second, { ...update, dry_run: true }), 200);
  assert.deepEqual(
    [namesOf(dry.created), namesOf(dry.updated), namesOf(dry.unchanged), namesOf(dry.not_in_document)],
    [['getNew'], ['listOrders'], ['getHealth'], ['getOld']],
  );
  assert.deepEqual(dry.updated[0].changed_fields, [
    'title',
    'description',
    'input_schema.properties.limit',
    'input_schema.properties.page',
    'input_schema.properties.sort',
    'output_schema.properties.a',
  ]);
  assert.deepEqual(await listed(keys.read), before);

  const { dry_run, created, ...real } = expectResponse(await send(keys.write, second, update), 201);
  assert.equal(dry_run, false);
  assert.deepEqual({ ...real, created: created.map((tool: any) => ({ ...tool, id: null })), dry_run: true }, dry);
  const versions = Object.fromEntries((await listed(keys.read)).map(({ name, version }) => [name, version]));
  assert.deepEqual(versions, { listOrders: 2, getHealth: 1, getOld: 1, getNew: 1, elsewhere: 1 });
  const again = expectResponse(await send(keys.write, second, update), 201);
  assert.deepEqual([again.created, again.updated, again.unchanged.length], [[], [], 3]);
});

test('only tools that came from the document are named as no longer in it, by title and base URL', async () => {
  const { keys } = await makeTenant(server);
  const titled = (document: object, title: string, version = '1') => ({ ...document, info: { title, version } });
  const missing = async (document: object, options: object = {}) =>
    namesOf(
      expectResponse(await send(keys.write, document, { ...update, dry_run: true, ...options }), 200).not_in_document,
    );
  const mine = { name: 'mine', base_url: 'https://shop.example.com', endpoint_path: '/mine' };
  expectResponse(await server.api('POST', '/custom-tools', { key: keys.write, body: mine }), 201);
  const other = { ...first, paths: { '/stock': { get: { operationId: 'getStock' } } } };
  expectResponse(await send(keys.write, titled(other, 'Stock')), 201);
  expectResponse(await send(keys.write, titled(first, 'Shop')), 201);

  assert.deepEqual(await missing(titled(second, 'Shop', '2')), ['getOld'], 'a newer version of the document');
  assert.deepEqual(await missing(titled(second, ' Shop\0')), ['getOld'], 'what PostgreSQL does not store is left out');
  assert.deepEqual(await missing(second), [], 'without a title');
  assert.deepEqual(await missing(titled(other, 'Stock')), []);
  assert.deepEqual(
    await missing(titled(second, 'Shop'), { base_url: 'https://b.example.com' }),
    [],
    'of another server',
  );
});

test('an update makes a tool one of the document, also if nothing changes; a dry run, skip and a new name do not', async () => {
  const { id, keys } = await makeTenant(server);
  expectResponse(await send(keys.write, first), 201);
  // As tools are that were imported before this was remembered.
  await server.app.pool.query('update custom_tools set imported_from = null where project_id = $1', [id]);
  const missing = async () =>
    namesOf(expectResponse(await send(keys.write, second, { ...update, dry_run: true }), 200).not_in_document);
  assert.deepEqual(await missing(), []);
  expectResponse(await send(keys.write, first, { on_conflict: 'skip' }), 201);
  expectResponse(await send(keys.write, first, { ...update, dry_run: true }), 200);
  assert.deepEqual(await missing(), []);
  const { unchanged } = expectResponse(await send(keys.write, first, update), 201);
  assert.deepEqual(
    unchanged.map(({ version }: any) => version),
    [1, 1, 1],
  );
  assert.deepEqual(await missing(), ['getOld']);
  await change(keys.admin, 'getOld', { title: 'Mine now' });
  assert.deepEqual(await missing(), ['getOld']);
  await change(keys.admin, 'getOld', { name: 'kept' });
  assert.deepEqual(await missing(), []);
});

test('an operation that was not selected is in the document all the same', async () => {
  const { keys } = await makeTenant(server);
  expectResponse(await send(keys.write, first), 201);
  const some = expectResponse(await send(keys.write, first, { ...update, include: [{ path: '/health' }] }), 201);
  assert.deepEqual([some.not_in_document, some.not_selected], [[], 2]);
});

test('a fixed header that somebody set stays, and takes no argument', async () => {
  const { keys } = await makeTenant(server);
  expectResponse(await send(keys.write, first), 201);
  await change(keys.admin, 'listOrders', { headers: { 'X-Mine': 'a', 'x-shop': 'acme' } });
  const { updated } = expectResponse(await send(keys.write, first, update), 201);
  assert.deepEqual(updated[0].changed_fields, ['input_schema.properties.X_Shop', 'input_schema.required']);
  const tool = (await listed(keys.read)).find(({ name }) => name === 'listOrders');
  assert.deepEqual(tool.headers, { 'X-Mine': 'a', 'x-shop': 'acme' });
  assert.deepEqual(Object.keys(tool.input_schema.properties), ['limit', 'page']);

  await change(keys.admin, 'listOrders', { headers: { 'X-Mine': 'a' } });
  const restored = expectResponse(await send(keys.write, first, update), 201);
  assert.deepEqual(restored.updated[0].changed_fields[0], 'headers');
  const after = (await listed(keys.read)).find(({ name }) => name === 'listOrders');
  assert.deepEqual(after.headers, { 'X-Mine': 'a', 'X-Shop': '{{X_Shop}}' });
  assert.deepEqual(expectResponse(await send(keys.write, first, update), 201).updated, []);
});

test('output_schema: what somebody wrote stays where the document has none, and goes where none are wanted', async () => {
  const { keys } = await makeTenant(server);
  expectResponse(await send(keys.write, first), 201);
  await change(keys.admin, 'getHealth', { output_schema: { type: 'object', title: 'Mine' } });
  const same = expectResponse(await send(keys.write, first, update), 201);
  assert.deepEqual(namesOf(same.unchanged), ['listOrders', 'getHealth', 'getOld']);
  const none = expectResponse(await send(keys.write, first, { ...update, output_schemas: false }), 201);
  assert.deepEqual(
    none.updated.map(({ name, changed_fields }: any) => [name, changed_fields]),
    [
      ['listOrders', ['output_schema']],
      ['getHealth', ['output_schema']],
    ],
  );
});

test('secrets of security schemes are set by a second import, shown as changed once, and stay without them', async () => {
  const { keys } = await makeTenant(server);
  const components = { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } };
  const secured = { ...first, components, security: [{ token: [] }] };
  expectResponse(await send(keys.write, secured), 201);
  const options = { ...update, auth_secrets: { token: 'sesame' } };
  const set = expectResponse(await send(keys.write, secured, options), 201);
  assert.equal(set.updated.length, 3);
  assert.deepEqual(set.updated[0].changed_fields, ['auth_strategy', 'encrypted_auth_secret']);
  assert.equal(expectResponse(await send(keys.write, secured, options), 201).unchanged.length, 3);
  const without = expectResponse(await send(keys.write, secured, update), 201);
  assert.deepEqual([without.unchanged.length, without.unchanged[0].auth_strategy], [3, 'bearer_token']);
  const other = expectResponse(await send(keys.write, secured, { ...update, auth_secrets: { token: 'other' } }), 201);
  assert.deepEqual(other.updated[0].changed_fields, ['encrypted_auth_secret']);
});
