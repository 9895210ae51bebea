import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contradicts, derivedAnnotations, listedAnnotations, type SetAnnotations } from './hints.ts';

type Method = Parameters<typeof listedAnnotations>[0]['method'];
const listed = (
  method: Method,
  annotations: SetAnnotations | null = null,
  name = 'tool',
  title: string | null = null,
) => listedAnnotations({ name, title, method, annotations });
const hints = (method: Method, annotations: SetAnnotations | null = null) => {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = listed(method, annotations);
  return [readOnlyHint, destructiveHint, idempotentHint, openWorldHint];
};

for (const [method, expected] of [
  ['GET', [true, false, true, false]],
  ['POST', [false, true, false, false]],
  ['PUT', [false, true, true, false]],
  ['PATCH', [false, true, false, false]],
  ['DELETE', [false, true, true, false]],
  [null, [false, true, false, true]],
] as [Method, boolean[]][])
  test(`hints that nobody set: ${method ?? 'a tool of an MCP server'}`, () =>
    assert.deepEqual(hints(method), expected));

test('a hint that is set decides, and the others follow from it', () => {
  assert.deepEqual(hints('POST', { readOnlyHint: true }), [true, false, false, false]);
  assert.deepEqual(hints('GET', { destructiveHint: true }), [false, true, true, false]);
  assert.deepEqual(hints('GET', { readOnlyHint: false }), [false, true, true, false]);
  assert.deepEqual(hints('DELETE', { destructiveHint: false, idempotentHint: false, openWorldHint: true }), [
    false,
    false,
    false,
    true,
  ]);
});

test('the title is the one that is set, else that of the tool, else its name in words', () => {
  assert.equal(listed('GET', { title: 'Set' }, 'name', 'Own').title, 'Set');
  assert.equal(listed('GET', null, 'name', 'Own').title, 'Own');
  for (const [name, title] of [
    ['list_open_orders', 'List open orders'],
    ['listOpenOrders', 'List open orders'],
    ['get-order-v2', 'Get order v2'],
    ['readHTMLPage', 'Read HTML page'],
    ['_', '_'],
  ] as const)
    assert.equal(listed('GET', null, name).title, title);
});

test('hints that nobody set are named, and a tool cannot both change nothing and destroy something', () => {
  assert.deepEqual(derivedAnnotations({ readOnlyHint: false, openWorldHint: true }), [
    'destructiveHint',
    'idempotentHint',
  ]);
  assert.equal(derivedAnnotations(null).length, 4);
  assert.deepEqual(
    [null, { readOnlyHint: true }, { readOnlyHint: true, destructiveHint: true }, { destructiveHint: true }].map(
      contradicts,
    ),
    [false, false, true, false],
  );
});
