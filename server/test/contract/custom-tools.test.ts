// Spec 7, POST /custom-tools and the rows of "tool execution details" about a tool's definition, and everything else
// that is refused when a tool is saved, with its field.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { makeTool, toolFields } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const tenant = await makeTenant(server);
const { api } = server;

const create = (fields: object) =>
  api('POST', '/custom-tools', { key: tenant.keys.write, body: toolFields('https://api.example.com', fields) });
const patch = (id: string, body: object) => api('PATCH', `/custom-tools/${id}`, { key: tenant.keys.write, body });

const HTTPS = 'base_url must use HTTPS';
const ORIGIN = 'base_url must be origin-only (no paths)';
const SLASH = 'endpoint_path must start with /';
const SECRET = "encrypted_auth_secret is required when auth_strategy is 'hmac_signature'";
const MEMBER = 'endpoint_path uses {{member_id}} but require_member=False';

// In the order in which they are checked: each row is also wrong in every way that comes after it.
const rows: [message: string, code: string, fields: object][] = [
  [HTTPS, 'BASE_URL_NOT_HTTPS', { base_url: 'http://api.example.com' }],
  [ORIGIN, 'BASE_URL_NOT_ORIGIN', { base_url: 'https://api.example.com/v1' }],
  [SLASH, 'ENDPOINT_PATH_NOT_ABSOLUTE', { endpoint_path: 'orders' }],
  [SECRET, 'AUTH_SECRET_REQUIRED', { auth_strategy: 'hmac_signature' }],
  [MEMBER, 'MEMBER_ID_WITHOUT_REQUIRE_MEMBER', { endpoint_path: '/{{member_id}}' }],
];
for (const [index, [message, code, fields]] of rows.entries()) {
  test(`400 ${message}`, async () => {
    const body = expectResponse(await create(fields), 400, message);
    assert.equal(body.error.code, code);
    const { id } = await makeTool(server, tenant.keys.write, customer);
    assert.equal(expectResponse(await patch(id, fields), 400, message).error.code, code, 'by PATCH');
  });
  test(`${message} goes before what else is wrong`, async () => {
    const later = Object.assign({}, ...rows.slice(index).map(([, , wrong]) => wrong), fields);
    expectResponse(await create({ ...later, input_schema: { type: 'strange' }, headers: { Host: 'x' } }), 400, message);
  });
}

test('the 400s hold in other spellings of the same mistake', async () => {
  expectResponse(await create({ base_url: 'HTTP://api.example.com' }), 400, HTTPS);
  expectResponse(await create({ base_url: 'ftp://api.example.com' }), 400, HTTPS);
  for (const base_url of ['https://a.example.com/v1/', 'https://a.example.com?x=1', 'https://u:p@a.example.com'])
    expectResponse(await create({ base_url }), 400, ORIGIN);
  expectResponse(await create({ endpoint_path: '' }), 400, SLASH);
  for (const encrypted_auth_secret of [null, ''])
    expectResponse(await create({ auth_strategy: 'hmac_signature', encrypted_auth_secret }), 400, SECRET);
  expectResponse(await create({ endpoint_path: '/m?id={{member_id}}', require_member: false }), 400, MEMBER);
});

const nested = (depth: number) => {
  let schema: object = { type: 'string' };
  for (let i = 0; i < depth; i += 1) schema = { type: 'object', properties: { a: schema } };
  return schema;
};
const oauth = { auth_strategy: 'oauth2_client_credentials', encrypted_auth_secret: 'secret' };
const tokens = (auth_config: object) => ({ ...oauth, auth_config: { client_id: 'me', ...auth_config } });

const invalid: [field: string, fields: object][] = [
  ['name', { name: 'has space' }],
  ['name', { name: '' }],
  ['name', { name: 'x'.repeat(65) }],
  ['method', { method: 'FETCH' }],
  ['timeout_ms', { timeout_ms: 999 }],
  ['timeout_ms', { timeout_ms: 55_001 }],
  ['timeout_ms', { timeout_ms: 1500.5 }],
  ['context_in', { context_in: 'cookies' }],
  ['require_membr', { require_membr: true }],
  ['is_enabled', { is_enabled: 'yes' }],
  ['title', { title: 'x\0y' }],
  ['annotations.readOnly', { annotations: { readOnly: true } }],
  ['base_url', { base_url: 'not a url' }],
  ['base_url', { base_url: '' }],
  ['base_url', { base_url: 'https://10.0.0.1' }],
  ['base_url', { base_url: 'https://169.254.169.254' }],
  ['base_url', { base_url: 'https://[::1]' }],
  ['base_url', { base_url: 'https://127.0.0.1:1' }],
  ['base_url', { base_url: 'https://localhost' }],
  ['base_url', { base_url: 'https://metadata.google.internal' }],
  ['base_url', { base_url: 'https://api.example.com:22' }],
  ['base_url', { base_url: 'https://2130706433' }],
  ['endpoint_path', { endpoint_path: '//evil.example/x' }],
  ['endpoint_path', { endpoint_path: '/a/../b' }],
  ['endpoint_path', { endpoint_path: '/a\r\nX-Evil: 1' }],
  ['endpoint_path', { endpoint_path: '/a/{{unknown}}' }],
  ['endpoint_path', { endpoint_path: '/a/{{x' }],
  ['headers.X-A', { headers: { 'X-A': 'a\r\nX-Evil: 1' } }],
  ['headers.X-A', { headers: { 'X-A': 'ä' } }],
  ['headers.X A', { headers: { 'X A': 'b' } }],
  ['headers.x-a', { headers: { 'X-A': 'b', 'x-a': 'c' } }],
  ...[
    ...['Host', 'Authorization', 'Cookie', 'Content-Length', 'Transfer-Encoding', 'Connection', 'TE', 'Upgrade'],
    ...['Keep-Alive', 'Trailer', 'Expect', 'Proxy-Authorization', 'Accept-Encoding', 'X-Toolgate-Member-Id'],
    ...['x-toolgate-signature', 'Idempotency-Key', 'traceparent'],
  ].map((name): [string, object] => [`headers.${name}`, { headers: { [name]: 'x' } }]),
  ['input_schema', { input_schema: 'text' }],
  ['input_schema.type', { input_schema: { type: 'strange' } }],
  ['input_schema.type', { input_schema: { properties: {} } }],
  ['input_schema', { input_schema: { type: 'object', description: 'x'.repeat(70_000) } }],
  ['input_schema.properties.a.$ref', { input_schema: { type: 'object', properties: { a: { $ref: '#/$defs/no' } } } }],
  ['input_schema.properties.a.pattern', { input_schema: { type: 'object', properties: { a: { pattern: '(' } } } }],
  ['input_schema.properties.member_id', { input_schema: { type: 'object', properties: { member_id: {} } } }],
  ['input_schema.required', { input_schema: { type: 'object', required: ['project_id'] } }],
  ['output_schema.type', { output_schema: { type: 'strange' } }],
  ['auth_strategy', { auth_strategy: 'magic' }],
  ['require_member', { auth_strategy: 'member_oauth' }],
  ['auth_config.header_name', { auth_config: { header_name: 'X-Key' } }],
  ['auth_config.unknown', { auth_config: { unknown: 'x' } }],
  ...['bearer_token', 'api_key_header', 'basic'].map((auth_strategy): [string, object] => [
    'encrypted_auth_secret',
    { auth_strategy },
  ]),
  ['encrypted_auth_secret', { auth_strategy: 'bearer_token', encrypted_auth_secret: 'a\r\nX-Evil: 1' }],
  ['encrypted_auth_secret', { auth_strategy: 'bearer_token', encrypted_auth_secret: 'schlüssel' }],
  ['encrypted_auth_secret', { auth_strategy: 'api_key_header', encrypted_auth_secret: ' padded ' }],
  ['encrypted_auth_secret', { auth_strategy: 'basic', encrypted_auth_secret: 'no colon' }],
  ['encrypted_auth_secret', { auth_strategy: 'basic', encrypted_auth_secret: 'user:a\nb' }],
  ['encrypted_auth_secret', { encrypted_auth_secret: 'x'.repeat(16_385) }],
  [
    'auth_config.header_name',
    { auth_strategy: 'api_key_header', encrypted_auth_secret: 'k', auth_config: { header_name: 'Host' } },
  ],
  [
    'auth_config.header_name',
    { auth_strategy: 'api_key_header', encrypted_auth_secret: 'k', headers: { 'x-api-key': 'other' } },
  ],
  ['auth_config.token_url', tokens({})],
  ['auth_config.client_id', { ...oauth, auth_config: { token_url: 'https://idp.example.com/token' } }],
  ['auth_config.token_url', tokens({ token_url: 'http://idp.example.com/token' })],
  ['auth_config.token_url', tokens({ token_url: 'https://u:p@idp.example.com/token' })],
  ['auth_config.token_url', tokens({ token_url: 'https://idp.example.com/token#x' })],
  ['auth_config.token_url', tokens({ token_url: 'https://10.0.0.1/token' })],
  ['auth_config.scope', tokens({ token_url: 'https://idp.example.com/token', scope: 'a  b' })],
];
for (const [field, fields] of invalid) {
  test(`422 for ${field} in ${JSON.stringify(fields).slice(0, 90)}`, async () => {
    const { error } = expectResponse(await create(fields), 422, 'Validation error');
    assert.equal(error.details.field, field);
  });
}

test('a schema that is nested too deep is 422, however deep it is', async () => {
  for (const depth of [21, 400]) {
    const { error } = expectResponse(await create({ input_schema: nested(depth) }), 422, 'Validation error');
    assert.match(error.details.field, /^input_schema/);
  }
  expectResponse(await create({ input_schema: nested(19) }), 201);
});

test('a refusal never repeats a secret', async () => {
  const secret = 'top secret\n';
  for (const auth_strategy of ['bearer_token', 'basic', 'api_key_header']) {
    const response = await create({ auth_strategy, encrypted_auth_secret: secret });
    expectResponse(response, 422);
    assert.ok(!response.text.includes('top secret'));
  }
});

test('a name is taken once in a project, and free in another', async () => {
  const one = await makeTool(server, tenant.keys.write, customer);
  const two = await makeTool(server, tenant.keys.write, customer);
  expectResponse(await create({ name: one.name }), 409, 'Name already exists for this project');
  expectResponse(await patch(two.id, { name: one.name }), 409, 'Name already exists for this project');
  const other = await makeTenant(server);
  await makeTool(server, other.keys.write, customer, { name: one.name });
});

test('of fifty registrations of one name at the same moment one is made', async () => {
  const responses = await Promise.all(Array.from({ length: 50 }, () => create({ name: 'the_same' })));
  assert.deepEqual(
    [201, 409].map((status) => responses.filter((response) => response.status === status).length),
    [1, 49],
  );
});

test('each operation needs its permission, a key, and a tool of its own project', async () => {
  const { id } = await makeTool(server, tenant.keys.write, customer);
  const other = await makeTenant(server);
  const operations: [permission: 'read' | 'write' | 'admin', method: string, path: string, body?: object][] = [
    ['read', 'GET', `/custom-tools/${id}`],
    ['read', 'GET', `/custom-tools/${id}/versions`],
    ['read', 'GET', `/custom-tools/${id}/versions/1`],
    ['write', 'PATCH', `/custom-tools/${id}`, { description: 'x' }],
    ['write', 'POST', `/custom-tools/${id}/disable`],
    ['write', 'POST', `/custom-tools/${id}/enable`],
    ['write', 'POST', `/custom-tools/${id}/verify-signature`, { headers: {} }],
    ['admin', 'DELETE', `/custom-tools/${id}`],
  ];
  for (const [needed, method, path, body] of operations) {
    expectResponse(await api(method, path, { body }), 401, 'Invalid or inactive API key');
    for (const permission of ['read', 'write', 'webhook'] as const) {
      if (permission === needed) continue;
      expectResponse(await api(method, path, { key: tenant.keys[permission], body }), 403, 'Insufficient permissions');
    }
    expectResponse(await api(method, path, { key: other.keys.admin, body }), 404, 'Not found');
    const allowed = await api(method, path, {
      key: needed === 'admin' ? ROOT_KEY : tenant.keys[needed],
      project: tenant.id,
      body,
    });
    assert.ok(![401, 403, 404].includes(allowed.status), `${method} ${path}: ${allowed.text}`);
  }
});
