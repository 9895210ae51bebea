// Request bodies that are not one JSON object: forms, multipart/form-data and raw bodies, as the customer's API receives them.

import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { after, test } from 'node:test';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { makeMemberTenant, makeSession } from '../support/make/make-members.ts';
import { execute, makeTool, received, toolFields } from '../support/make/make-tools.ts';
import { type ReceivedRequest, startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { id: project_id, keys } = await makeTenant(server);

const make = (fields: object) => makeTool(server, keys.write, customer, { context_in: 'headers', ...fields });
const sent = (tool: Awaited<ReturnType<typeof make>>, given: object) =>
  received(server, customer, keys.read, tool, given);
const typeOf = ({ headers }: ReceivedRequest) => headers['content-type'];
const properties = (given: object) => ({ input_schema: { type: 'object', properties: given } });

test('a form has the arguments in their order, and the reserved variables last', async () => {
  const tool = await make({
    body_format: 'form',
    context_in: 'arguments',
    endpoint_path: '/customers/{{id}}',
    ...properties({ id: {}, tags: {}, address: {} }),
    body_encoding: { tags: { style: 'brackets' } },
  });
  customer.respond('/customers/7', { body: {} });
  const request = await sent(tool, { tags: ['a b', 'ü'], id: '7', address: { city: 'X&Y' } });
  assert.equal(typeOf(request), 'application/x-www-form-urlencoded');
  const expected = `tags%5B%5D=a+b&tags%5B%5D=%C3%BC&address%5Bcity%5D=X%26Y&project_id=${project_id}`;
  assert.deepEqual([request.query, request.body.toString()], ['', expected]);
});

test('a form has the fields that the official package of Stripe sends for the same arguments, in its order', async () => {
  // Recorded from stripe 23.1.0 (npm): stripe.checkout.sessions.create(given), sent to a server that keeps the body.
  const given = {
    mode: 'payment',
    line_items: [
      { price_data: { currency: 'eur', product_data: { name: 'Tea & "Coffee"' }, unit_amount: 1250 }, quantity: 2 },
    ],
    payment_method_types: ['card', 'link'],
    metadata: { order: 'ä/7', note: 'a+b=c' },
    allow_promotion_codes: true,
  };
  const nested = { style: 'deepObject', explode: true };
  const tool = await make({
    body_format: 'form',
    ...properties({ line_items: {}, payment_method_types: {} }),
    body_encoding: { line_items: nested, payment_method_types: nested },
  });
  assert.deepEqual(fieldsOf((await sent(tool, given)).body.toString()), fieldsOf(STRIPE));
});
const STRIPE =
  'mode=payment&line_items[0][price_data][currency]=eur&line_items[0][price_data][product_data][name]=Tea%20%26%20%22Coffee%22&line_items[0][price_data][unit_amount]=1250&line_items[0][quantity]=2&payment_method_types[0]=card&payment_method_types[1]=link&metadata[order]=%C3%A4%2F7&metadata[note]=a%2Bb%3Dc&allow_promotion_codes=true';
/** Stripe's package writes a space as %20 and leaves brackets: the same to every reader, but not what the URL standard serializes. */
const fieldsOf = (body: string) => [...new URLSearchParams(body)];

test('multipart has a part for each argument, and a Content-Type with the boundary of this request', async () => {
  const tool = await make({
    body_format: 'multipart',
    context_in: 'arguments',
    ...properties({ note: {}, lines: {} }),
    body_encoding: { note: { content_type: 'text/markdown' } },
  });
  const request = await sent(tool, { note: '# Zoë', lines: [{ a: 1 }], tag: ['x', 'y'] });
  const boundary = /^multipart\/form-data; boundary=(toolgate-[0-9a-f]{36})$/.exec(
    typeOf(request) ?? '',
  )?.[1] as string;
  const form = await new Response(new Uint8Array(request.body), {
    headers: { 'content-type': typeOf(request) as string },
  }).formData();
  const expected = [
    ['note', '# Zoë'],
    ['lines', '[{"a":1}]'],
    ['tag', 'x'],
    ['tag', 'y'],
    ['project_id', project_id],
  ];
  assert.deepEqual([...form], expected);
  assert.ok(request.body.toString().includes('name="note"\r\nContent-Type: text/markdown\r\n\r\n# Zoë\r\n'));
  assert.notEqual(typeOf(await sent(tool, {})), `multipart/form-data; boundary=${boundary}`);
});

test('raw sends one argument as the body, and the others and the reserved variables in the query', async () => {
  const raw = { body_format: 'raw', body_argument: 'doc', ...properties({ doc: {}, dry: {} }) };
  const csv = await make({ ...raw, context_in: 'arguments', body_content_type: 'text/csv' });
  const request = await sent(csv, { dry: true, doc: 'a,b\r\n"ü"' });
  assert.deepEqual(
    [typeOf(request), request.query, request.body.toString()],
    ['text/csv', `dry=true&project_id=${project_id}`, 'a,b\r\n"ü"'],
  );
  const plain = await make(raw);
  const bodies = async (given: object) => {
    const each = await sent(plain, given);
    return [typeOf(each), each.body.toString()];
  };
  assert.deepEqual(await bodies({ doc: 'x' }), ['text/plain; charset=utf-8', 'x']);
  assert.deepEqual(await bodies({ doc: [1, { a: 2 }] }), ['application/json', '[1,{"a":2}]']);
  assert.deepEqual(await bodies({}), [undefined, '']);
});

test('what is signed is the SHA-256 of the bytes that are sent, in every format', async () => {
  const tenant = await makeMemberTenant(server);
  const { session_token } = await makeSession(server, tenant);
  const secret = 'a secret of at least 32 characters';
  const given = { doc: 'ä\r\n', lines: [{ a: 'ü' }] };
  for (const fields of [
    { body_format: 'form', body_encoding: { lines: { style: 'deepObject' } } },
    { body_format: 'multipart' },
    { body_format: 'raw', body_argument: 'doc' },
  ]) {
    const tool = await makeTool(server, tenant.keys.write, customer, {
      ...{ auth_strategy: 'hmac_signature', encrypted_auth_secret: secret },
      ...properties({ doc: {}, lines: {} }),
      ...fields,
    });
    const request = await received(server, customer, session_token, tool, given);
    const of = (name: string) => String(request.headers[`x-toolgate-${name}`] ?? '');
    const digest = createHash('sha256').update(request.body).digest('hex');
    const lines = [
      'v1',
      of('timestamp'),
      of('request-id'),
      request.method,
      request.headers.host,
      request.path,
      request.query,
    ];
    const canonical = [...lines, digest, of('project-id'), of('integration-id'), of('member-id')].join('\n');
    assert.equal(of('signature'), `v1=${createHmac('sha256', secret).update(canonical).digest('hex')}`);
  }
});

test('arguments that cannot be written are 422 with their name, over REST and in the preview, and nothing is sent', async () => {
  const calls: [fields: object, given: object, field: string][] = [
    [{ body_format: 'form' }, { list: [{ a: 1 }] }, 'list'],
    [{ body_format: 'form' }, { 'a[b]': 1, a: { b: 2 } }, 'a'],
    [
      { body_format: 'form', ...properties({ a: {} }), body_encoding: { a: { style: 'form' } } },
      { a: { member_id: 'x' } },
      'a',
    ],
    [{ body_format: 'form' }, { 'project_id[]': 'x' }, 'project_id[]'],
    [{ body_format: 'multipart' }, { 'member_id[]': 'x' }, 'member_id[]'],
  ];
  for (const [fields, given, field] of calls) {
    const tool = await make(fields);
    const { error } = expectResponse(await execute(server, keys.read, tool.id, given), 422);
    assert.equal(error.details.field, field);
    const preview = await server.api('POST', `/custom-tools/${tool.id}/preview`, {
      key: keys.write,
      body: { arguments: given },
    });
    assert.deepEqual(
      expectResponse(preview, 200).problems.map((problem: any) => problem.field),
      [field],
    );
    assert.equal(customer.at(tool.endpoint_path).length, 0);
  }
});

test('the preview shows the body in its format', async () => {
  const preview = async (fields: object, given: object) => {
    const { id } = await make(fields);
    const body = { arguments: given };
    return expectResponse(await server.api('POST', `/custom-tools/${id}/preview`, { key: keys.write, body }), 200);
  };
  const form = await preview({ body_format: 'form' }, { a: ['1', '2'] });
  assert.deepEqual([form.body, form.headers['content-type']], ['a=1&a=2', 'application/x-www-form-urlencoded']);
  const multipart = await preview({ body_format: 'multipart' }, { a: 1 });
  const boundary = multipart.headers['content-type'].split('boundary=')[1];
  const part = 'Content-Disposition: form-data; name="a"\r\n\r\n1';
  assert.equal(multipart.body, `--${boundary}\r\n${part}\r\n--${boundary}--\r\n`);
  const raw = await preview({ body_format: 'raw', body_argument: 'a', ...properties({ a: {} }) }, { a: 'x', b: 1 });
  assert.deepEqual(
    [raw.body, raw.headers['content-type'], new URL(raw.url).search],
    ['x', 'text/plain; charset=utf-8', '?b=1'],
  );
});

const scalar = { type: 'string' };
const object = { type: 'object', properties: { b: scalar } };
const lists = { type: 'array', items: { anyOf: [scalar, object] } };
const form = (given: object, body_encoding: object = {}) => ({
  body_format: 'form',
  ...properties(given),
  body_encoding,
});
const invalid: [field: string, fields: object][] = [
  ...['GET', 'DELETE'].flatMap((method): [string, object][] =>
    ['form', 'multipart', 'raw'].map((body_format) => [
      'body_format',
      { method, body_format, body_argument: 'a', ...properties({ a: {} }) },
    ]),
  ),
  ['body_format', { body_format: 'xml' }],
  ['body_encoding.a.style', form({ a: {} }, { a: { style: 'matrix' } })],
  ['body_encoding.a.other', form({ a: {} }, { a: { other: 1 } })],
  ['body_encoding.b', form({ a: {} }, { b: { style: 'form' } })],
  ['body_encoding.a.content_type', form({ a: {} }, { a: { content_type: 'text/csv' } })],
  ['body_encoding.a.style', { ...form({ a: {} }, { a: { style: 'form' } }), body_format: 'multipart' }],
  ['body_encoding.a.explode', { ...form({ a: {} }, { a: { explode: true } }), body_format: 'multipart' }],
  [
    'body_encoding.a.content_type',
    { ...form({ a: {} }, { a: { content_type: 'a/b\r\nX: y' } }), body_format: 'multipart' },
  ],
  ['body_encoding', { ...properties({ a: {} }), body_encoding: { a: { style: 'form' } } }],
  ['body_encoding.a', form({ a: lists })],
  ['body_encoding.a', form({ a: lists }, { a: { style: 'brackets' } })],
  ['body_encoding.a', form({ a: { type: 'array', items: { type: 'array' } } })],
  ['body_encoding.a', form({ a: object }, { a: { style: 'pipeDelimited' } })],
  ['body_encoding.a', form({ a: object }, { a: { style: 'form', explode: false } })],
  ['input_schema.properties.b', form({ a: object, b: scalar }, { a: { style: 'form' } })],
  ['input_schema.properties.a[b]', form({ a: object, 'a[b]': scalar })],
  ['input_schema.properties.a[]', form({ a: { type: 'array' }, 'a[]': scalar }, { a: { style: 'brackets' } })],
  ['input_schema.properties.a', form({ a: { properties: { Member_ID: scalar } } }, { a: { style: 'form' } })],
  ['input_schema.properties.member_id[]', form({ 'member_id[]': scalar })],
  ['input_schema.properties.member_id[]', { body_format: 'multipart', ...properties({ 'member_id[]': scalar }) }],
  ['fixed_arguments.a', { ...form({ a: {} }), fixed_arguments: { a: [{}] } }],
  ['body_argument', { body_format: 'raw', ...properties({ a: {} }) }],
  ['body_argument', { body_format: 'raw', body_argument: 'b', ...properties({ a: {} }) }],
  ['body_argument', { body_format: 'raw', body_argument: 'a', ...properties({ a: {} }), endpoint_path: '/x/{{a}}' }],
  ['body_argument', { body_format: 'raw', body_argument: 'a', ...properties({ a: {} }), headers: { 'X-A': '{{a}}' } }],
  ['body_argument', { body_format: 'form', body_argument: 'a', ...properties({ a: {} }) }],
  ['body_content_type', { body_content_type: 'text/csv' }],
  [
    'body_content_type',
    { body_format: 'raw', body_argument: 'a', ...properties({ a: {} }), body_content_type: 'text/*' },
  ],
  ['headers.Content-Type', { body_format: 'multipart', headers: { 'Content-Type': 'text/plain' } }],
];
for (const [field, fields] of invalid)
  test(`422 for ${field} in ${JSON.stringify(fields).slice(0, 120)}`, async () => {
    const body = toolFields('https://api.example.com', fields);
    const { error } = expectResponse(await server.api('POST', '/custom-tools', { key: keys.write, body }), 422);
    assert.equal(error.details.field, field);
  });

test('another format drops what belonged to the one before, and each is a version with its own hash', async () => {
  const tool = await make({
    body_format: 'raw',
    body_argument: 'a',
    body_content_type: 'text/csv',
    ...properties({ a: {} }),
  });
  const patch = async (body: object) =>
    expectResponse(await server.api('PATCH', `/custom-tools/${tool.id}`, { key: keys.write, body }), 200);
  const shown = ({ body_format, body_argument, body_content_type, body_encoding }: any) => [
    body_format,
    body_argument,
    body_content_type,
    body_encoding,
  ];
  const form = await patch({ body_format: 'form', body_encoding: { a: { style: 'json' } } });
  assert.deepEqual(shown(form), ['form', null, null, { a: { style: 'json' } }]);
  const json = await patch({ body_format: 'json' });
  assert.deepEqual(shown(json), ['json', null, null, {}]);
  assert.equal(new Set([tool.definition_hash, form.definition_hash, json.definition_hash]).size, 3);
  assert.equal(json.version, 3);
});
