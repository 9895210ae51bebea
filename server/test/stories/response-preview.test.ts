// What a `response` that is not saved would leave of an answer: the same as the call of a tool that has it.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { callTool, modern } from '../mcp/rpc.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const tenant = await makeTenant(server);
const { keys } = tenant;
const input_schema = { type: 'object', properties: { cursor: { type: 'string' }, status: { type: 'string' } } };
const make = (fields: object = {}) => makeTool(server, keys.write, customer, { input_schema, ...fields });
const preview = (id: string, body: unknown, response: unknown, key = keys.write) =>
  server.api('POST', `/custom-tools/${id}/preview-response`, { key, body: { body, response } });

const text = JSON.stringify({
  items: Array.from({ length: 400 }, (_, at) => ({
    id: at,
    email: `a${at}@example.com`,
    _links: { self: `/x/${at}` },
  })),
  meta: { next: 'abc' },
}).replace('"id":0', '"id":12345678901234567890');
const rules = [
  { drop: ['**._links'] },
  { select: ['items[].id', 'meta'], max_items: { items: 3 } },
  { redact: ['@email'], max_tokens: 500, next_page: { cursor: 'meta.next', argument: 'cursor' } },
  { select: ['meta'], next_page: { cursor: 'meta.next', argument: 'cursor' } },
];

test('a preview is what a call of a tool with this response gets: text, tokens, what was cut and the sentence', async () => {
  const unsaved = await make();
  for (const response of rules) {
    const saved = await make({ response });
    customer.respond(saved.endpoint_path, { headers: { 'content-type': 'application/json' }, body: text });
    const real = await execute(server, keys.read, saved.id);
    const { truncated, truncation, result_tokens, shaped_tokens } = expectResponse(real, 200);
    const shown = expectResponse(await preview(unsaved.id, text, response), 200);
    assert.ok(real.text.includes(`"body":${shown.body},"truncated"`), JSON.stringify(response));
    const { content } = (await callTool(modern, server, keys.read, saved.name)).body.result;
    assert.deepEqual(shown, {
      ...{ object: 'tool_response_preview', body: content[0].text, is_json: true },
      ...{ truncated, truncation, truncation_text: content[1]?.text ?? null },
      ...{ result_tokens, shaped_tokens, problem: null },
    });
  }
});

test('without a response everything is left, and text that is not JSON is cut and redacted as text', async () => {
  const { id } = await make();
  const whole = expectResponse(await preview(id, text, null), 200);
  assert.equal(whole.body, text);
  assert.deepEqual(
    [whole.result_tokens, whole.shaped_tokens],
    [Math.ceil(text.length / 4), Math.ceil(text.length / 4)],
  );
  const plain = expectResponse(await preview(id, 'Ask ada@example.com', { redact: ['@email'] }), 200);
  assert.deepEqual([plain.body, plain.is_json], ['Ask [redacted]', false]);
});

test('a call that would fail is described, and is no error', async () => {
  const { id } = await make();
  const large = expectResponse(await preview(id, '{"a":{"b":{"c":12345}}}', { max_tokens: 1 }), 200);
  assert.deepEqual([large.body, large.shaped_tokens, large.problem.code], [null, null, 'RESULT_TOO_LARGE']);
  assert.match(large.problem.remedy, /cursor, status/, 'it names the arguments that narrow the call');
  const plain = expectResponse(await preview(id, 'no JSON', { drop: ['a'] }), 200);
  assert.deepEqual([plain.body, plain.problem.code], [null, 'RESULT_NOT_SHAPED']);
});

test('a response that could not be saved is refused at its field, and so is text that is too long or has a NUL', async () => {
  const output_schema = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false };
  const { id } = await make({ output_schema });
  const cases: [body: unknown, response: unknown, field: string][] = [
    ['{}', { drop: ['a..b'] }, 'response.drop.0'],
    ['{}', { select: ['a', 'b'] }, 'response.select.1'],
    ['{}', { next_page: { cursor: 'a', argument: 'page' } }, 'response.next_page.argument'],
    ['{}', { other: 1 }, 'response.other'],
    ['{}', undefined, 'response'],
    [{}, null, 'body'],
    ['\0', null, 'body'],
    ['\ud800', null, 'body'],
    ['x'.repeat(2 * 1024 * 1024 + 1), null, 'body'],
  ];
  for (const [body, response, field] of cases) {
    const refused = expectResponse(await preview(id, body, response), 422);
    assert.equal(refused.error.details.field, field);
  }
  const { status } = await preview(id, 'x'.repeat(5 * 1024 * 1024), null);
  assert.equal(status, 413);
});

test('it needs write, and knows no tool of another project', async () => {
  const { id } = await make();
  assert.equal((await preview(id, '{}', null, keys.read)).status, 403);
  const other = await makeTenant(server);
  assert.equal((await preview(id, '{}', null, other.keys.write)).status, 404);
});
