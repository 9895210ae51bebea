// An OpenAPI document becomes tools: what fits is created, disabled; what does not is listed with the reason.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { execute, received } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });

const shop = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: `${customer.url}/v1/` }],
  paths: {
    '/orders': {
      get: {
        operationId: 'listOrders',
        summary: 'List orders',
        description: 'Newest first.',
        parameters: [
          { name: 'status', in: 'query', description: 'Only these', schema: { $ref: '#/components/schemas/Status' } },
          { $ref: '#/components/parameters/Limit' },
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
        ],
      },
      post: {
        operationId: 'create order!',
        parameters: [{ name: 'dry_run', in: 'query', required: true, schema: { type: 'boolean' } }],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/NewOrder' } } },
        },
      },
    },
    '/orders/{order_id}': {
      parameters: [{ name: 'order_id', in: 'path', required: true, schema: { type: 'string' } }],
      get: {},
      put: {
        operationId: 'listOrders',
        requestBody: {
          content: {
            'application/json': { schema: { type: 'object', properties: { order_id: {}, note: { type: 'string' } } } },
          },
        },
      },
      delete: { operationId: 'deleteOrder' },
      head: { operationId: 'headOrder' },
    },
  },
  components: {
    parameters: { Limit: { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } } },
    schemas: {
      Status: { type: 'string', enum: ['open', 'paid'] },
      NewOrder: {
        allOf: [
          {
            type: 'object',
            required: ['lines'],
            properties: { lines: { type: 'array', items: { $ref: '#/components/schemas/Line' } } },
          },
          {
            type: 'object',
            required: ['id'],
            properties: { id: { type: 'string', readOnly: true }, note: { type: ['string', 'null'] } },
          },
        ],
      },
      Line: {
        type: 'object',
        properties: { sku: { type: 'string' }, parts: { type: 'array', items: { $ref: '#/components/schemas/Line' } } },
      },
    },
  },
};

const importInto = async (key: string, document: object, more: object = {}) =>
  server.api('POST', '/custom-tools/import', { key, body: { document, ...more } });

const read = async (key: string, { id }: { id: string }) =>
  expectResponse(await server.api('GET', `/custom-tools/${id}`, { key }), 200);

test('the operations of a document become tools that are disabled, and work once they are enabled', async () => {
  const { keys } = await makeTenant(server);
  const { object, created, skipped } = expectResponse(await importInto(keys.write, shop), 201);
  assert.equal(object, 'tool_import');
  assert.deepEqual(
    created.map(({ name, method, endpoint_path, is_enabled }: any) => [name, method, endpoint_path, is_enabled]),
    [
      ['listOrders', 'GET', '/v1/orders', false],
      ['create_order', 'POST', '/v1/orders?dry_run={{dry_run}}', false],
      ['get_orders_order_id', 'GET', '/v1/orders/{{order_id}}', false],
      ['listOrders_2', 'PUT', '/v1/orders/{{order_id}}', false],
      ['deleteOrder', 'DELETE', '/v1/orders/{{order_id}}', false],
    ],
  );
  assert.deepEqual(skipped, [{ operation: 'HEAD /orders/{order_id}', reason: 'the method HEAD is not supported' }]);

  const [list, order, , , remove] = await Promise.all(created.map((tool: { id: string }) => read(keys.read, tool)));
  assert.deepEqual(
    [list.title, list.description, list.annotations, list.listed_annotations.readOnlyHint],
    ['List orders', 'List orders\n\nNewest first.', null, true],
  );
  assert.deepEqual(list.input_schema, {
    type: 'object',
    properties: {
      status: { $ref: '#/$defs/Status', description: 'Only these' },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      X_Trace: { type: 'string' },
    },
    $defs: { Status: { type: 'string', enum: ['open', 'paid'] } },
  });
  assert.deepEqual(order.input_schema.required, ['dry_run', 'lines']);
  assert.deepEqual(Object.keys(order.input_schema.properties), ['dry_run', 'lines', 'note']);
  assert.equal(remove.listed_annotations.destructiveHint, true);

  expectResponse(await execute(server, keys.read, 'create_order'), 403, 'Tool not enabled for this project');
  for (const { id } of created)
    expectResponse(await server.api('POST', `/custom-tools/${id}/enable`, { key: keys.write }), 200);
  const request = await received(server, customer, keys.read, order, {
    dry_run: true,
    lines: [{ sku: 'a', parts: [{ sku: 'b' }] }],
  });
  assert.deepEqual([request.path, request.query], ['/v1/orders', 'dry_run=true']);
  assert.deepEqual(JSON.parse(request.body.toString()).lines, [{ sku: 'a', parts: [{ sku: 'b' }] }]);
  expectResponse(await execute(server, keys.read, order.id, { dry_run: true, lines: [{ parts: [{ sku: 1 }] }] }), 422);
});

const document = (paths: object, more: object = {}) => ({
  openapi: '3.0.3',
  info: {},
  servers: [{ url: customer.url }],
  paths,
  ...more,
});
const post = (schema: unknown, type = 'application/json') => ({
  post: { requestBody: { required: true, content: { [type]: { schema } } } },
});
const parameter = (fields: object) => ({ get: { parameters: [{ schema: { type: 'string' }, ...fields }] } });

const cannot: [what: string, paths: Record<string, object>, reason: RegExp, more?: object][] = [
  [
    'a header it needs, which the service sets',
    { '/a': parameter({ name: 'Idempotency-Key', in: 'header', required: true }) },
    /requires Idempotency-Key as a header/,
  ],
  [
    'a signature it needs',
    { '/a': parameter({ name: 'X-Toolgate-Signature', in: 'header', required: true }) },
    /requires X-Toolgate-Signature as a header/,
  ],
  [
    'a cookie it needs, which is a list',
    { '/a': parameter({ name: 'sid', in: 'cookie', required: true, schema: { type: 'array' } }) },
    /requires sid as a cookie in a form that is not supported/,
  ],
  [
    'a header it needs, which is an object',
    { '/a': parameter({ name: 'X-A', in: 'header', required: true, schema: { type: 'object' } }) },
    /requires X-A as a header in a form that is not supported/,
  ],
  [
    'a parameter in a form that we do not write',
    { '/a': parameter({ name: 'f', in: 'query', required: true, style: 'deepObject' }) },
    /not supported/,
  ],
  [
    'a reserved name',
    { '/{project_id}': parameter({ name: 'project_id', in: 'path', required: true }) },
    /only toolgate can set/,
  ],
  ['a path parameter that is not described', { '/a/{b}': { get: {} } }, /does not describe the path parameter \{b\}/],
  [
    'a reference to another document',
    { '/a': post({ $ref: 'https://evil.example/x.json' }) },
    /refers to another document/,
  ],
  [
    'a reference to nothing',
    { '/a': post({ $ref: '#/components/schemas/No' }) },
    /refers to something that does not exist/,
  ],
  [
    'a reference to itself',
    { '/a': post({ $ref: '#/components/schemas/A' }) },
    /is circular/,
    { components: { schemas: { A: { $ref: '#/components/schemas/A' } } } },
  ],
  [
    'a pattern we cannot check',
    { '/a': parameter({ name: 'q', in: 'query', schema: { type: 'string', pattern: '(?=x)' } }) },
    /input_schema/,
  ],
  [
    'a server that is not HTTPS',
    { '/a': { get: {} } },
    /base_url must use HTTPS/,
    { servers: [{ url: 'http://api.example.com' }] },
  ],
  [
    'a server inside',
    { '/a': { get: {} } },
    /base_url: must be a public URL/,
    { servers: [{ url: 'https://10.0.0.1' }] },
  ],
  ['no server', { '/a': { get: {} } }, /has no server/, { servers: [] }],
];
test('an operation that cannot be a tool is skipped with its reason, and the others are made', async () => {
  const { keys } = await makeTenant(server);
  for (const [what, paths, reason, more] of cannot) {
    const fine = `/fine_${cannot.findIndex(([each]) => each === what)}`;
    const beside = { ...paths, [fine]: { get: { servers: [{ url: customer.url }] } } };
    const { created, skipped } = expectResponse(await importInto(keys.write, document(beside, more)), 201);
    assert.deepEqual(
      created.map(({ endpoint_path }: any) => endpoint_path),
      [fine],
      what,
    );
    assert.equal(skipped.length, 1, what);
    assert.match(skipped[0].reason, reason, what);
  }
});

test('base_url replaces the origin and keeps the path of the server; server variables take their default', async () => {
  const paths = { '/a': { get: {} } };
  const made = async (servers: object[], base_url?: string) => {
    const { keys } = await makeTenant(server);
    const response = await importInto(
      keys.write,
      document(paths, { servers }),
      base_url === undefined ? {} : { base_url },
    );
    const [tool] = expectResponse(response, 201).created;
    return tool && [tool.base_url, tool.endpoint_path];
  };
  assert.deepEqual(await made([{ url: '/api' }], customer.url), [customer.url, '/api/a']);
  assert.deepEqual(await made([{ url: 'http://localhost:3000/api' }], customer.url), [customer.url, '/api/a']);
  const variables = { region: { default: 'eu' }, base: { default: 'v2' } };
  assert.deepEqual(await made([{ url: 'https://{region}.example.com/{base}', variables }]), [
    'https://eu.example.com',
    '/v2/a',
  ]);
});

test('exclusive bounds of OpenAPI 3.0 and nullable keep their meaning', async () => {
  const { keys } = await makeTenant(server);
  const properties = {
    n: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
    s: { type: 'string', nullable: true },
  };
  const [made] = expectResponse(
    await importInto(keys.write, document({ '/a': post({ type: 'object', properties }) })),
    201,
  ).created;
  const tool = await read(keys.read, made);
  assert.deepEqual(tool.input_schema.properties.n, { type: 'number', exclusiveMinimum: 0, maximum: 9 });
  expectResponse(await server.api('POST', `/custom-tools/${tool.id}/enable`, { key: keys.write }), 200);
  expectResponse(await execute(server, keys.read, tool.id, { n: 0 }), 422);
  expectResponse(await execute(server, keys.read, tool.id, { n: 9, s: null }), 200);
});

test('what is no OpenAPI 3 document, or has too many operations, is 422 and makes nothing', async () => {
  const { keys } = await makeTenant(server);
  const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`/p${i}`, { get: {} }]));
  const wrong: [object, string][] = [
    [{}, 'document.openapi'],
    [{ swagger: '2.0', paths: {} }, 'document.openapi'],
    [{ openapi: '4.0.0', paths: {} }, 'document.openapi'],
    [{ openapi: '3.1.0' }, 'document.paths'],
    [document(many), 'document.paths'],
  ];
  for (const [given, field] of wrong)
    assert.equal(expectResponse(await importInto(keys.write, given), 422).error.details.field, field);
  expectResponse(await importInto(keys.read, shop), 403);
  assert.deepEqual(expectResponse(await server.api('GET', '/custom-tools', { key: keys.read }), 200).data, []);
});

test('a document that refers to itself in every way ends, as a tool whose schema is less deep', async () => {
  const { keys } = await makeTenant(server);
  const schemas = Object.fromEntries(
    Array.from({ length: 200 }, (_, i) => [
      `S${i}`,
      {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 60 }, (_, j) => [`p${j}`, { $ref: `#/components/schemas/S${(i * 7 + j) % 200}` }]),
        ),
      },
    ]),
  );
  const { created, skipped } = expectResponse(
    await importInto(
      keys.write,
      document({ '/a': post({ $ref: '#/components/schemas/S0' }) }, { components: { schemas } }),
    ),
    201,
  );
  assert.deepEqual([created.length, skipped], [1, []]);
});
