import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolForModel } from '../features/tools/calls/tool-call.ts';
import { RpcError } from './json-rpc.ts';
import { pageText, readCursor } from './tools-list.ts';

const HINTS = { title: 'A', readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

function tool(name: string, more: Partial<ToolForModel> = {}): ToolForModel {
  return {
    name,
    title: null,
    description: null,
    input_schema: null,
    output_schema: null,
    annotations: HINTS,
    definition_hash: `hash of ${name}`,
    ...more,
  };
}

const read = (page: string) => JSON.parse(`{${page}}`) as { tools: { name: string }[]; nextCursor?: string };

test('a tool is listed with its whole definition and its definition hash', () => {
  const input_schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { a: { $anchor: 'x' } },
    allOf: [{}],
  };
  const full = tool('a', {
    title: 'A',
    description: 'Does a',
    input_schema,
    output_schema: { type: 'object' },
    annotations: HINTS,
  });
  assert.deepEqual(read(pageText([full], false)), {
    tools: [
      {
        name: 'a',
        title: 'A',
        description: 'Does a',
        inputSchema: input_schema,
        outputSchema: { type: 'object' },
        annotations: HINTS,
        _meta: { 'toolgate/definition_hash': 'hash of a' },
      },
    ],
  });
});

test('a property whose schema is true or false is listed as an object, since clients accept nothing else', () => {
  const properties = { any: true, none: false, text: { type: 'string', not: false } };
  const schema = { type: 'object', properties };
  const page = pageText([tool('a', { input_schema: schema, output_schema: schema })], false);
  const listed = { type: 'object', properties: { any: {}, none: { not: {} }, text: properties.text } };
  const [shown] = read(page).tools as { inputSchema?: unknown; outputSchema?: unknown }[];
  assert.deepEqual([shown?.inputSchema, shown?.outputSchema], [listed, listed]);
});

test('the cursor of a page is the name of its last tool', () => {
  const { nextCursor } = read(pageText([tool('a'), tool('b')], true));
  assert.equal(readCursor(nextCursor), 'b');
  assert.equal(read(pageText([tool('a'), tool('b')], false)).nextCursor, undefined);
  assert.deepEqual(read(pageText([], false)), { tools: [] });
});

test('a cursor that this server did not issue is invalid params', () => {
  for (const cursor of [
    1,
    null,
    '',
    '!!!',
    {},
    Buffer.from('a b').toString('base64url'),
    Buffer.from('x'.repeat(65)).toString('base64url'),
  ]) {
    assert.throws(
      () => readCursor(cursor),
      (error: unknown) => error instanceof RpcError && error.code === -32602 && error.status === 200,
    );
  }
});
