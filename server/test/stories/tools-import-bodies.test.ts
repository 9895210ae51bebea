// What an import makes of bodies that are not one JSON object: no operation is skipped for its body.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { execute } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const text = { type: 'string' };
const FORM = 'application/x-www-form-urlencoded';

type Media = { schema?: unknown; encoding?: unknown };

/** Imports one operation. Returns its tool, and what a call of it sends. */
async function imported(content: Record<string, Media>, { method = 'post', required = true, ...more }: any = {}) {
  const { keys } = await makeTenant(server);
  const operation = { operationId: 'call', requestBody: { required, content }, ...more };
  const document = { openapi: '3.0.3', servers: [{ url: customer.url }], paths: { '/call': { [method]: operation } } };
  const body = { document, is_enabled: true, context_in: 'headers' };
  const { skipped } = expectResponse(await server.api('POST', '/custom-tools/import', { key: keys.write, body }), 201);
  assert.deepEqual(skipped, []);
  const tool = expectResponse(await server.api('GET', '/custom-tools/call', { key: keys.read }), 200);
  customer.respond('/call', { body: {} });
  const call = async (given: object) => {
    expectResponse(await execute(server, keys.read, 'call', given), 200);
    const { query, headers, body: sent } = customer.at('/call').at(-1) as any;
    return { query, type: headers['content-type'] as string | undefined, body: sent.toString() as string };
  };
  const again = () =>
    server.api('POST', '/custom-tools/import', { key: keys.write, body: { ...body, on_conflict: 'update' } });
  return { tool, call, again };
}
const bodyOf = ({ body_format, body_argument, body_content_type }: any) => [
  body_format,
  body_argument,
  body_content_type,
];

test('of several types JSON is taken, then a form, multipart, text, and any other', async () => {
  const types = ['image/png', 'text/csv', 'multipart/form-data', FORM, 'application/json'];
  const formats = ['raw', 'raw', 'multipart', 'form', 'json'];
  for (const [at, format] of formats.entries()) {
    const content = Object.fromEntries(types.slice(0, at + 1).map((type) => [type, {}]));
    assert.equal((await imported(content)).tool.body_format, format);
  }
});

test('the members of a form are arguments, written as its encoding says', async () => {
  const schema = {
    required: ['amount'],
    properties: {
      amount: { type: 'integer' },
      tags: { type: 'array', items: text },
      ids: { type: 'array', items: text },
      lines: { type: 'array', items: { type: 'object', properties: { sku: text } } },
      address: { type: 'object' },
      meta: { type: 'object' },
      odd: { type: 'object' },
    },
  };
  const encoding = {
    tags: { style: 'deepObject', explode: true },
    ids: { style: 'form', explode: false },
    meta: { contentType: 'application/json' },
    odd: { style: 'pipeDelimited' },
  };
  const { tool, call, again } = await imported({ [FORM]: { schema, encoding } });
  assert.deepEqual(tool.body_encoding, {
    tags: { style: 'deepObject' },
    ids: { style: 'form', explode: false },
    lines: { style: 'deepObject' },
    meta: { style: 'json' },
  });
  assert.deepEqual(tool.input_schema.required, ['amount']);
  const given = {
    amount: 1,
    tags: ['a'],
    ids: ['x', 'y'],
    lines: [{ sku: 'b' }],
    address: { city: 'c' },
    meta: { k: 1 },
  };
  const { type, body } = await call(given);
  const expected = 'amount=1&tags[0]=a&ids=x,y&lines[0][sku]=b&address[city]=c&meta={"k":1}';
  assert.deepEqual([type, decodeURIComponent(body)], [FORM, expected]);
  assert.deepEqual(expectResponse(await again(), 201).unchanged.length, 1);
});

test('the members of a multipart body are parts, with the type of their encoding', async () => {
  const schema = { properties: { note: text, rows: text } };
  const encoding = { rows: { contentType: 'text/csv' }, note: { contentType: 'text/plain, text/html' } };
  const { tool, call } = await imported({ 'multipart/form-data': { schema, encoding } });
  assert.deepEqual([tool.body_format, tool.body_encoding], ['multipart', { rows: { content_type: 'text/csv' } }]);
  const { body } = await call({ note: 'n', rows: 'a,b' });
  assert.match(body, /name="note"\r\n\r\nn\r\n.*name="rows"\r\nContent-Type: text\/csv\r\n\r\na,b\r\n/s);
});

test('a JSON body that is no object, text, and any other type are one argument, and the query keeps all its parameters', async () => {
  const parameters = ['body', 'dry'].map((name) => ({ name, in: 'query', schema: text }));
  const list = await imported({ 'application/json': { schema: { type: 'array', items: text } } }, { parameters });
  assert.deepEqual(bodyOf(list.tool), ['raw', 'body_2', 'application/json']);
  assert.deepEqual(list.tool.input_schema.required, ['body_2']);
  const sent = await list.call({ body_2: ['a'], body: 'q', dry: '1' });
  assert.deepEqual(sent, { query: 'body=q&dry=1', type: 'application/json', body: '["a"]' });
  const patch = await imported({ 'application/json-patch+json': { schema: { type: 'array' } } }, { method: 'patch' });
  assert.deepEqual(bodyOf(patch.tool), ['raw', 'body', 'application/json-patch+json']);
  const csv = await imported({ 'text/csv': { schema: text } }, { required: false });
  assert.deepEqual([bodyOf(csv.tool), csv.tool.input_schema.required], [['raw', 'body', 'text/csv'], undefined]);
  assert.deepEqual(await csv.call({ body: 'a\n' }), { query: '', type: 'text/csv', body: 'a\n' });
  const any = await imported({ 'image/*': { schema: { ...text, format: 'binary' } } });
  assert.deepEqual(bodyOf(any.tool), ['raw', 'body', null]);
});

test('what is binary in a body becomes a file argument, also behind a reference and as OpenAPI 3.1 says it, and stays text elsewhere', async () => {
  const binary = { ...text, format: 'binary', description: 'A scan' };
  const parameters = [{ name: 'mark', in: 'query', required: true, schema: binary }];
  const schema = {
    properties: {
      scan: { ...binary, minLength: 1 },
      other: { type: ['string', 'null'], format: 'binary' },
      image: { contentMediaType: 'image/png' },
      encoded: { type: 'string', contentMediaType: 'image/png', contentEncoding: 'base64' },
      byte: { ...text, format: 'byte' },
      several: { type: 'array', items: binary },
    },
  };
  const { tool, call } = await imported({ 'multipart/form-data': { schema } }, { parameters });
  const { properties } = tool.input_schema;
  const file = { type: 'string', format: 'binary' };
  assert.deepEqual(
    [properties.scan, properties.other, properties.image],
    [{ ...file, description: 'A scan' }, file, file],
  );
  for (const name of ['encoded', 'byte', 'mark']) assert.notEqual(properties[name].format, 'binary', name);
  const { body } = await call({ mark: 'm', scan: 'data:image/png,bytes', byte: 'AAEC' });
  assert.match(body, /name="scan"; filename="scan.png"\r\nContent-Type: image\/png\r\n\r\nbytes\r\n/);
  for (const [type, given, content_type] of [
    ['application/pdf', {}, 'application/pdf'],
    ['application/octet-stream', text, 'application/octet-stream'],
    ['text/csv', binary, 'text/csv'],
  ] as const) {
    const one = await imported({ [type]: { schema: given } });
    assert.deepEqual(bodyOf(one.tool), ['raw', 'body', content_type]);
    assert.equal(one.tool.input_schema.properties.body.format, 'binary', type);
    const sent = await one.call({ body: 'data:application/zip,x' });
    assert.deepEqual([sent.type, sent.body], [content_type, 'x']);
  }
  const inQuery = await imported({ [FORM]: { schema: { properties: { scan: binary } } } }, { method: 'delete' });
  assert.equal(inQuery.tool.input_schema.properties.scan.format, undefined);
});

test('the fields of a DELETE that has a form go to its query', async () => {
  const schema = { required: ['reason'], properties: { reason: text } };
  const { tool, call } = await imported({ [FORM]: { schema } }, { method: 'delete' });
  assert.deepEqual([tool.body_format, tool.input_schema.required], ['json', ['reason']]);
  assert.deepEqual(await call({ reason: 'a b' }), { query: 'reason=a%20b', type: undefined, body: '' });
});

test('a body whose schemas are too large for a tool is described less deeply, and sent as it is given', async () => {
  const wide = (depth: number): object =>
    depth === 0
      ? { ...text, description: 'x'.repeat(500) }
      : {
          type: 'object',
          required: ['f0'],
          properties: Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`f${i}`, wide(depth - 1)])),
        };
  const { tool, call } = await imported({ 'application/json': { schema: wide(4) } });
  const { properties, required } = tool.input_schema;
  assert.deepEqual([Object.keys(properties).length, required], [8, ['f0']]);
  const inside = properties.f0.properties.f0;
  assert.deepEqual([inside.required, inside.properties.f0], [['f0'], { type: 'object' }]);
  const given = { f0: { f0: { f0: { f0: 'deep' } } } };
  assert.deepEqual(JSON.parse((await call(given)).body), given);
});

test('of more fields than a tool can have, those that are required stay, and the first of the others', async () => {
  const names = Array.from({ length: 250 }, (_, i) => `f${i}`);
  const list = { type: 'array', items: { type: 'object' } };
  const schema = { required: ['f249'], properties: Object.fromEntries(names.map((name) => [name, list])) };
  const parameters = [{ name: 'X-Mark', in: 'header', schema: text }];
  const { tool } = await imported({ [FORM]: { schema } }, { parameters });
  const expected = ['X_Mark', ...names.slice(0, 198), 'f249'];
  assert.deepEqual(Object.keys(tool.input_schema.properties).toSorted(), expected.toSorted());
  assert.deepEqual(Object.keys(tool.body_encoding).toSorted(), expected.slice(1).toSorted());
});
