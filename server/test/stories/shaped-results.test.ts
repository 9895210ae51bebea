// What `response` of a tool leaves of an answer, in both protocols, in the log and in recorded payloads.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { callTool, modern } from '../mcp/rpc.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { execute, type MadeTool, makeTool, toolFields } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const tenant = await makeTenant(server);
const { keys } = tenant;

const input_schema = { type: 'object', properties: { cursor: { type: 'string' }, status: { type: 'string' } } };
const make = (fields: object) => makeTool(server, keys.write, customer, { input_schema, ...fields });
const JSON_TYPE = { 'content-type': 'application/json' };
const respondWith = ({ endpoint_path }: MadeTool, body: unknown, headers: Record<string, string> = JSON_TYPE) =>
  customer.respond(endpoint_path, {
    headers,
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  });
const call = async ({ name }: MadeTool) => (await callTool(modern, server, keys.read, name)).body.result;
const run = async (tool: MadeTool, key = keys.read) => expectResponse(await execute(server, key, tool.id), 200);

async function logged(call_id: string, key = keys.admin, project_id = tenant.id) {
  let entry: any;
  const isThere = async () => {
    const found = await server.api('GET', `/projects/${project_id}/tool-calls/${call_id}`, { key });
    entry = found.body;
    return found.status === 200;
  };
  await waitUntil(isThere, 10_000, 'the call is in the log');
  return entry;
}

const orders = {
  items: [
    { id: 12345678901234567n.toString(), email: 'ada@example.com', _links: { self: 'x' } },
    { id: '2', email: 'bob@example.com', _links: { self: 'y' } },
  ],
  meta: { next: 'abc' },
};
const response = { select: ['items'], drop: ['**._links'], redact: ['@email'] };

test('an answer is shaped in both protocols, and the log has the tokens before and after', async () => {
  const tool = await make({ response });
  assert.deepEqual(tool.response, response);
  const text = '{"items": [ {"id": 12345678901234567890, "email":"ada@example.com","_links":{}} ], "meta":{}}';
  respondWith(tool, text);
  const shaped = '{"items":[{"id":12345678901234567890,"email":"[redacted]"}]}';
  const rest = await execute(server, keys.read, tool.id);
  const { call_id, truncated, truncation, result_tokens, shaped_tokens } = expectResponse(rest, 200);
  assert.ok(rest.text.includes(`"body":${shaped}`), 'numbers keep their digits');
  assert.deepEqual([truncated, truncation], [false, null]);
  assert.deepEqual([result_tokens, shaped_tokens], [Math.ceil(text.length / 4), Math.ceil(shaped.length / 4)]);
  const { content, structuredContent, isError } = await call(tool);
  assert.deepEqual(content, [{ type: 'text', text: shaped }]);
  assert.deepEqual([structuredContent.items[0].email, isError], ['[redacted]', undefined]);
  const entry = await logged(call_id);
  assert.deepEqual([entry.result_tokens, entry.shaped_tokens], [result_tokens, shaped_tokens]);
  assert.equal(entry.response_bytes, text.length);
});

test('a tool without a response is passed on as it is, with its tokens in the log', async () => {
  const tool = await make({});
  respondWith(tool, '{ "a" : 1 }');
  const rest = await execute(server, keys.read, tool.id);
  assert.ok(rest.text.includes('"body":{ "a" : 1 },"truncated":false,"truncation":null'));
  const entry = await logged(rest.body.call_id);
  assert.deepEqual([entry.result_tokens, entry.shaped_tokens], [3, 3]);
});

test('a large answer is shaped by the thread exactly as a small one', async () => {
  const items = Array.from({ length: 10_000 }, (_, id) => ({ id, email: `a${id}@example.com`, _links: {} }));
  const tool = await make({ response: { ...response, max_items: { items: 3 } } });
  respondWith(tool, { items });
  for (let round = 0; round < 3; round += 1) {
    const { body, truncated, truncation } = await run(tool);
    assert.deepEqual(body, { items: [0, 1, 2].map((id) => ({ id, email: '[redacted]' })) });
    assert.deepEqual(
      [truncated, truncation],
      [true, { paths: [{ path: 'items', kept: 3, total: 10_000 }], next: null }],
    );
  }
});

test('what was cut is said in _meta and in a sentence of its own, with the next page unless its own list was cut', async () => {
  const next_page = { cursor: 'meta.next', argument: 'cursor' };
  const inner = await make({ response: { max_items: { 'items[].tags': 1 }, next_page } });
  respondWith(inner, { items: [{ tags: [1, 2, 3] }], meta: { next: 'abc' } });
  const one = await call(inner);
  const paths = [{ path: 'items[].tags', kept: 1, total: 3 }];
  assert.deepEqual(one._meta['toolgate/truncated'], { paths, next: { argument: 'cursor', value: 'abc' } });
  assert.deepEqual(JSON.parse(one.content[0].text), one.structuredContent);
  assert.equal(one.content.length, 2);
  assert.match(one.content[1].text, /1 of 3 of items\[\]\.tags.*cursor set to "abc"/);
  const own = await make({ response: { max_tokens: 20, next_page } });
  respondWith(own, { items: Array.from({ length: 100 }, (_, id) => id), meta: { next: 'abc' } });
  const two = await call(own);
  const { next, paths: cut } = two._meta['toolgate/truncated'];
  assert.deepEqual([next, cut[0].path, cut[0].total], [null, 'items', 100]);
  assert.equal(two.structuredContent.items.length, cut[0].kept);
  assert.match(two.content[1].text, /cursor, status/);
  assert.ok(two.content[0].text.length <= 80);
  const rest = await run(own);
  assert.deepEqual([rest.truncated, rest.truncation], [true, { paths: cut, next: null }]);
});

test('what cannot be cut to the budget is refused, naming the arguments that narrow it', async () => {
  const tool = await make({ response: { max_tokens: 5 } });
  respondWith(tool, Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`member${i}`, i])));
  const { error } = expectResponse(await execute(server, keys.read, tool.id), 502);
  assert.equal(error.code, 'RESULT_TOO_LARGE');
  assert.deepEqual(error.details.arguments, ['cursor', 'status']);
  const { isError, content, _meta } = await call(tool);
  assert.deepEqual(
    [isError, _meta['toolgate/error'].code, _meta['toolgate/error'].retryable],
    [true, 'RESULT_TOO_LARGE', false],
  );
  assert.match(content[0].text, /narrow the call with its arguments cursor, status/);
});

for (const [title, body, headers] of [
  ['text', 'no JSON', { 'content-type': 'text/plain' }],
  ['bytes that are no UTF-8', Buffer.from('{"a":"\xff"}', 'latin1'), JSON_TYPE],
  ['JSON that is nested too deep', '['.repeat(200) + ']'.repeat(200), JSON_TYPE],
  ['an image', Buffer.from([0x89, 0x50]), { 'content-type': 'image/png' }],
] as const)
  for (const shaped of [{ select: ['a'] }, { drop: ['a'] }, { redact: ['a'] }])
    test(`${title} with ${JSON.stringify(shaped)} is refused: it cannot be shaped`, async () => {
      const tool = await make({ response: shaped });
      respondWith(tool, body, headers);
      assert.equal(expectResponse(await execute(server, keys.read, tool.id), 502).error.code, 'RESULT_NOT_SHAPED');
      const { isError, _meta } = await call(tool);
      assert.deepEqual([isError, _meta['toolgate/error'].code], [true, 'RESULT_NOT_SHAPED']);
    });

test('JSON is shaped whatever its content type says, and an empty answer is left alone', async () => {
  const tool = await make({ response });
  respondWith(tool, orders, { 'content-type': 'text/html' });
  assert.deepEqual((await call(tool)).structuredContent.items[1], { id: '2', email: '[redacted]' });
  customer.respond(tool.endpoint_path, { status: 204, body: '' });
  assert.match((await call(tool)).content[0].text, /Done: status 204/);
  assert.equal((await run(tool)).body, '');
});

test('detectors alone work on text, and a budget cuts it', async () => {
  const tool = await make({ response: { redact: ['@email'], max_tokens: 10 } });
  respondWith(tool, `from ada@example.com ${'ä'.repeat(100)}`, { 'content-type': 'text/plain; charset=utf-8' });
  const { body, truncated, truncation } = await run(tool);
  assert.ok(body.startsWith('from [redacted] ää') && Buffer.byteLength(body) <= 40, body);
  assert.deepEqual([truncated, truncation.paths[0].kept], [true, body.length]);
  const { content } = await call(tool);
  assert.deepEqual([content[0].text, content.length], [body, 2]);
});

test('bytes that are no text become a file, also above the budget, and a picture above it is refused', async () => {
  const tool = await make({ response: { max_tokens: 10 } });
  const headers = { 'content-type': 'application/octet-stream' };
  respondWith(tool, Buffer.alloc(41, 0xff), headers);
  const { body, file } = await run(tool);
  assert.deepEqual([body, file.size], [null, 41]);
  respondWith(tool, Buffer.alloc(41, 0xff), { 'content-type': 'image/png' });
  assert.match((await call(tool)).content[0].text, /max_tokens/);
  respondWith(tool, Buffer.alloc(40, 0xff), { 'content-type': 'image/png' });
  assert.equal((await call(tool)).content[0].type, 'image');
});

test('shaped text of another charset is read as what it is now', async () => {
  const tool = await make({ response: { redact: ['@email'] } });
  const headers = { 'content-type': 'text/plain; charset=iso-8859-1' };
  respondWith(tool, Buffer.from('café ada@example.com', 'latin1'), headers);
  assert.equal((await run(tool)).body, 'café [redacted]');
  assert.equal((await call(tool)).content[0].text, 'café [redacted]');
  const body = Buffer.from('café ada@example.com', 'latin1');
  customer.respond(tool.endpoint_path, { status: 400, headers, body });
  assert.equal(expectResponse(await execute(server, keys.read, tool.id), 502).error.details.body, 'café [redacted]');
});

test('a failed answer that is not JSON shows nothing if paths are redacted', async () => {
  const tool = await make({ response: { redact: ['secret'] } });
  for (const body of ['secret=abc', Buffer.from('secret=\xff', 'latin1'), 'secret=abc '.repeat(10_000)]) {
    customer.respond(tool.endpoint_path, { status: 400, headers: { 'content-type': 'text/plain' }, body });
    assert.equal(expectResponse(await execute(server, keys.read, tool.id), 502).error.details.body, '[redacted]');
  }
  const large = { secret: 'abc', more: Array.from({ length: 10_000 }, (_, id) => ({ id })) };
  customer.respond(tool.endpoint_path, { status: 400, headers: JSON_TYPE, body: JSON.stringify(large) });
  for (let round = 0; round < 3; round += 1) {
    const { error } = expectResponse(await execute(server, keys.read, tool.id), 502);
    assert.ok(error.details.body.startsWith('{"secret":"[redacted]","more"'), error.details.body.slice(0, 100));
  }
});

test('raw=true gives the whole answer to who has write, and nobody else', async () => {
  const tool = await make({ response: { ...response, max_tokens: 1 } });
  respondWith(tool, orders);
  const raw = (key: string) => server.api('POST', `/custom-tools/${tool.id}/execute?raw=true`, { key, body: {} });
  assert.equal(expectResponse(await execute(server, keys.read, tool.id), 502).error.code, 'RESULT_TOO_LARGE');
  const refused = expectResponse(await raw(keys.read), 403);
  assert.equal(refused.error.details.field, 'raw');
  assert.deepEqual(expectResponse(await raw(keys.write), 200).body, orders);
  assert.equal(
    expectResponse(
      await server.api('POST', `/custom-tools/${tool.id}/execute?raw=yes`, { key: keys.write, body: {} }),
      422,
    ).error.details.field,
    'raw',
  );
});

test('payloads are recorded after shaping, also of raw calls and of failed ones', async () => {
  const other = await makeTenant(server);
  const settings = { record_payloads: true };
  expectResponse(
    await server.api('PATCH', `/projects/${other.id}/settings`, { key: other.keys.admin, body: settings }),
    200,
  );
  const tool = await makeTool(server, other.keys.write, customer, { response });
  const resultOf = async (call_id: string) => {
    let entry: any;
    const isThere = async () => {
      entry = await logged(call_id, other.keys.admin, other.id);
      return entry.result !== undefined;
    };
    await waitUntil(isThere, 10_000, 'the payload is recorded');
    return JSON.stringify(entry.result);
  };
  respondWith(tool, orders);
  const { call_id } = expectResponse(await execute(server, other.keys.read, tool.id), 200);
  const raw = expectResponse(
    await server.api('POST', `/custom-tools/${tool.id}/execute?raw=true`, { key: other.keys.write, body: {} }),
    200,
  );
  for (const id of [call_id, raw.call_id]) {
    const recorded = await resultOf(id);
    assert.match(recorded, /\[redacted\]/);
    assert.doesNotMatch(recorded, /ada@example|_links/);
  }
  const wrong = { items: ['ada@example.com'], trace: 'ada@example.com' };
  customer.respond(tool.endpoint_path, { status: 400, headers: JSON_TYPE, body: JSON.stringify(wrong) });
  const failed = await execute(server, other.keys.read, tool.id);
  const { error } = expectResponse(failed, 502);
  assert.equal(error.details.body, '{"items":["[redacted]"]}');
  await server.app.batch_writer.flush();
  const path = `/projects/${other.id}/tool-calls?request_id=${failed.headers.get('x-request-id')}`;
  const [entry] = expectResponse(await server.api('GET', path, { key: other.keys.admin }), 200).data;
  assert.equal(await resultOf(entry.id), error.details.body);
});

test('a failed response is selected, dropped and cut like others, in both protocols', async () => {
  const body = { error: { code: 'no_such_order', trace: 'at secret.ts' }, hint: 'secret', list: [1, 2, 3] };
  for (const [shaped, shown] of [
    [{ select: ['error.code'] }, '{"error":{"code":"no_such_order"}}'],
    [{ drop: ['**.trace', 'hint'], max_items: { list: 1 } }, '{"error":{"code":"no_such_order"},"list":[1]}'],
    [{ select: ['items'] }, '{}'],
    [{ max_tokens: 5 }, "[left out: it is larger than the tool's max_tokens]"],
  ] as const) {
    const tool = await make({ response: shaped });
    customer.respond(tool.endpoint_path, { status: 404, headers: JSON_TYPE, body: JSON.stringify(body) });
    assert.equal(expectResponse(await execute(server, keys.read, tool.id), 502).error.details.body, shown);
    const [{ text }] = (await call(tool)).content;
    assert.ok(text.includes(JSON.stringify(shown)), text);
    assert.doesNotMatch(text, /secret/);
  }
  for (const shaped of [{ select: ['error.code'] }, { drop: ['hint'] }]) {
    const tool = await make({ response: shaped });
    customer.respond(tool.endpoint_path, { status: 404, headers: { 'content-type': 'text/plain' }, body: 'secret' });
    assert.equal(expectResponse(await execute(server, keys.read, tool.id), 502).error.details.body, '[redacted]');
  }
});

test('the listed output schema is that of the shaped answer, and answers are validated by it', async () => {
  const output_schema = {
    type: 'object',
    properties: {
      items: {
        type: 'array',
        minItems: 2,
        items: {
          type: 'object',
          properties: {
            id: { type: 'string' },
            email: { type: 'string', format: 'email' },
            _links: { type: 'object' },
          },
          required: ['id', 'email', '_links'],
          additionalProperties: false,
        },
      },
      meta: { type: 'object' },
    },
    required: ['items', 'meta'],
  };
  const tool = await make({ output_schema, response: { ...response, max_items: { items: 1 } } });
  assert.deepEqual(tool.output_schema, output_schema);
  const { tools } = (await modern(server, keys.read, 'tools/list')).body.result;
  const { outputSchema } = tools.find(({ name }: { name: string }) => name === tool.name);
  assert.deepEqual(outputSchema, {
    type: 'object',
    properties: {
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: { id: { type: 'string' }, email: { type: 'string' } },
          required: ['id', 'email'],
          additionalProperties: false,
        },
      },
    },
    required: ['items'],
  });
  respondWith(tool, orders);
  const { isError, structuredContent } = await call(tool);
  assert.deepEqual([isError, structuredContent.items.length], [undefined, 1]);
  respondWith(tool, { items: [{ id: 5, email: 'a', _links: {} }], meta: {} });
  assert.equal((await call(tool))._meta['toolgate/error'].code, 'OUTPUT_SCHEMA_MISMATCH');
});

const closed = {
  type: 'object',
  properties: {
    items: { type: 'array', items: { type: 'object', properties: { id: {} }, additionalProperties: false } },
  },
  additionalProperties: false,
};

for (const [title, field, shaped, more] of [
  ['an empty path', 'response.select.0', { select: [''] }, {}],
  ['an index', 'response.drop.0', { drop: ['items[0]'] }, {}],
  ['two dots', 'response.drop.1', { drop: ['a', 'a..b'] }, {}],
  ['a part of a name with *', 'response.select.0', { select: ['a*'] }, {}],
  ['NUL', 'response.select.0', { select: ['a\0'] }, {}],
  ['17 steps', 'response.select.0', { select: [Array.from({ length: 17 }, () => 'a').join('.')] }, {}],
  [
    '101 paths',
    'response',
    { select: Array.from({ length: 60 }, (_, i) => `a${i}`), drop: Array.from({ length: 41 }, (_, i) => `b${i}`) },
    {},
  ],
  ['three **', 'response.drop.1', { drop: ['a', '**.a.**.b.**.c'] }, {}],
  [
    '11 paths with **',
    'response',
    { drop: Array.from({ length: 10 }, (_, i) => `**.a${i}`), max_items: { '**.list': 1 } },
    {},
  ],
  ['an unknown detector', 'response.redact.0', { redact: ['@phone'] }, {}],
  ['no items', 'response.max_items.items', { max_items: { items: 0 } }, {}],
  ['a list that is no path', 'response.max_items.a[0]', { max_items: { 'a[0]': 1 } }, {}],
  ['no tokens', 'response.max_tokens', { max_tokens: 0 }, {}],
  ['a cursor through a list', 'response.next_page.cursor', { next_page: { cursor: 'a[].b', argument: 'cursor' } }, {}],
  [
    'an argument that does not exist',
    'response.next_page.argument',
    { next_page: { cursor: 'a', argument: 'nope' } },
    {},
  ],
  [
    'a fixed argument',
    'response.next_page.argument',
    { next_page: { cursor: 'a', argument: 'cursor' } },
    { fixed_arguments: { cursor: 'x' } },
  ],
  ['an unknown field', 'response.keep', { keep: ['a'] }, {}],
  ['a path that the schema excludes', 'response.select.0', { select: ['nope'] }, { output_schema: closed }],
  ['an item that the schema excludes', 'response.drop.0', { drop: ['items[].name'] }, { output_schema: closed }],
  [
    'a list that is not a list in the schema',
    'response.max_items.items[].id.x',
    { max_items: { 'items[].id.x': 1 } },
    {
      output_schema: {
        ...closed,
        properties: { items: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } } },
      },
    },
  ],
] as const)
  test(`${title} in a response is refused with the field`, async () => {
    const body = toolFields(customer.url, { input_schema, response: shaped, ...more });
    assert.equal(
      expectResponse(await server.api('POST', '/custom-tools', { key: keys.write, body }), 422).error.details.field,
      field,
    );
  });

test('the response belongs to the version and the definition hash, and null leaves the hash as it was', async () => {
  const tool = await make({});
  const patch = async (body: object) =>
    expectResponse(await server.api('PATCH', `/custom-tools/${tool.id}`, { key: keys.write, body }), 200);
  const changed = await patch({ response });
  assert.equal(changed.version, 2);
  assert.notEqual(changed.definition_hash, tool.definition_hash);
  assert.deepEqual(
    [(await patch({ response })).version, (await patch({ response: null })).definition_hash],
    [2, tool.definition_hash],
  );
});

test('JSON that is longer than the size limit stays JSON, with and without a response', async () => {
  const small = await makeTenant(server);
  const settings = { max_response_bytes: 1024 };
  expectResponse(
    await server.api('PATCH', `/projects/${small.id}/settings`, { key: small.keys.admin, body: settings }),
    200,
  );
  const items = Array.from({ length: 500 }, (_, id) => ({ id, name: 'ü' }));
  const TEXT_TYPE = { 'content-type': 'text/plain' };
  for (const [shaped, headers] of [
    [null, JSON_TYPE],
    [null, TEXT_TYPE],
    [{ drop: ['items[].name'] }, JSON_TYPE],
  ] as const) {
    const tool = await makeTool(server, small.keys.write, customer, { response: shaped });
    respondWith(tool, { items }, headers);
    const { body, truncated, truncation } = expectResponse(await execute(server, small.keys.read, tool.id), 200);
    assert.ok(body.items.length > 10 && body.items.length < 500);
    assert.deepEqual(body.items[5], shaped ? { id: 5 } : { id: 5, name: 'ü' });
    assert.deepEqual(
      [truncated, truncation],
      [true, { paths: [{ path: 'items', kept: body.items.length, total: null }], next: null }],
    );
    const { content, structuredContent, _meta } = (await callTool(modern, server, small.keys.read, tool.name)).body
      .result;
    assert.deepEqual(JSON.parse(content[0].text), structuredContent);
    assert.deepEqual(_meta['toolgate/truncated'], truncation);
  }
  const tool = await makeTool(server, small.keys.write, customer, {});
  const text = `[a] ${'é'.repeat(2_000)}`;
  respondWith(tool, Buffer.from(text, 'latin1'), { 'content-type': 'text/plain; charset=iso-8859-1' });
  const { body } = expectResponse(await execute(server, small.keys.read, tool.id), 200);
  assert.equal(body, text.slice(0, 1_024), 'what only begins like JSON is passed on as it is');
});
