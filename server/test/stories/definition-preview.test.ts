// POST /custom-tools/preview: the request of a tool that is not saved is the one that the tool will send, and no secret is needed.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { makeOwner } from '../support/make/make-accounts.ts';
import { makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { keys } = await makeTenant(server, { plan: 'pro' });

const properties = { id: { type: 'string' }, tags: { type: 'array' }, note: { type: 'string' } };
const base = { base_url: customer.url, endpoint_path: '/v1/x', input_schema: { type: 'object', properties } };
const preview = (definition: object, args: object = {}, key = keys.write, more: object = {}) =>
  server.api('POST', '/custom-tools/preview', { key, body: { definition, arguments: args, ...more } });

/** What differs between two requests of the same tool. */
function comparable({ headers, canonical_string, ...rest }: any) {
  const { 'x-toolgate-request-id': _, 'x-toolgate-timestamp': __, 'x-toolgate-signature': ___, ...shown } = headers;
  const isMultipart = shown['content-type']?.startsWith('multipart/');
  const withoutBoundary = (text: string) =>
    isMultipart ? text.replaceAll(/toolgate-[0-9a-f]{36}/g, 'boundary') : text;
  return JSON.parse(
    withoutBoundary(JSON.stringify({ ...rest, headers: shown, lines: canonical_string?.split('\n').length ?? null })),
  );
}

const args = { id: 'a/b', tags: ['x', 'y'], note: 'ü & "' };
const definitions: [what: string, fields: object][] = [
  ['GET', { method: 'GET', endpoint_path: '/v1/x/{{id}}?v=1' }],
  ['JSON', { headers: { 'X-Note': '{{id}}', 'X-Tenant': 'acme' }, context_in: 'headers' }],
  ['a form', { body_format: 'form', body_encoding: { tags: { style: 'brackets' } } }],
  ['multipart', { body_format: 'multipart', body_encoding: { note: { content_type: 'text/csv' } } }],
  ['raw', { body_format: 'raw', body_argument: 'note', body_content_type: 'text/csv' }],
  ['a bearer token', { auth_strategy: 'bearer_token', encrypted_auth_secret: 'very-secret' }],
  ['a key in a header', { auth_strategy: 'api_key_header', encrypted_auth_secret: 'very-secret' }],
  ['a key in the query', { auth_strategy: 'api_key_query', encrypted_auth_secret: 'very-secret' }],
  ['basic', { auth_strategy: 'basic', encrypted_auth_secret: 'user:very-secret' }],
  [
    'client credentials',
    {
      auth_strategy: 'oauth2_client_credentials',
      auth_config: { token_url: 'https://auth.example.com/token', client_id: 'me' },
      encrypted_auth_secret: 'very-secret',
    },
  ],
];

test('the request of a definition is that of the tool which is saved with it, in each body format and authentication', async () => {
  for (const [what, fields] of definitions) {
    const { encrypted_auth_secret: _, ...definition } = { ...base, encrypted_auth_secret: null, ...fields };
    const shown = expectResponse(await preview(definition, args), 200);
    const { id } = await makeTool(server, keys.write, customer, { ...base, ...fields });
    const saved = await server.api('POST', `/custom-tools/${id}/preview`, {
      key: keys.write,
      body: { arguments: args },
    });
    assert.deepEqual(shown.problems, [], what);
    assert.deepEqual(comparable(shown), comparable(expectResponse(saved, 200)), what);
  }
});

test('a signed request shows its canonical string, and its signature is redacted', async () => {
  const shown = expectResponse(await preview({ ...base, auth_strategy: 'hmac_signature' }, args), 200);
  assert.match(shown.canonical_string, /\nPOST\n/);
  assert.deepEqual([shown.signature, shown.headers['x-toolgate-signature']], ['[redacted]', '[redacted]']);
});

test('a secret is not taken, so none can be shown', async () => {
  const { error } = expectResponse(await preview({ ...base, encrypted_auth_secret: 'very-secret' }), 422);
  assert.match(error.details.field, /definition/);
});

test('what is wrong with a definition is said with its field, and a wrong authentication does not hide the request', async () => {
  const problemsOf = async (fields: object, given: object = {}) => {
    const { url, problems } = expectResponse(await preview({ ...base, ...fields }, given), 200);
    return [url === null, problems.map(({ code, field }: any) => `${code} ${field}`)];
  };
  assert.deepEqual(await problemsOf({ base_url: 'ftp://x' }), [true, ['BASE_URL_NOT_HTTPS base_url']]);
  assert.deepEqual(await problemsOf({ endpoint_path: 'x' }), [true, ['ENDPOINT_PATH_NOT_ABSOLUTE endpoint_path']]);
  assert.deepEqual(await problemsOf({ endpoint_path: '/{{no}}' }), [true, ['VALIDATION_ERROR endpoint_path']]);
  assert.deepEqual(await problemsOf({ body_format: 'raw' }), [true, ['VALIDATION_ERROR body_argument']]);
  const schema = { type: 'object', properties: { id: { type: 'string', pattern: '(' } } };
  assert.deepEqual(await problemsOf({ input_schema: schema }), [
    true,
    ['VALIDATION_ERROR input_schema.properties.id.pattern'],
  ]);
  assert.deepEqual(await problemsOf({}, { id: 1 }), [true, ['VALIDATION_ERROR id']]);
  assert.deepEqual(await problemsOf({}, { member_id: 'x' }), [true, ['RESERVED_VARIABLE member_id']]);
  assert.deepEqual(await problemsOf({ auth_strategy: 'member_jwt' }), [
    false,
    ['VALIDATION_ERROR auth_config.audience'],
  ]);
  assert.deepEqual(await problemsOf({ require_member: true }), [false, ['MEMBER_CONTEXT_REQUIRED ']]);
});

test('nothing is sent or saved, a key that only reads is refused, and a person previews for a test member', async () => {
  customer.respond('/v1/x', { body: {} });
  const before = await server.api('GET', '/custom-tools?limit=100', { key: keys.read });
  expectResponse(await preview({ ...base, fixed_arguments: { id: 'always' } }, { note: 'x' }), 200);
  expectResponse(await preview(base, {}, keys.read), 403);
  assert.equal(customer.at('/v1/x').length, 0);
  assert.deepEqual((await server.api('GET', '/custom-tools?limit=100', { key: keys.read })).body, before.body);

  const owner = await makeOwner(server);
  const body = {
    definition: { ...base, method: 'GET', endpoint_path: '/m/{{member_id}}', require_member: true },
    member_external_id: 'test_ada',
  };
  const headers = { 'x-project-id': owner.project.id };
  const shown = expectResponse(await owner.api('POST', '/custom-tools/preview', { headers, body }), 200);
  assert.deepEqual(shown.problems, []);
  assert.ok(shown.url.startsWith(`${customer.url}/m/test_ada`), shown.url);
});
