// Arguments that a tool sets itself: models neither see nor send them.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { callTool, modern } from '../mcp/rpc.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { execute, makeTool, received, toolFields } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { keys } = await makeTenant(server);

const input_schema = {
  type: 'object',
  properties: {
    q: { type: 'string' },
    limit: { type: 'integer', minimum: 1, maximum: 100 },
    locale: { type: 'string', enum: ['en', 'de'] },
    tenant: { type: 'string' },
  },
  required: ['q', 'limit', 'tenant'],
  additionalProperties: false,
};
const fixed_arguments = { limit: 50, tenant: 'acme/1' };

const make = (fields: object = {}) =>
  makeTool(server, keys.write, customer, { input_schema, fixed_arguments, ...fields });
const create = (fields: object) =>
  server.api('POST', '/custom-tools', {
    key: keys.write,
    body: toolFields(customer.url, { input_schema, fixed_arguments, ...fields }),
  });

test('fixed arguments are stored and shown, and are not in the listed schema', async () => {
  const tool = await make();
  assert.deepEqual([tool.fixed_arguments, tool.input_schema], [fixed_arguments, input_schema]);
  const { tools } = (await modern(server, keys.read, 'tools/list')).body.result;
  const { inputSchema } = tools.find(({ name }: { name: string }) => name === tool.name);
  const { q, locale } = input_schema.properties;
  assert.deepEqual(inputSchema, {
    type: 'object',
    properties: { q, locale },
    required: ['q'],
    additionalProperties: false,
  });
});

test('fixed arguments are sent in the body, with those of the caller', async () => {
  const { body } = await received(server, customer, keys.read, await make(), { q: 'tea' });
  const { project_id: _, ...sent } = JSON.parse(body.toString());
  assert.deepEqual(sent, { q: 'tea', ...fixed_arguments });
});

test('fixed arguments are inserted into the path, the query and headers', async () => {
  const tool = await make({
    method: 'GET',
    endpoint_path: '/tenants/{{tenant}}/items',
    headers: { 'X-Locale': '{{locale}}' },
    fixed_arguments: { ...fixed_arguments, locale: 'de' },
  });
  const { path, query, headers } = await received(server, customer, keys.read, tool, { q: 'tea' });
  assert.equal(path, '/tenants/acme%2F1/items');
  const sent = new URLSearchParams(query);
  assert.deepEqual([sent.get('limit'), sent.get('q')], ['50', 'tea']);
  assert.equal(sent.has('locale') || sent.has('tenant'), false);
  assert.equal(headers['x-locale'], 'de');
});

test('a name that the schema does not declare can be fixed, and used in the path and headers', async () => {
  const tool = await make({
    method: 'GET',
    input_schema: { type: 'object' },
    fixed_arguments: { version: 2, team: 'a' },
    endpoint_path: '/versions/{{version}}/x',
    headers: { 'X-Team': '{{team}}' },
  });
  const { path, headers } = await received(server, customer, keys.read, tool);
  assert.equal(path, '/versions/2/x');
  assert.equal(headers['x-team'], 'a');
});

test('a call that gives a fixed argument is refused with the field, in both protocols, and nothing is sent', async () => {
  const tool = await make();
  const before = customer.requests.length;
  const { details } = expectResponse(await execute(server, keys.read, tool.id, { q: 'tea', limit: 50 }), 422).error;
  assert.equal(details.field, 'limit');
  assert.deepEqual(details.problems, [{ field: 'limit', message: 'is set by the tool: leave it out' }]);
  const { isError, _meta } = (await callTool(modern, server, keys.read, tool.name, { q: 'x', tenant: 'b' })).body
    .result;
  assert.equal(isError, true);
  assert.equal(_meta['toolgate/error'].status, 422);
  assert.equal(customer.requests.length, before);
});

test('all that is wrong with a call is named, beside a fixed argument', async () => {
  const { details } = expectResponse(
    await execute(server, keys.read, (await make()).id, { limit: 1, q: 5 }),
    422,
  ).error;
  assert.deepEqual(details.problems.map(({ field }: { field: string }) => field).sort(), ['limit', 'q']);
});

for (const [title, field, fields] of [
  ['a value of another type', 'fixed_arguments.limit', { fixed_arguments: { limit: 'ten' } }],
  ['a value out of range', 'fixed_arguments.limit', { fixed_arguments: { limit: 101 } }],
  ['a value outside of an enum', 'fixed_arguments.locale', { fixed_arguments: { locale: 'fr' } }],
  ['a name that the schema does not allow', 'fixed_arguments.other', { fixed_arguments: { other: 1 } }],
  ['a reserved variable', 'fixed_arguments.member_id', { fixed_arguments: { member_id: 'x' } }],
  ['NUL', 'fixed_arguments.q', { fixed_arguments: { q: 'a\0b' } }],
  ['a lone surrogate', 'fixed_arguments.q', { fixed_arguments: { q: '\ud800' } }],
  ['a number that would change', 'fixed_arguments.limit', { fixed_arguments: { limit: 2 ** 53 + 2 } }],
  ['no object', 'fixed_arguments', { fixed_arguments: ['limit'] }],
  ['null', 'fixed_arguments', { fixed_arguments: null }],
  [
    'more than 20',
    'fixed_arguments',
    {
      input_schema: { type: 'object' },
      fixed_arguments: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`a${i}`, i])),
    },
  ],
  [
    'a path segment that would leave the path',
    'fixed_arguments.tenant',
    { fixed_arguments: { tenant: '..' }, endpoint_path: '/tenants/{{tenant}}/items' },
  ],
  [
    'a schema that others refer to',
    'fixed_arguments.limit',
    {
      input_schema: {
        type: 'object',
        properties: { limit: { type: 'integer' }, offset: { $ref: '#/properties/limit' } },
      },
      fixed_arguments: { limit: 1 },
    },
  ],
  [
    'a name that is declared behind a reference',
    'fixed_arguments.limit',
    {
      input_schema: {
        type: 'object',
        allOf: [{ $ref: '#/$defs/page' }],
        $defs: { page: { allOf: [{ properties: { limit: {} } }] } },
      },
      fixed_arguments: { limit: 1 },
    },
  ],
  [
    'a name that is required behind a reference',
    'fixed_arguments.limit',
    {
      input_schema: { type: 'object', $ref: '#/$defs/page', $defs: { page: { required: ['limit'] } } },
      fixed_arguments: { limit: 1 },
    },
  ],
  [
    'a value that allOf forbids',
    'fixed_arguments.limit',
    {
      input_schema: {
        type: 'object',
        properties: { limit: { type: 'integer' } },
        required: ['q'],
        allOf: [{ required: ['q'], allOf: [{ properties: { limit: { maximum: 10 } } }] }],
      },
      fixed_arguments: { limit: 11 },
    },
  ],
  [
    'a name that a schema behind a reference excludes',
    'fixed_arguments.limit',
    {
      input_schema: {
        type: 'object',
        allOf: [{ $ref: '#/$defs/closed' }],
        $defs: { closed: { properties: { q: {} }, additionalProperties: false } },
      },
      fixed_arguments: { limit: 1 },
    },
  ],
] as const)
  test(`${title} cannot be a fixed argument: 422 with the field, and nothing is saved`, async () => {
    const response = await create(fields);
    assert.equal(expectResponse(response, 422).error.details.field, field);
  });

test('the listed schema requires what a fixed argument makes necessary, and does not name it there', async () => {
  const tool = await make({
    input_schema: {
      type: 'object',
      properties: { limit: {}, offset: {}, q: {}, sort: {} },
      dependentRequired: { limit: ['offset'], q: ['limit', 'sort'] },
    },
    fixed_arguments: { limit: 1 },
  });
  const { tools } = (await modern(server, keys.read, 'tools/list')).body.result;
  const { inputSchema } = tools.find(({ name }: { name: string }) => name === tool.name);
  assert.deepEqual(inputSchema, {
    type: 'object',
    properties: { offset: {}, q: {}, sort: {} },
    dependentRequired: { q: ['sort'] },
    required: ['offset'],
  });
});

test('values are validated by schemas that refer to others, and other arguments may be missing', async () => {
  const referring = {
    type: 'object',
    properties: { page: { $ref: '#/$defs/page' }, q: { type: 'string' } },
    required: ['q'],
    allOf: [{ required: ['page'] }],
    $defs: { page: { type: 'object', properties: { size: { $ref: '#/$defs/size' } } }, size: { maximum: 10 } },
  };
  const tool = await make({ input_schema: referring, fixed_arguments: { page: { size: 10 } } });
  expectResponse(await execute(server, keys.read, tool.id, { q: 'x' }), 200);
  const wrong = await create({ input_schema: referring, fixed_arguments: { page: { size: 11 } } });
  assert.equal(expectResponse(wrong, 422).error.details.field, 'fixed_arguments.page.size');
});

test('fixed arguments belong to the version and the definition hash, and none leave the hash as it was', async () => {
  const body = toolFields(customer.url, { input_schema });
  const tool = expectResponse(await server.api('POST', '/custom-tools', { key: keys.write, body }), 201);
  assert.deepEqual(tool.fixed_arguments, {});
  const patch = async (body: object) =>
    expectResponse(await server.api('PATCH', `/custom-tools/${tool.id}`, { key: keys.write, body }), 200);
  const changed = await patch({ fixed_arguments });
  assert.equal(changed.version, 2);
  assert.notEqual(changed.definition_hash, tool.definition_hash);
  const version = await server.api('GET', `/custom-tools/${tool.id}/versions/2`, { key: keys.read });
  assert.deepEqual(expectResponse(version, 200).definition.fixed_arguments, fixed_arguments);
  const back = await patch({ fixed_arguments: {} });
  assert.deepEqual([back.version, back.definition_hash], [3, tool.definition_hash]);
});

test('a change of the schema that a fixed argument does not match is refused', async () => {
  const tool = await make();
  const body = { input_schema: { type: 'object', properties: { limit: { type: 'string' } } } };
  const response = await server.api('PATCH', `/custom-tools/${tool.id}`, { key: keys.write, body });
  assert.equal(expectResponse(response, 422).error.details.field, 'fixed_arguments.limit');
});

test('the audit log has the names of fixed arguments and not their values', async () => {
  const tenant = await makeTenant(server);
  const body = toolFields(customer.url, { fixed_arguments: { api_token: 'do-not-show' } });
  expectResponse(await server.api('POST', '/custom-tools', { key: tenant.keys.write, body }), 201);
  const log = await server.api('GET', `/projects/${tenant.id}/audit-log`, { key: tenant.keys.admin });
  assert.equal(expectResponse(log, 200).data[0].after.fixed_arguments[0], 'api_token');
  assert.equal(log.text.includes('do-not-show'), false);
});

test('a preview shows the request with the fixed arguments', async () => {
  const tool = await make();
  const response = await server.api('POST', `/custom-tools/${tool.id}/preview`, {
    key: keys.write,
    body: { arguments: { q: 'tea' } },
  });
  const preview = expectResponse(response, 200);
  assert.deepEqual(preview.problems, []);
  assert.equal(JSON.parse(preview.body).limit, 50);
});
