// Headers of a tool that take arguments: what the customer receives, and what an argument can never set.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
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
  properties: { tenant: {}, sid: {}, theme: {}, q: { type: 'string' } },
};
const headers = { 'X-Fixed': 'yes', 'X-Tenant': '{{tenant}}', Cookie: 'sid={{sid}}; theme={{theme}}' };
const make = (fields: object = {}) => makeTool(server, keys.write, customer, { input_schema, headers, ...fields });

for (const method of ['GET', 'POST'])
  test(`${method}: an argument of a header is sent there and nowhere else; without it the header is left out`, async () => {
    const tool = await make({ method });
    const full = await received(server, customer, keys.read, tool, { tenant: 'acme', sid: 'a b', theme: 7, q: 'x' });
    assert.deepEqual(
      [full.headers['x-fixed'], full.headers['x-tenant'], full.headers.cookie],
      ['yes', 'acme', 'sid=a%20b; theme=7'],
    );
    const names =
      method === 'GET' ? [...new URLSearchParams(full.query).keys()] : Object.keys(JSON.parse(`${full.body}`));
    assert.deepEqual(names, ['q', 'project_id']);
    const bare = await received(server, customer, keys.read, tool, { theme: 'dark' });
    assert.deepEqual([bare.headers['x-tenant'], bare.headers.cookie], [undefined, 'theme=dark']);
  });

test('a value that would not be one header is 422 with the argument named, and nothing is sent', async () => {
  const tool = await make();
  const before = customer.requests.length;
  for (const tenant of ['a\r\nX-Evil: 1', 'é', '', { a: 1 }, 'x'.repeat(5_000)]) {
    const { error } = expectResponse(await execute(server, keys.read, tool.id, { tenant }), 422);
    assert.equal(error.details.field, 'tenant');
  }
  assert.equal(customer.requests.length, before);
});

test('no argument can be a header that the service or auth_strategy sets, or a part of another header', async () => {
  const refused: [Record<string, string>, string, object?][] = [
    [{ Authorization: 'Bearer {{q}}' }, 'headers.Authorization'],
    [{ Host: '{{q}}' }, 'headers.Host'],
    [{ 'X-Toolgate-Signature': '{{q}}' }, 'headers.X-Toolgate-Signature'],
    [{ 'X-Toolgate-Member-Id': '{{q}}' }, 'headers.X-Toolgate-Member-Id'],
    [{ 'Content-Length': '{{q}}' }, 'headers.Content-Length'],
    [{ 'Idempotency-Key': '{{q}}' }, 'headers.Idempotency-Key'],
    [{ traceparent: '{{q}}' }, 'headers.traceparent'],
    [{ 'Content-Type': '{{q}}' }, 'headers.Content-Type'],
    [{ Cookie: 'a=b' }, 'headers.Cookie'],
    [{ Cookie: 'a=b; c={{q}}' }, 'headers.Cookie'],
    [{ 'X-A': '{{unknown}}' }, 'headers.X-A'],
    [{ 'X-A': '{{member_id}}' }, 'headers.X-A'],
    [{ '{{q}}': 'a' }, 'headers.{{q}}'],
    [
      { 'X-Key': '{{q}}' },
      'auth_config.header_name',
      { auth_strategy: 'api_key_header', auth_config: { header_name: 'x-key' }, encrypted_auth_secret: 'sesame' },
    ],
  ];
  for (const [headers, field, more] of refused) {
    const body = toolFields(customer.url, { input_schema, headers, ...more });
    const { error } = expectResponse(await server.api('POST', '/custom-tools', { key: keys.write, body }), 422);
    assert.equal(error.details.field, field, JSON.stringify(headers));
  }
});

test('a signed call with such headers still verifies, and its credential and signature are those of the service', async () => {
  const tool = await make({
    auth_strategy: 'hmac_signature',
    encrypted_auth_secret: 'a-secret-of-32-characters-length',
  });
  const request = await received(server, customer, keys.read, tool, { tenant: 'v1=00', sid: 's' });
  assert.match(String(request.headers['x-toolgate-signature']), /^v1=[0-9a-f]{64}$/);
  assert.equal(request.headers['x-tenant'], 'v1=00');
  const checked = expectResponse(
    await server.api('POST', `/custom-tools/${tool.id}/verify-signature`, {
      key: keys.write,
      body: { method: 'POST', path: request.path, headers: request.headers, body: `${request.body}` },
    }),
    200,
  );
  assert.equal(checked.is_valid, true);
});
