// The requests to the customer's API: where each argument is, what the service adds, and what is never sent.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { callTool, modern } from '../mcp/rpc.ts';
import { expectResponse } from '../support/make/make.ts';
import { makeMemberTenant, makeSession } from '../support/make/make-members.ts';
import { execute, makeTool, received } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const tenant = await makeMemberTenant(server);
const session = await makeSession(server, tenant, 'user-7');
const callKey = tenant.integrationKey.key;
const context = { project_id: tenant.id, integration_id: tenant.integration.id };

const make = (fields: object = {}) => makeTool(server, tenant.keys.write, customer, fields);
const sent = (tool: Parameters<typeof received>[3], given: unknown = {}, key = callKey, headers = {}) =>
  received(server, customer, key, tool, given, headers);
const json = ({ body }: { body: Buffer }) => JSON.parse(body.toString());

for (const method of ['POST', 'PUT', 'PATCH']) {
  test(`${method}: arguments and context are the JSON body, unchanged`, async () => {
    const given = { q: 'ü "x" \u2028', n: 3, deep: { a: [1, { b: null }], empty: {} }, big: 12345678901234.5 };
    const request = await sent(await make({ method }), given);
    assert.deepEqual([request.method, request.query], [method, '']);
    assert.equal(request.headers['content-type'], 'application/json');
    assert.equal(request.headers['content-length'], String(request.body.length));
    assert.deepEqual(json(request), { ...given, ...context });
  });
}

for (const method of ['GET', 'DELETE']) {
  test(`${method}: arguments and context are the query: text, lists repeated, objects as JSON, null omitted`, async () => {
    const given = { q: "a b&c=d/ü+'", n: 3, on: true, tag: ['x', 'y'], filter: { a: 1 }, none: null };
    const request = await sent(await make({ method }), given);
    assert.deepEqual([request.method, request.body.length], [method, 0]);
    assert.equal(request.headers['content-type'], undefined);
    const query = new URLSearchParams(request.query);
    assert.deepEqual(
      [...query],
      [
        ['q', "a b&c=d/ü+'"],
        ['n', '3'],
        ['on', 'true'],
        ['tag', 'x'],
        ['tag', 'y'],
        ['filter', '{"a":1}'],
        ['project_id', tenant.id],
        ['integration_id', tenant.integration.id],
      ],
    );
  });
}

test('an argument named in the path is sent there, percent-encoded, and nowhere else', async () => {
  const tool = await make({
    endpoint_path: '/users/{{user}}/items?sort={{sort}}',
    input_schema: { type: 'object', properties: { user: {}, sort: { type: 'string' } } },
  });
  const request = await sent(tool, { user: 'a/b?c#d é%2F', sort: 'x&y=z', q: 1 });
  assert.deepEqual([request.path, request.query], ['/users/a%2Fb%3Fc%23d%20%C3%A9%252F/items', 'sort=x%26y%3Dz']);
  assert.deepEqual(json(request), { q: 1, ...context });
});

test('every argument that the request cannot be built with is reported at once, also beside the schema', async () => {
  const tool = await make({
    method: 'GET',
    endpoint_path: '/users/{{user}}/{{item}}',
    headers: { 'X-Trace': '{{trace}}' },
    input_schema: { type: 'object', properties: { user: {}, item: {}, trace: {}, n: { type: 'number' } } },
  });
  const wrong = { user: '..', item: {}, trace: 'é', q: '\ud800' };
  const fields = async (given: object) => {
    const { error } = expectResponse(await execute(server, callKey, tool.id, given), 422, 'Validation error');
    return error.details.problems.map(({ field }: { field: string }) => field);
  };
  assert.deepEqual(await fields(wrong), ['user', 'item', 'trace', 'q']);
  assert.deepEqual(await fields({ ...wrong, n: 'x' }), ['n', 'user', 'item', 'trace', 'q']);
});

test("the template's own query comes before the arguments of a GET", async () => {
  const tool = await make({ method: 'GET', endpoint_path: '/search?type=order', context_in: 'headers' });
  assert.equal((await sent(tool, { q: 'x' })).query, 'type=order&q=x');
  assert.equal((await sent(tool)).query, 'type=order');
});

const hostile = [
  '../../admin',
  'a/../b',
  '..%2fx',
  'a\\..\\b',
  '%2e%2e',
  '.%2e',
  'x?y=1#z',
  '//evil.example',
  'a;b',
  '...',
  '~',
  '@',
  ':',
  "a'b",
];
for (const external_id of hostile) {
  test(`a member called ${JSON.stringify(external_id)} stays one segment of the path`, async () => {
    const tool = await make({ endpoint_path: '/members/{{member_id}}/orders', require_member: true });
    const { session_token } = await makeSession(server, tenant, external_id);
    const { path, query } = await sent(tool, {}, session_token);
    assert.equal(path, `/members/${encodeURIComponent(external_id)}/orders`);
    assert.equal(query, '');
    assert.equal(new URL(path, customer.url).pathname, path, 'an URL parser reads it otherwise');
  });
}

for (const external_id of ['.', '..']) {
  test(`a member called ${external_id} is refused in a path, and nothing is sent`, async () => {
    const tool = await make({ endpoint_path: '/up/{{member_id}}/orders', require_member: true });
    const { session_token } = await makeSession(server, tenant, external_id);
    const before = customer.requests.length;
    const { error } = expectResponse(await execute(server, session_token, tool.id), 422, 'Validation error');
    assert.equal(error.details.field, 'member_id');
    assert.equal(customer.requests.length, before);
  });
}

test('a member session sends member_id, the external id, also to a tool that does not require it', async () => {
  for (const require_member of [true, false])
    assert.deepEqual(json(await sent(await make({ require_member }), {}, session.session_token)), {
      ...context,
      member_id: 'user-7',
    });
});

test('a key without an integration sends no integration_id, and no key sends a member_id', async () => {
  assert.deepEqual(json(await sent(await make(), {}, tenant.keys.read)), { project_id: tenant.id });
});

test('context_in headers: the context is not in the arguments; a member id beyond ASCII is percent-encoded', async () => {
  const tool = await make({ context_in: 'headers' });
  const { session_token } = await makeSession(server, tenant, 'Zoë / 🐝');
  const request = await sent(tool, { a: 1 }, session_token);
  assert.deepEqual(json(request), { a: 1 });
  const ids = ['project', 'integration', 'member'].map((id) => request.headers[`x-toolgate-${id}-id`]);
  assert.deepEqual(ids, [tenant.id, tenant.integration.id, 'Zo%C3%AB%20%2F%20%F0%9F%90%9D']);
});

test('fixed headers are sent, and replace the defaults of accept, user-agent and content-type', async () => {
  const plain = await sent(await make());
  assert.match(plain.headers['user-agent'] ?? '', /^toolgate\/\d/);
  const headers = {
    'X-Tenant': 'acme',
    Accept: 'text/csv',
    'User-Agent': 'ours',
    'Content-Type': 'application/vnd.api+json',
  };
  const request = await sent(await make({ headers }));
  const { 'x-tenant': x, accept, 'user-agent': agent, 'content-type': type, host } = request.headers;
  assert.deepEqual(
    [x, accept, agent, type, host],
    ['acme', 'text/csv', 'ours', 'application/vnd.api+json', customer.address],
  );
});

test('a trace is passed on with the call as its parent; an invalid traceparent is not sent', async () => {
  const tool = await make();
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const { traceparent } = (await sent(tool, {}, callKey, { traceparent: `00-${trace}-00f067aa0ba902b7-01` })).headers;
  assert.match(String(traceparent), new RegExp(`^00-${trace}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`));
  for (const wrong of ['nonsense', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, `ff-${trace}-00f067aa0ba902b7-01`])
    assert.equal((await sent(tool, {}, callKey, { traceparent: wrong })).headers.traceparent, undefined);
});

test('a call with an Idempotency-Key sends a key derived from it, and each call has its own id', async () => {
  const tool = await make();
  const one = await sent(tool, {}, callKey, { 'idempotency-key': 'order-41' });
  const two = await sent(tool, {}, callKey, { 'idempotency-key': 'order-42' });
  const keys = [one, two].map(({ headers }) => String(headers['idempotency-key']));
  for (const key of keys) assert.match(key, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.notEqual(keys[0], keys[1]);
  assert.equal((await sent(tool)).headers['idempotency-key'], undefined);
  const ids = [one, two].map(({ headers }) => String(headers['x-toolgate-request-id']));
  for (const id of ids) assert.match(id, /^call_[0-9A-Za-z]{22}$/);
  assert.notEqual(ids[0], ids[1]);
});

test('a path and query of more than 64 KiB are 422 with the argument named, over REST and MCP, and nothing is sent', async () => {
  const long_path = await make({
    endpoint_path: `/${'{{a}}'.repeat(409)}`,
    input_schema: { type: 'object', properties: { a: { type: 'string' } } },
  });
  const long_query = await make({ method: 'GET' });
  const before = customer.requests.length;
  for (const [tool, given, field] of [
    [long_path, { a: '€'.repeat(80_000) }, 'a'],
    [long_query, { ['n'.repeat(130_000)]: Array(50_000).fill(1) }, 'n'.repeat(256)],
    [long_query, { n: Array(50_000).fill(1) }, 'n'],
    [long_query, { n: '€'.repeat(80_000) }, 'n'],
  ] as const) {
    const { error } = expectResponse(await execute(server, callKey, tool.id, given), 422, 'Validation error');
    assert.equal(error.details.field, field);
    const { result } = expectResponse(await callTool(modern, server, callKey, tool.name, given), 200);
    assert.deepEqual([result.isError, result._meta['toolgate/error'].status], [true, 422]);
    assert.ok(result.content[0].text.includes(field));
  }
  assert.equal(customer.requests.length, before);
});

test('the result has call id, status and type; JSON as it was written, other bodies as text', async () => {
  const tool = await make();
  const responses: [body: string | Buffer, type: string, expected: unknown][] = [
    ['{"n":1}', 'application/json', { n: 1 }],
    ['[1,null]', 'application/problem+json; charset=utf-8', [1, null]],
    ['"text"', 'application/json', 'text'],
    ['\ufeff{"bom":true}', 'application/json', { bom: true }],
    ['{"cut":', 'application/json', '{"cut":'],
    ['{"not":"json"}', 'text/plain', '{"not":"json"}'],
    ['plain words', 'text/plain; charset=utf-8', 'plain words'],
    [Buffer.from([0x5a, 0x6f, 0xeb]), 'text/plain; charset=iso-8859-1', 'Zoë'],
    ['', 'application/json', ''],
  ];
  for (const [body, type, expected] of responses) {
    customer.respond(tool.endpoint_path, { body, headers: { 'content-type': type }, status: 201 });
    const response = expectResponse(await execute(server, callKey, tool.id), 200);
    const { call_id, duration_ms, result_tokens, shaped_tokens, ...rest } = response;
    assert.equal(result_tokens, Math.ceil(Buffer.byteLength(body) / 4));
    assert.equal(shaped_tokens, result_tokens);
    assert.match(call_id, /^call_[0-9A-Za-z]{22}$/);
    assert.ok(Number.isInteger(duration_ms));
    assert.deepEqual(rest, {
      status: 201,
      content_type: type,
      body: expected,
      truncated: false,
      truncation: null,
    });
  }
  customer.respond(tool.endpoint_path, {
    body: '{"id":12345678901234567890}',
    headers: { 'content-type': 'application/json' },
  });
  assert.ok(
    (await execute(server, callKey, tool.id)).text.includes('12345678901234567890'),
    'a number lost its digits',
  );
  customer.respond(tool.endpoint_path, { status: 204 });
  assert.deepEqual(expectResponse(await execute(server, callKey, tool.id), 200).body, '');
  const nested = '['.repeat(200_000) + ']'.repeat(200_000);
  customer.respond(tool.endpoint_path, { body: nested, headers: { 'content-type': 'application/json' } });
  assert.ok((await execute(server, callKey, tool.id)).text.includes('"status":200'), 'a deep answer is no answer');
});

test('a tool is called by its id or its name, and the id has precedence', async () => {
  const one = await make();
  const two = await make({ name: one.id });
  await execute(server, callKey, one.name);
  await execute(server, callKey, one.id);
  assert.deepEqual([customer.at(one.endpoint_path).length, customer.at(two.endpoint_path).length], [2, 0]);
});

test("a caller's credential never reaches a customer", async () => {
  const tool = await make();
  await sent(tool, {}, session.session_token, { cookie: 'a=b', 'x-forwarded-for': '1.2.3.4' });
  assert.ok(customer.requests.length > 20, 'hardly any call was made');
  for (const { headers, body, path, query } of customer.requests) {
    const all = JSON.stringify([headers, path, query, body.toString('latin1')]);
    assert.ok(
      !/svc_(live|test|mst)_/.test(all) && !headers.authorization && !headers.cookie && !headers['x-forwarded-for'],
      all,
    );
  }
});
