import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePath, type ResponsePath } from '@toolgate/contract/custom-tools/response-paths.ts';
import { bytesOf, shape, shapedValue, textOf } from '../../test/support/make/shape-document.ts';
import { compileRule, projectOutput, type ResponseRule } from './compile.ts';
import { isPathInSchema } from './path-in-schema.ts';
import { repairJson } from './repair-json.ts';
import { shapeBytes } from './shape.ts';

const orders = {
  items: [
    { id: 1, name: 'a', _links: { self: 'x' }, lines: [{ sku: 's', qty: 1, _links: 1 }] },
    { id: 2, name: 'b', _links: { self: 'y' }, lines: [] },
  ],
  meta: { next: 'abc', total: 2 },
};

for (const [rule, expected] of [
  [{ select: ['items[].id'] }, { items: [{ id: 1 }, { id: 2 }] }],
  [{ select: ['meta'] }, { meta: orders.meta }],
  [{ select: ['meta.*'], drop: ['meta.next'] }, { meta: { total: 2 } }],
  [
    { select: ['items[].lines[].sku', 'meta.total'] },
    { items: [{ lines: [{ sku: 's' }] }, { lines: [] }], meta: { total: 2 } },
  ],
  [
    { drop: ['**._links', 'meta'] },
    {
      items: [
        { id: 1, name: 'a', lines: [{ sku: 's', qty: 1 }] },
        { id: 2, name: 'b', lines: [] },
      ],
    },
  ],
  [{ drop: ['*'] }, {}],
  [{ select: ['items.id'] }, {}],
  [{ select: ['meta'], max_items: { items: 1 } }, { meta: orders.meta }],
  [{ select: ['items[].id'], max_items: { items: 1 } }, { items: [{ id: 1 }] }],
  [{ select: ['meta'], redact: ['meta.next'] }, { meta: { next: '[redacted]', total: 2 } }],
  [
    { select: ['items'], redact: ['items[].lines', 'items[].id'], drop: ['items[].name', 'items[]._links'] },
    {
      items: [
        { id: '[redacted]', lines: '[redacted]' },
        { id: '[redacted]', lines: '[redacted]' },
      ],
    },
  ],
  [
    { select: ['**.sku'] },
    {
      items: [
        { _links: {}, lines: [{ sku: 's' }] },
        { _links: {}, lines: [] },
      ],
      meta: {},
    },
  ],
] as [ResponseRule, unknown][])
  test(`${JSON.stringify(rule)} leaves what it says`, () => assert.deepEqual(shapedValue(orders, rule), expected));

test('numbers keep their digits, texts their spelling, and blanks are left out', () => {
  const text = ' { "big" : 12345678901234567890 , "gone": [1, 2] ,\n\t"exact":1.10,"e":1E400, "t": "\\u00e9 ü 😀" } ';
  const shaped = shape(text, { drop: ['gone'] }) as { text: string };
  assert.equal(shaped.text, '{"big":12345678901234567890,"exact":1.10,"e":1E400,"t":"\\u00e9 ü 😀"}');
});

test('names are compared as they are meant, and may have any characters', () => {
  const text = '{"\\u0061":1,"ü":2,"a.b":3,"c[]":4,"*":5}';
  const shaped = shape(text, { drop: ['a', 'ü', 'a\\.b', 'c\\[\\]', '\\*'] }) as { text: string };
  assert.equal(shaped.text, '{}');
});

test('a root that is a list is shaped, too', () => {
  assert.deepEqual(shapedValue([{ a: 1, b: 2 }, { a: 3 }, 5], { select: ['[].a'] }), [{ a: 1 }, { a: 3 }]);
  assert.deepEqual(shapedValue([1, 2, 3], { max_items: { '.': 2 } }), [1, 2]);
  assert.deepEqual(shapedValue([1, 2, 3], { select: ['a'] }), []);
  assert.equal(shapedValue(5, { select: ['a'] }), null);
});

for (const text of [
  '',
  ' ',
  '{',
  '{"a":1,}',
  '[1,]',
  '{"a" 1}',
  '{"a":01}',
  '"\n"',
  '"\\x"',
  '{} {}',
  'nul',
  '[1 2]',
  '{,}',
  '[,]',
  `${'['.repeat(200)}${']'.repeat(200)}`,
])
  test(`${JSON.stringify(text.slice(0, 20))} is not shaped`, () =>
    assert.equal(shape(text, { drop: ['b'] }).kind, 'not_json'));

test('what was cut is counted, and the next page is named unless its own list was cut', () => {
  const list = { items: Array.from({ length: 10_000 }, (_, id) => ({ id, tags: [1, 2, 3] })), meta: { next: 'abc' } };
  const next_page = { cursor: 'meta.next', argument: 'cursor' };
  const own = shape(list, { max_items: { items: 50 }, next_page }) as any;
  assert.deepEqual(
    [own.is_cut, own.truncation],
    [true, { paths: [{ path: 'items', kept: 50, total: 10_000 }], next: null }],
  );
  const inner = shape(list, { select: ['items'], max_items: { 'items[].tags': 1 }, next_page }) as any;
  assert.deepEqual(inner.truncation, {
    paths: [{ path: 'items[].tags', kept: 10_000, total: 30_000 }],
    next: { argument: 'cursor', value: 'abc' },
  });
  const both = shape(list, { max_items: { items: 500 }, max_tokens: 500, next_page }) as any;
  const [{ path, kept, total }] = both.truncation.paths;
  assert.deepEqual([path, total, both.truncation.next], ['items', 10_000, null]);
  assert.equal(JSON.parse(both.text).items.length, kept);
  const nothing = shape({ items: [1], meta: { next: 7 } }, { select: ['items'], next_page }) as any;
  assert.deepEqual(
    [nothing.is_cut, nothing.truncation],
    [false, { paths: [], next: { argument: 'cursor', value: 7 } }],
  );
  for (const cursor of [null, '', false, {}, undefined])
    assert.equal((shape({ items: [1], meta: { next: cursor } }, { next_page }) as any).truncation, null);
});

test('long texts are cut to 1,000 characters, and never within one', () => {
  const shaped = shape({ text: `${'a'.repeat(999)}😀${'b'.repeat(5_000)}`, list: [1] }, { max_tokens: 400 }) as any;
  assert.equal(JSON.parse(shaped.text).text, 'a'.repeat(999));
  assert.deepEqual(shaped.truncation.paths, [{ path: 'text', kept: 999, total: 6_001 }]);
});

test('what cannot be cut to the budget is too large', () => {
  const map = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`member${i}`, i]));
  assert.equal(shape(map, { max_tokens: 10 }).kind, 'too_large');
  assert.equal(shape({ list: [map] }, { max_tokens: 10 }).kind, 'json');
});

test('a cursor is not given as the next page where it, or what it is in, is redacted', () => {
  const next_page = { cursor: 'meta.next', argument: 'cursor' };
  const nextBy = (redact: string[]) => (shape({ meta: { next: 'abc' } }, { redact, next_page }) as any).truncation;
  for (const path of ['meta.next', 'meta', '**.next', '*.*']) assert.equal(nextBy([path]), null, path);
  assert.deepEqual(nextBy(['meta.other']).next, { argument: 'cursor', value: 'abc' });
});

test('documents that differ in every name are shaped the same when no more states are kept', () => {
  const names = 'abcdefghij';
  const rule = { max_items: Object.fromEntries([...names].map((name) => [`**.${name}.*.*.*.*.*.*.*.*.*.*.*.*`, 1])) };
  const compiled = compileRule(rule);
  let seed = 1;
  const nameOf = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return names[seed % names.length] as string;
  };
  for (let round = 0; round < 100; round += 1) {
    const chain = Array.from({ length: 90 }, () => `{"${nameOf()}":`).join('');
    const document = `${chain}[1,2]${'}'.repeat(90)}`;
    assert.deepEqual(shapeBytes(document, compiled, false), shapeBytes(document, compileRule(rule), false));
  }
});

test('the projected schema claims no unique items where they may become the same', () => {
  const schema = {
    type: 'object',
    properties: { items: { type: 'array', items: { type: 'array' }, uniqueItems: true } },
  };
  const isUnique = (rule: ResponseRule) => (projectOutput(schema, rule) as any).properties.items.uniqueItems;
  assert.equal(isUnique({ redact: ['items[]'] }), undefined);
  assert.equal(isUnique({ max_items: { 'items[]': 1 } }), undefined);
  assert.equal(isUnique({ max_items: { items: 1 } }), true);
});

test('the projected schema claims no length that a text which is cut may not have', () => {
  const text = (minLength: number, maxLength: number) => ({ type: 'string', minLength, maxLength, pattern: 'x$' });
  const schema = { type: 'object', properties: { long: text(600, 900), short: text(500, 500) } };
  const { properties } = projectOutput(schema, { max_tokens: 10 }) as any;
  assert.deepEqual(properties, { long: { type: 'string', maxLength: 900 }, short: text(500, 500) });
});

test('the projected schema of a recursive schema has its references, and what is dropped is gone', () => {
  const schema = {
    type: 'object',
    properties: { tree: { $ref: '#/$defs/node' }, gone: {} },
    required: ['tree', 'gone'],
    $defs: {
      node: {
        type: 'object',
        properties: { secret: {}, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
        required: ['secret'],
      },
    },
  };
  const projected = projectOutput(schema, { drop: ['**.secret', 'gone'] });
  assert.deepEqual(projected.required, ['tree']);
  assert.equal(JSON.stringify(projected).includes('secret'), false);
  assert.match(JSON.stringify(projected), /"items":\{"\$ref":"#\/\$defs\/d\d"\}/);
});

test('a path is in a schema only if a valid value can have it', () => {
  const schema = {
    type: 'object',
    properties: {
      items: { type: 'array', items: { $ref: '#/$defs/item' } },
      open: { type: 'object' },
      text: { type: 'string' },
    },
    additionalProperties: false,
    $defs: {
      item: { type: 'object', properties: { id: {}, sub: { $ref: '#/$defs/item' } }, additionalProperties: false },
    },
  };
  const has = (text: string, type?: 'array') => isPathInSchema(schema, parsePath(text) as ResponsePath, type);
  for (const text of ['items[].id', 'items[].sub.sub.id', '**.id', 'open.x.y', '*', 'items[].*', '**'])
    assert.ok(has(text), text);
  for (const text of ['nope', 'items.id', 'items[].name', 'text.a', 'text[]', '**.name.x', '[].id', 'items[].sub[]'])
    assert.equal(has(text), text.startsWith('**'), text);
  assert.ok(has('items', 'array'));
  assert.equal(has('text', 'array'), false);
});

for (const [text, json, path] of [
  ['{"items":[{"id":1},{"id":2},{"id":3', '{"items":[{"id":1},{"id":2}]}', 'items'],
  ['{"items":[{"id":1,"name":"a', '{"items":[{"id":1,"name":"a"}]}', 'items[].name'],
  ['{"a":1,"b":12', '{"a":1}', '.'],
  ['{"a":"xü\\u00', '{"a":"xü"}', 'a'],
  ['[1,2,3', '[1,2]', '.'],
  ['"abc\\', '"abc"', '.'],
] as const)
  test(`${text} becomes ${json}`, () => {
    const repaired = repairJson(bytesOf(text));
    assert.equal(textOf(repaired?.json ?? ''), json);
    assert.equal(repaired?.cuts[0]?.path, path);
  });

for (const text of ['', '{"a" 1', '[1,,', 'x', '{"a":"\n', '[1],[2', '1 2'])
  test(`${JSON.stringify(text)} is not the beginning of JSON`, () => assert.equal(repairJson(text), null));
