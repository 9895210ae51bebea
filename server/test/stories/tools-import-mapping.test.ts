// What an import makes of an operation: arguments in headers and cookies, names, forms of a body, responses, security schemes.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { callTool, modern } from '../mcp/rpc.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { execute, received } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });

const document = (paths: object, more: object = {}) => ({
  openapi: '3.0.3',
  servers: [{ url: customer.url }],
  paths,
  ...more,
});
const text = { type: 'string' };

/** Imports one document, enabled, and returns its tools by name. */
async function imported(given: object, options: object = {}) {
  const { keys } = await makeTenant(server);
  const body = { document: given, is_enabled: true, ...options };
  const response = expectResponse(await server.api('POST', '/custom-tools/import', { key: keys.write, body }), 201);
  const { data } = expectResponse(await server.api('GET', '/custom-tools?limit=100', { key: keys.read }), 200);
  const tools: Record<string, any> = Object.fromEntries(data.map((tool: { name: string }) => [tool.name, tool]));
  return { keys, response, tools };
}
const refusedImport = async (given: object, options: object) => {
  const { keys } = await makeTenant(server);
  const body = { document: given, ...options };
  return expectResponse(await server.api('POST', '/custom-tools/import', { key: keys.write, body }), 422).error.details;
};

test('header and cookie parameters are arguments that are sent there', async () => {
  const parameters = [
    { name: 'X-Tenant', in: 'header', required: true, schema: text },
    { name: 'X-Tags', in: 'header', schema: { type: 'array', items: text } },
    { name: 'sid', in: 'cookie', required: true, schema: text },
    { name: 'theme', in: 'cookie', schema: text },
    ...['Accept', 'Authorization', 'User-Agent', 'Traceparent', 'Host'].map((name) => ({
      ...{ name, in: 'header', schema: text },
    })),
  ];
  const { keys, tools } = await imported(document({ '/a': { get: { operationId: 'a', parameters } } }));
  const { input_schema, headers } = tools.a;
  assert.deepEqual(Object.keys(input_schema.properties), ['X_Tenant', 'X_Tags', 'sid', 'theme']);
  assert.deepEqual(input_schema.required, ['X_Tenant', 'sid']);
  assert.deepEqual(headers, {
    'X-Tenant': '{{X_Tenant}}',
    'X-Tags': '{{X_Tags}}',
    Cookie: 'sid={{sid}}; theme={{theme}}',
  });
  const request = await received(server, customer, keys.read, tools.a, {
    X_Tenant: 't',
    X_Tags: ['a', 'b'],
    sid: '1;2',
  });
  assert.deepEqual(
    [request.headers['x-tenant'], request.headers['x-tags'], request.headers.cookie],
    ['t', 'a,b', 'sid=1%3B2'],
  );
});

test('a parameter whose name is no word, or is used twice, gets a readable name of its own', async () => {
  const path = (name: string) => ({ name, in: 'path', required: true, schema: text });
  const body = { required: ['id'], properties: { id: text, other: text } };
  const { keys, tools } = await imported(
    document({
      '/a/{b-c}/{id}/{2nd}': {
        put: {
          operationId: 'put',
          parameters: [path('b-c'), path('id'), path('2nd'), { name: 'id', in: 'header', schema: text }],
          requestBody: { content: { 'application/json': { schema: body } } },
        },
        get: {
          operationId: 'get',
          parameters: [path('b-c'), path('id'), path('2nd'), { name: 'id', in: 'query', schema: text }],
        },
      },
    }),
  );
  assert.equal(tools.put.endpoint_path, '/a/{{b_c}}/{{id_in_path}}/{{_2nd}}');
  assert.deepEqual(Object.keys(tools.put.input_schema.properties), [
    'b_c',
    'id_in_path',
    '_2nd',
    'id_in_header',
    'id',
    'other',
  ]);
  const args = { b_c: '1', id_in_path: '2', _2nd: '3', id: '5' };
  const put = await received(server, customer, keys.read, tools.put, { ...args, id_in_header: '4' });
  assert.deepEqual([put.path, put.headers.id, JSON.parse(`${put.body}`).id], ['/a/1/2/3', '4', '5']);
  const get = await received(server, customer, keys.read, tools.get, args);
  assert.deepEqual([get.path, new URLSearchParams(get.query).get('id')], ['/a/1/2/3', '5']);
});

test('a body that is one of several objects takes the members of all; those that all need are required', async () => {
  const forms = [
    { type: 'object', required: ['kind', 'a'], properties: { kind: { enum: ['a'] }, a: text } },
    { type: 'object', required: ['kind'], properties: { kind: { enum: ['b'] }, b: text } },
    { type: 'array', items: text },
  ];
  const schema = { allOf: [{ properties: { note: text } }, { required: ['note'] }], oneOf: forms };
  const { tools } = await imported(
    document({
      '/a': { post: { operationId: 'a', requestBody: { content: { 'application/json': { schema } } } } },
    }),
  );
  const { properties, required } = tools.a.input_schema;
  assert.deepEqual(Object.keys(properties), ['note', 'kind', 'a', 'b']);
  assert.deepEqual(properties.kind, { anyOf: [{ enum: ['a'] }, { enum: ['b'] }] });
  assert.deepEqual(required, ['note', 'kind']);
});

const json = (schema: object, description = 'ok') => ({ description, content: { 'application/json': { schema } } });
const order = {
  type: 'object',
  required: ['id', 'password'],
  additionalProperties: false,
  properties: {
    id: { type: 'integer', minimum: 1 },
    password: { type: 'string', writeOnly: true },
    note: { type: 'string', nullable: true, format: 'date' },
    state: { type: 'string', enum: ['open'], pattern: '^o' },
    next: { $ref: '#/components/schemas/Order' },
  },
};

test('the JSON response becomes output_schema: types and required members, so that a detail fails no call', async () => {
  const get = (operationId: string, responses: object) => ({ get: { operationId, responses } });
  const ref = { $ref: '#/components/schemas/Order' };
  const { keys, response, tools } = await imported(
    document(
      {
        '/a': get('one', { 200: json(ref), 404: json({ type: 'string' }) }),
        '/b': get('same', { 200: json(ref), 201: json(ref) }),
        '/c': get('empty', { 200: json(ref), 204: { description: 'none' } }),
        '/d': get('different', { 200: json(ref), 202: json({ type: 'object' }) }),
        '/e': get('list', { 200: json({ type: 'array', items: ref }) }),
        '/f': get('html', { 200: { content: { 'text/html': { schema: text } } } }),
        '/g': get('broken', { 200: json({ type: 'object', properties: { a: { $ref: '#/nowhere' } } }) }),
        '/h': get('odd', { 200: json({ type: 'object', properties: { a: { type: 'color' } } }) }),
      },
      { components: { schemas: { Order: order } } },
    ),
  );
  const withOutput = response.created.filter((tool: any) => tool.has_output_schema).map(({ name }: any) => name);
  assert.deepEqual([response.created.length, withOutput], [8, ['one', 'same']]);
  const properties = {
    id: { type: 'integer' },
    note: { type: ['string', 'null'] },
    state: { type: 'string' },
    next: { $ref: '#/$defs/Order' },
  };
  const copied = { type: 'object', properties, required: ['id'] };
  assert.deepEqual(tools.one.output_schema, { ...copied, $defs: { Order: copied } });

  const call = async (body: unknown) => {
    customer.respond('/a', { body });
    return (await callTool(modern, server, keys.read, 'one')).body.result;
  };
  const fine = await call({ id: 0, note: null, state: 'new', more: 1, next: { id: 2 } });
  assert.deepEqual([fine.isError ?? false, fine.structuredContent.state], [false, 'new']);
  assert.equal((await call({ id: 'x' })).isError, true);
  assert.equal(
    (await imported(document({ '/a': get('one', { 200: json(order) }) }), { output_schemas: false })).tools.one
      .output_schema,
    null,
  );
});

test('an output_schema has at most 16 KiB, and all of an import 2 MiB; the tools after that are made without', async () => {
  const operation = (length: number) => ({
    get: { responses: { 200: json({ type: 'object', description: 'x'.repeat(length) }) } },
  });
  const many = Array.from({ length: 150 }, (_, i) => [`/p${i}`, operation(15_000)]);
  const { response } = await imported(document({ '/first': operation(17_000), ...Object.fromEntries(many) }));
  const [first, ...others] = response.created.map((tool: any) => tool.has_output_schema);
  assert.deepEqual([first, others.length, others.indexOf(false)], [false, 150, Math.floor((2 * 2 ** 20) / 15_034)]);
});

const schemes = {
  token: { type: 'http', scheme: 'Bearer' },
  login: { type: 'http', scheme: 'basic' },
  key: { type: 'apiKey', in: 'header', name: 'X-Shop-Key' },
  client: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://auth.example.com/token', scopes: {} } } },
  person: { type: 'oauth2', flows: { authorizationCode: {} } },
  oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://auth.example.com' },
  query: { type: 'apiKey', in: 'query', name: 'key' },
  digest: { type: 'http', scheme: 'digest' },
  own: { type: 'apiKey', in: 'header', name: 'X-Toolgate-Signature' },
};
const secured = (security: unknown, used: object = schemes) => {
  const operation = (operationId: string, each: unknown) => ({ get: { operationId, security: each } });
  return document(
    {
      '/a': { get: { operationId: 'default' } },
      '/b': operation('open', []),
      '/c': operation('key', [{ key: [] }]),
      '/d': operation('both', [{ key: [], login: [] }]),
      '/e': operation('choice', [{ digest: [] }, { client: ['orders:read', 'orders:write'] }, { key: [] }]),
    },
    { security, components: { securitySchemes: used } },
  );
};

test('each security scheme has its strategy, or the reason why it has none', async () => {
  const { response, tools } = await imported(secured([{ token: [] }]));
  assert.deepEqual(
    response.security_schemes.map(({ name, auth_strategy, tools }: any) => [name, auth_strategy, tools]),
    [
      ['token', 'bearer_token', 1],
      ['login', 'basic', 0],
      ['key', 'api_key_header', 2],
      ['client', 'oauth2_client_credentials', 1],
      ['person', 'bearer_token', 0],
      ['oidc', 'bearer_token', 0],
      ['query', 'api_key_query', 0],
      ['digest', null, 0],
      ['own', null, 0],
    ],
  );
  for (const { auth_strategy, reason, has_secret } of response.security_schemes)
    assert.deepEqual([auth_strategy === null, has_secret], [reason !== null, false]);
  for (const tool of Object.values(tools)) assert.equal(tool.auth_strategy, 'none', 'no secret was given');
});

test('a tool gets the strategy and secret of the first scheme that has a secret; an open operation gets none', async () => {
  const auth_secrets = { token: 'sesame-token', key: 'sesame-key', client: 'our-id:sesame:client' };
  const { keys, response, tools } = await imported(secured([{ token: [] }]), { auth_secrets });
  const auth = Object.fromEntries(
    Object.values(tools).map(({ name, auth_strategy, auth_config, has_auth_secret }) => [
      name,
      [auth_strategy, auth_config, has_auth_secret],
    ]),
  );
  const client = {
    token_url: 'https://auth.example.com/token',
    client_id: 'our-id',
    scope: 'orders:read orders:write',
  };
  assert.deepEqual(auth, {
    default: ['bearer_token', {}, true],
    open: ['none', {}, false],
    key: ['api_key_header', { header_name: 'X-Shop-Key' }, true],
    both: ['none', {}, false],
    choice: ['oauth2_client_credentials', client, true],
  });
  assert.ok(!JSON.stringify([response, tools]).includes('sesame'));
  const sent = async (name: string) => (await received(server, customer, keys.read, tools[name])).headers;
  assert.equal((await sent('default')).authorization, 'Bearer sesame-token');
  assert.equal((await sent('key'))['x-shop-key'], 'sesame-key');
  const open = await sent('open');
  assert.deepEqual([open.authorization, open['x-shop-key']], [undefined, undefined]);
});

test('one secret is enough for a document with one scheme, and a header that authenticates is no argument', async () => {
  const parameters = [{ name: 'x-shop-key', in: 'header', required: true, schema: text }];
  const given = document(
    { '/a': { get: { operationId: 'a', parameters } } },
    { security: [{ key: [] }], components: { securitySchemes: { key: schemes.key, digest: schemes.digest } } },
  );
  const { keys, tools } = await imported(given, { encrypted_auth_secret: 'sesame-key' });
  assert.deepEqual([tools.a.auth_strategy, tools.a.input_schema.properties], ['api_key_header', {}]);
  assert.equal((await received(server, customer, keys.read, tools.a)).headers['x-shop-key'], 'sesame-key');
  const explicit = { auth_strategy: 'api_key_header', auth_config: { header_name: 'X-Shop-Key' } };
  const again = await imported({ ...given, components: {} }, { ...explicit, encrypted_auth_secret: 'sesame-key' });
  assert.deepEqual(again.tools.a.input_schema.properties, {});
  expectResponse(await execute(server, again.keys.read, 'a'), 200);
});

test('a key in the query is api_key_query, and its parameter is no argument, wherever the argument would go', async () => {
  const parameters = [
    ...['key', 'q'].map((name) => ({ name, in: 'query', required: true, schema: text })),
    { name: 'key', in: 'path', required: true, schema: text },
  ];
  const requestBody = { content: { 'application/json': { schema: { properties: { key: text, b: text } } } } };
  const given = document(
    { '/a/{key}': { get: { operationId: 'get', parameters }, post: { operationId: 'post', parameters, requestBody } } },
    { security: [{ query: [] }], components: { securitySchemes: { query: schemes.query } } },
  );
  const { keys, response, tools } = await imported(given, {
    encrypted_auth_secret: 'sesame-key',
    context_in: 'headers',
  });
  assert.deepEqual(response.skipped, []);
  assert.deepEqual(tools.get.auth_config, { parameter_name: 'key' });
  assert.deepEqual(Object.keys(tools.get.input_schema.properties), ['q', 'key_in_path']);
  assert.deepEqual(Object.keys(tools.post.input_schema.properties), ['q', 'key_in_path', 'b']);
  const sent = async (name: string, more: object = {}) => {
    customer.respond('/a/p', { body: {} });
    expectResponse(await execute(server, keys.read, name, { q: 'x', key_in_path: 'p', ...more }), 200);
    return customer.at('/a/p').at(-1);
  };
  assert.equal((await sent('get'))?.query, 'q=x&key=sesame-key');
  assert.equal((await sent('post', { b: 'y' }))?.query, 'q=x&key=sesame-key');
  const explicit = await imported(
    { ...given, components: {} },
    { auth_strategy: 'api_key_query', auth_config: { parameter_name: 'key' }, encrypted_auth_secret: 'sesame-key' },
  );
  assert.deepEqual(Object.keys(explicit.tools.get.input_schema.properties), ['q', 'key_in_path']);
});

test('a secret that no scheme could use is refused with its name, and without its value', async () => {
  const wrong: [object, string][] = [
    [{ auth_secrets: { nobody: 'sesame' } }, 'auth_secrets.nobody'],
    [{ auth_secrets: { digest: 'sesame' } }, 'auth_secrets.digest'],
    [{ auth_secrets: { login: 'sesame' } }, 'auth_secrets.login'],
    [{ auth_secrets: { client: 'sesame' } }, 'auth_secrets.client'],
    [{ auth_secrets: { token: 'sesame\n' } }, 'auth_secrets.token'],
    [{ auth_secrets: { token: 1 } }, 'auth_secrets.token'],
    [{ auth_secrets: { token: 'sesame' }, auth_strategy: 'none' }, 'auth_secrets'],
    [{ auth_secrets: { token: 'sesame' }, encrypted_auth_secret: 'sesame' }, 'auth_secrets'],
    [{ encrypted_auth_secret: 'sesame' }, 'encrypted_auth_secret'],
  ];
  for (const [options, field] of wrong) {
    const details = await refusedImport(secured([{ token: [] }]), options);
    assert.equal(details.field, field);
    assert.ok(!JSON.stringify(details).includes('sesame'), field);
  }
  const none = await refusedImport(secured([], {}), { encrypted_auth_secret: 'sesame' });
  assert.equal(none.field, 'encrypted_auth_secret');
});
