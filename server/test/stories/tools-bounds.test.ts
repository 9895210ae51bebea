// Limits on what registering tools costs: connections, rows, responses, audit entries.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectResponse, makeTenant, unique } from '../support/make/make.ts';
import { toolFields } from '../support/make/make-tools.ts';
import { startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const origin = 'https://api.example.com';
const fields = (more: object = {}) => toolFields(origin, more);
const document = (paths: object, more: object = {}) => ({
  openapi: '3.1.0',
  servers: [{ url: origin }],
  paths,
  ...more,
});
const create = (key: string, body: object, headers = {}) => server.api('POST', '/custom-tools', { key, body, headers });
const importInto = (key: string, given: object, headers = {}) =>
  server.api('POST', '/custom-tools/import', { key, body: { document: given }, headers });

test('schemas are compiled before a connection is taken, also with an Idempotency-Key', async () => {
  const { keys } = await makeTenant(server);
  // Only the compiler finds this, so its answer means that the compiler has run.
  const input_schema = { type: 'object', properties: { a: { type: 'string', pattern: '(' } } };
  const refused = async () => {
    const headers = { 'idempotency-key': unique('bounds') };
    const { error } = expectResponse(await create(keys.write, fields({ input_schema }), headers), 422);
    assert.equal(error.details.field, 'input_schema.properties.a.pattern');
  };
  await refused(); // from now on the key is known without asking the database
  const { pool } = server.app;
  const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  try {
    await refused();
  } finally {
    for (const client of held) client.release();
  }
});

const shared = (characters: number) => ({
  components: { q: { name: 'q', in: 'query', schema: { type: 'string', default: 'x'.repeat(characters) } } },
});
const operations = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`/a${i}`, { get: { parameters: [{ $ref: '#/components/q' }] } }]),
  );

test('an import returns the ids and names of its tools, not their schemas', async () => {
  const { keys } = await makeTenant(server);
  const response = await importInto(keys.write, document(operations(3), shared(50_000)));
  const { created } = expectResponse(response, 201);
  const { id, definition_hash, ...rest } = created[0];
  assert.deepEqual(rest, {
    object: 'custom_tool',
    name: 'get_a0',
    method: 'GET',
    base_url: origin,
    endpoint_path: '/a0',
    tags: [],
    auth_strategy: 'none',
    derived_annotations: ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'],
    listed_annotations: {
      title: 'Get a0',
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    proposed_drop: [],
    has_output_schema: false,
    is_enabled: false,
    version: 1,
  });
  const tool = expectResponse(await server.api('GET', `/custom-tools/${id}`, { key: keys.read }), 200);
  assert.equal(tool.definition_hash, definition_hash);
  assert.ok(response.text.length < 2_000, `${response.text.length} characters`);
});

test('two concurrent imports of the same names, in either order, do not deadlock', async () => {
  const { keys } = await makeTenant(server);
  const paths = Object.entries(operations(40));
  const [one, other] = [paths, paths.toReversed()].map((each) => document(Object.fromEntries(each), shared(1)));
  const responses = await Promise.all([one, other, one, other].map((given) => importInto(keys.write, given as object)));
  assert.ok(
    responses.every(({ status, body }) => status === 201 || body.error.code === 'NAME_TAKEN'),
    responses.map(({ status }) => status).join(),
  );
  const made = responses
    .find(({ status }) => status === 201)
    ?.body.created.map(({ endpoint_path }: any) => endpoint_path);
  const inOrder = paths.map(([path]) => path);
  assert.deepEqual(made, made[0] === '/a0' ? inOrder : inOrder.toReversed());
});

test('an import whose tools repeat one large schema is refused as a whole, and the error says how to import a part', async () => {
  const { keys } = await makeTenant(server);
  const { error } = expectResponse(await importInto(keys.write, document(operations(200), shared(50_000))), 409);
  assert.equal(error.code, 'LIMIT_REACHED');
  assert.match(error.details.remedy, /include and exclude/);
  const larger = expectResponse(await importInto(keys.write, document(operations(350), shared(50_000))), 422);
  assert.equal(larger.error.details.reason, 'document_too_large');
  assert.match(larger.error.details.problems[0].message, /16 MiB.*include or exclude/);
  assert.deepEqual(expectResponse(await server.api('GET', '/custom-tools', { key: keys.read }), 200).data, []);
});

test('a project has at most 10,000 tools, created or imported', async () => {
  const { id, keys } = await makeTenant(server);
  expectResponse(await create(keys.write, fields()), 201);
  // Copies of the first, in one statement: ten thousand requests would prove no more.
  const { rows } = await server.app.pool.query(
    `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
     where table_name = 'custom_tools' and is_generated = 'NEVER' and column_name not in ('id', 'name')`,
  );
  await server.app.pool.query(
    `insert into custom_tools (id, name, ${rows[0].columns})
     select 'tool_copy' || n, 'copy_' || n, ${rows[0].columns} from custom_tools, generate_series(1, 9998) n
     where project_id = $1`,
    [id],
  );
  const two = document({ '/a': { get: {} }, '/b': { get: {} } });
  expectResponse(await importInto(keys.write, two), 409, 'Limit reached');
  expectResponse(await create(keys.write, fields()), 201);
  const { error } = expectResponse(await create(keys.write, fields()), 409, 'Limit reached');
  assert.equal(error.code, 'LIMIT_REACHED');
});

test('the newest hundred versions of a tool are kept', async () => {
  const { keys } = await makeTenant(server);
  const { id } = expectResponse(await create(keys.write, fields()), 201);
  const other = expectResponse(await create(keys.write, fields()), 201);
  for (let version = 2; version <= 102; version += 1) {
    const body = { description: `version ${version}` };
    expectResponse(await server.api('PATCH', `/custom-tools/${id}`, { key: keys.write, body }), 200);
  }
  const read = async (tool_id: string, version: number) =>
    (await server.api('GET', `/custom-tools/${tool_id}/versions/${version}`, { key: keys.read })).status;
  assert.deepEqual(await Promise.all([1, 2, 3, 102].map((version) => read(id, version))), [404, 404, 200, 200]);
  assert.equal(await read(other.id, 1), 200);
});

test('events and audit entries of a tool contain no schema, and their hash shows that one has changed', async () => {
  const { id: project_id, keys } = await makeTenant(server);
  const schema = (word: string) => ({ type: 'object', properties: { a: { description: word } } });
  const tool = expectResponse(
    await create(keys.write, fields({ input_schema: schema('mark'), output_schema: schema('mark') })),
    201,
  );
  const path = `/custom-tools/${tool.id}`;
  const body = { input_schema: schema('mark again') };
  const changed = expectResponse(await server.api('PATCH', path, { key: keys.write, body }), 200);
  expectResponse(await server.api('DELETE', path, { key: keys.admin }), 204);
  await server.runJobs();
  const entries = await server.api('GET', `/projects/${project_id}/audit-log`, { key: keys.admin });
  const events = await server.api('GET', `/projects/${project_id}/events`, { key: keys.read });
  for (const { text } of [entries, events]) assert.ok(!text.includes('mark'));
  const update = expectResponse(entries, 200).data.find((entry: any) => entry.action === 'custom_tool.updated');
  assert.deepEqual(
    [update.before.definition_hash, update.after.definition_hash],
    [tool.definition_hash, changed.definition_hash],
  );
});
