import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolForModel } from '../features/custom-tools/tool-call.ts';
import { RpcError } from './json-rpc.ts';
import { makeListing, pageText, startAfter } from './tools-list.ts';

function tool(name: string, more: Partial<ToolForModel> = {}): ToolForModel {
  return {
    name,
    title: null,
    description: null,
    input_schema: null,
    output_schema: null,
    annotations: null,
    definition_hash: `hash of ${name}`,
    ...more,
  };
}

const read = (page: string | Buffer) => JSON.parse(`{${page}}`) as { tools: { name: string }[]; nextCursor?: string };

test('tools are listed by name, whatever order they come in', () => {
  const names = ['b', 'B', 'a-1', '_x', 'a'];
  const listing = makeListing(names.map((name) => tool(name)));
  assert.deepEqual(
    read(listing.first).tools.map(({ name }) => name),
    names.toSorted(),
  );
  assert.deepEqual(makeListing(names.toReversed().map((name) => tool(name))).first, listing.first);
});

test('a tool is shown with all it says of itself and its definition hash', () => {
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
    annotations: { readOnlyHint: true },
  });
  const { first } = makeListing([full]);
  assert.deepEqual(read(first), {
    tools: [
      {
        name: 'a',
        title: 'A',
        description: 'Does a',
        inputSchema: input_schema,
        outputSchema: { type: 'object' },
        annotations: { readOnlyHint: true },
        _meta: { 'toolgate/definition_hash': 'hash of a' },
      },
    ],
  });
});

test('pages show every tool once, even when one that was seen is gone', () => {
  const name = (i: number) => `t${String(i).padStart(4, '0')}`;
  const all = Array.from({ length: 1203 }, (_, i) => tool(name(i)));
  const seen: string[] = [];
  let listing = makeListing(all);
  let page = read(listing.first);
  for (;;) {
    seen.push(...page.tools.map(({ name }) => name));
    if (!page.nextCursor) break;
    listing = makeListing(all.filter((each) => each.name !== seen.at(-1)));
    page = read(pageText(listing, startAfter(listing, page.nextCursor)));
  }
  assert.deepEqual(
    seen,
    all.map(({ name }) => name),
  );
});

test('a cursor nobody gave is invalid params', () => {
  const listing = makeListing([tool('a')]);
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
      () => startAfter(listing, cursor),
      (error: unknown) => error instanceof RpcError && error.code === -32602 && error.status === 200,
    );
  }
});
