import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateCode } from './generate-code.ts';
import { instantiate, tooLarge } from './instantiate.ts';
import type { SchemaObject } from './keywords.ts';
import { createValidators } from './validator.ts';

function compile(schema: SchemaObject) {
  const compiled = generateCode(schema);
  assert.ok('code' in compiled, JSON.stringify(compiled));
  return instantiate(compiled.code);
}

function problemOf(schema: SchemaObject) {
  const compiled = generateCode(schema);
  return 'problem' in compiled ? compiled.problem : null;
}

test('a decimal is a multiple of what a person would say it is a multiple of', () => {
  const cents = compile({ multipleOf: 0.01 });
  for (const value of [19.99, 0.07, 4.35, 0.29, 1.15, 0, -19.99, 123_456_789.01])
    assert.equal(cents(value), null, String(value));
  for (const value of [19.995, 0.001, 1e-7]) assert.notEqual(cents(value), null, String(value));
  assert.equal(compile({ multipleOf: 0.1 })(0.3), null);
  assert.equal(compile({ multipleOf: 0.1 })(-1), null);
});

test('a quotient larger than any double is divided exactly', () => {
  assert.notEqual(compile({ multipleOf: 0.123456789 })(1e308), null);
  assert.notEqual(compile({ multipleOf: 3 })(1e308), null);
  assert.equal(compile({ multipleOf: 1e-8 })(12_391_239_123), null);
  assert.equal(compile({ multipleOf: 5e-324 })(1e308), null);
  assert.equal(compile({ multipleOf: 0.5 })(1e308), null);
});

test('members called valueOf and toString are compared like any other', () => {
  for (const schema of [{ const: { valueOf: 1, toString: 'x' } }, { enum: [{ toString: 'x', valueOf: 1 }] }]) {
    assert.equal(compile(schema)({ valueOf: 1, toString: 'x' }), null);
    assert.notEqual(compile(schema)({ valueOf: 1, toString: 'y' }), null);
    assert.notEqual(compile(schema)({ a: 1, b: 'x' }), null);
  }
});

test('a problem names the field and what would be right', () => {
  const check = compile({
    type: 'object',
    required: ['query'],
    additionalProperties: false,
    properties: {
      query: { type: 'string', minLength: 2, pattern: '^[a-z]+$' },
      sort: { enum: ['up', 'down'] },
      limit: { type: 'integer', minimum: 1 },
      lines: { type: 'array', uniqueItems: true, maxItems: 3, items: { type: 'object', required: ['sku'] } },
      mail: { format: 'email' },
      either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    },
  });
  const first = (value: unknown) => check(value)?.[0];
  assert.equal(
    check({ query: 'shoes', sort: 'up', limit: 1, lines: [{ sku: 1 }, { sku: 2 }], mail: 'a@b.example' }),
    null,
  );
  assert.deepEqual(first({}), { field: 'query', message: 'is required' });
  assert.deepEqual(first({ query: 'ab', Limit: 1 }), { field: 'Limit', message: 'is not a known field' });
  assert.deepEqual(first({ query: 'a' }), { field: 'query', message: 'must have at least 2 characters' });
  assert.deepEqual(first({ query: 'AB' }), { field: 'query', message: 'must match the pattern ^[a-z]+$' });
  assert.deepEqual(first({ query: 'ab', sort: 'left' }), { field: 'sort', message: 'must be one of "up", "down"' });
  assert.deepEqual(first({ query: 'ab', limit: 0 }), { field: 'limit', message: 'must be >= 1' });
  assert.deepEqual(first({ query: 'ab', limit: '1' }), { field: 'limit', message: 'must be integer' });
  assert.deepEqual(first({ query: 'ab', limit: Infinity }), { field: 'limit', message: 'must be integer' });
  assert.deepEqual(first({ query: 'ab', lines: [{}] }), { field: 'lines.0.sku', message: 'is required' });
  assert.deepEqual(first({ query: 'ab', mail: 'x' }), { field: 'mail', message: 'must be a valid email' });
  assert.deepEqual(
    first({
      query: 'ab',
      lines: [
        { sku: 1, a: 2 },
        { a: 2, sku: 1 },
      ],
    }),
    { field: 'lines', message: 'must not have the same item twice' },
  );
  assert.deepEqual(check({ query: 'ab', either: null }), [
    { field: 'either', message: 'must match one of the allowed forms' },
    { field: 'either', message: 'must be string' },
    { field: 'either', message: 'must be integer' },
  ]);
});

test('what was not evaluated is named', () => {
  const list = compile({ properties: { list: { prefixItems: [true], unevaluatedItems: false } } });
  assert.deepEqual(list({ list: [1, 2] }), [{ field: 'list.1', message: 'is not an allowed item' }]);
  const typed = compile({ prefixItems: [true], unevaluatedItems: { type: 'string' } });
  assert.deepEqual(typed([1, 'a', 2]), [{ field: '2', message: 'must be string' }]);
  const object = compile({ allOf: [{ properties: { a: true } }], unevaluatedProperties: false });
  assert.deepEqual(object({ a: 1, b: 2 }), [{ field: 'b', message: 'is not a known field' }]);
  const counted = compile({ contains: { type: 'string' }, minContains: 1, maxContains: 2 });
  assert.deepEqual(counted(['a', 'b', 'c']), [{ field: '', message: 'must have 1 to 2 items of the required kind' }]);
});

test('inherited names are not members, and every pattern is its own', () => {
  assert.deepEqual(compile({ required: ['toString'] })({})?.[0], { field: 'toString', message: 'is required' });
  const check = compile({ properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } } });
  assert.equal(check({ a: 'a', b: 'b' }), null);
  assert.equal(check({ a: 'b' })?.[0]?.field, 'a');
  assert.equal(check({ a: 'a', b: 'a' })?.[0]?.field, 'b');
});

test('the value is never changed', () => {
  const value = { a: '1', extra: true };
  compile({ properties: { a: { type: 'integer' }, b: { default: 2 } }, additionalProperties: false })(value);
  assert.deepEqual(value, { a: '1', extra: true });
});

test('keywords from elsewhere are remarks, and none of them can switch the check off', () => {
  const check = compile({
    type: 'object',
    example: {},
    discriminator: { propertyName: 'x' },
    $work: { units: -1e9, sized: false },
    properties: {
      a: { nullable: true, format: 'constructor' },
      b: { type: 'string', nullable: true },
      c: { id: 'x', $comment: '', type: 'string' },
    },
  });
  assert.equal(check({ a: 'x', b: null, c: '' }), null);
  assert.equal(check({ c: null })?.[0]?.message, 'must be string');
});

test('a malformed schema is refused with the place that is wrong', () => {
  assert.equal(problemOf({ type: 'objekt' })?.field, 'type');
  assert.equal(problemOf({ properties: { a: { type: 'string', minLength: -1 } } })?.field, 'properties.a.minLength');
  assert.equal(problemOf({ properties: [] })?.field, 'properties');
  assert.equal(problemOf({ required: 'a' })?.field, 'required');
  assert.equal(problemOf({ properties: { a: { exclusiveMinimum: true } } })?.field, 'properties.a.exclusiveMinimum');
  assert.equal(problemOf({ properties: { a: { items: [{}] } } })?.field, 'properties.a.items');
  assert.equal(problemOf({ properties: { a: { pattern: '(' } } })?.field, 'properties.a.pattern');
  for (const pattern of ['(?=a)', '(?<!a)b', '(a)\\1', 'a{1001}', '[b-a]'])
    assert.equal(problemOf({ allOf: [{ pattern }] })?.field, 'allOf.0.pattern', pattern);
  assert.equal(problemOf({ patternProperties: { '(?=a)': {} } })?.field, 'patternProperties.(?=a)');
  const large = problemOf({ allOf: Array.from({ length: 12 }, (_, index) => ({ pattern: `${index}(a?){500}` })) });
  assert.match(large?.message ?? '', /too large in total/);
});

test('JavaScript patterns keep their meaning', () => {
  const check = compile({ pattern: '^\\u00e9\\d{2}[\\w-]+\\/(?<rest>.*)$' });
  assert.equal(check('é12ab-c/x'), null);
  assert.ok(check('e12ab-c/x'));
});

test('references work wherever they lead: forward, back, around and into the middle', () => {
  const tree = compile({
    type: 'object',
    required: ['name'],
    properties: { children: { type: 'array', items: { $ref: '#' } } },
  });
  assert.equal(tree({ name: 1, children: [{ name: 2, children: [] }] }), null);
  assert.equal(tree({ name: 1, children: [{ name: 2, children: [{}] }] })?.[0]?.field, 'children.0.children.0.name');
  const middle = compile({
    properties: { 'a/b': { items: { type: 'integer' } }, c: { $ref: '#/properties/a~1b/items' } },
  });
  assert.equal(middle({ c: 1 }), null);
  assert.equal(middle({ c: 'x' })?.[0]?.field, 'c');
  assert.ok(compile({ properties: { a: { $ref: '#/$defs/no' } }, $defs: { no: false } })({ a: 1 }));
  assert.equal(compile({ $ref: '#/definitions/a', definitions: { a: { type: 'string' } } })('x'), null);
});

test('a check that would take too long ends as a problem', () => {
  const doubled: SchemaObject = { 0: {} };
  for (let level = 1; level <= 30; level++) doubled[level] = { allOf: Array(2).fill({ $ref: `#/$defs/${level - 1}` }) };
  assert.deepEqual(compile({ $ref: '#/$defs/30', $defs: doubled })({}), tooLarge);

  const again = { properties: { a: { $ref: '#' } } };
  const deep = Array.from({ length: 31 }).reduce<unknown>((inner) => ({ a: inner }), {});
  assert.deepEqual(compile({ allOf: [again, again] })(deep), tooLarge);
  assert.deepEqual(compile({ $ref: '#' })({}), tooLarge);
  assert.deepEqual(
    compile({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } })({}),
    tooLarge,
  );
});

test('no keyword escapes the meter', () => {
  const repeated = (schema: SchemaObject, times = 190) => ({
    not: { anyOf: Array.from({ length: times }, () => schema) },
  });
  const text = 'x'.repeat(200_000);
  const names = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 0]));
  const zeros = Array<number>(100_000).fill(0);
  const rows = Array.from({ length: 200 }, (_, index) => [Array(500).fill(0), index]);
  const cases: [SchemaObject, unknown][] = [
    [repeated({ minLength: 300_000 }), text],
    [repeated({ format: 'uri' }), `a:${text}%`],
    [{ pattern: '(x?){300}x{300}y' }, text],
    [
      {
        patternProperties: Object.fromEntries(
          Array.from({ length: 150 }, (_, index) => [`^k(${index})+$`, { type: 'integer' }]),
        ),
      },
      names,
    ],
    [repeated({ minProperties: 300_000 }), names],
    [repeated({ additionalProperties: { type: 'string' } }), names],
    [repeated({ propertyNames: { const: 'a' } }), names],
    [repeated({ contains: { type: 'string' } }), zeros],
    [{ items: repeated({ const: 1 }) }, zeros],
    [{ items: { not: { enum: Array.from({ length: 3_000 }, (_, index) => `v${index}`) } } }, zeros],
    [
      { items: { required: Array.from({ length: 190 }, (_, index) => `r${index}`) } },
      zeros.map(() => 1).slice(0, 50_000),
    ],
    [{ allOf: Array(190).fill({ uniqueItems: true, maxItems: 200 }) }, rows],
  ];
  for (const [schema, value] of cases)
    assert.deepEqual(compile(schema)(value), tooLarge, JSON.stringify(schema).slice(0, 100));
});

test('a large but honest value is checked to its end', () => {
  const row = {
    type: 'object',
    additionalProperties: false,
    required: ['id'],
    properties: {
      id: { type: 'integer' },
      name: { type: 'string', maxLength: 50 },
      tags: { items: { type: 'string' } },
    },
  };
  const check = compile({
    type: 'object',
    properties: { rows: { type: 'array', items: row }, text: { type: 'string', pattern: '\\S' } },
  });
  const rows = Array.from({ length: 10_000 }, (_, id) => ({ id, name: `row ${id}`, tags: ['a', 'b'] }));
  assert.equal(check({ rows, text: `${' '.repeat(100_000)}x` }), null);
  assert.equal(check({ rows: [...rows, { id: 'x' }] })?.[0]?.field, 'rows.10000.id');
});

test('a bad schema is found off the main thread, a good one gives its validator once', async (t) => {
  const { checkCompiles, validatorFor, close } = createValidators(() => new Error('busy'));
  t.after(close);
  assert.equal((await checkCompiles({ type: 'objekt' }, 'group_a'))?.field, 'type');
  assert.equal(await checkCompiles({ type: 'object' }, 'group_a'), null);
  assert.match(
    (await checkCompiles({ type: 'object', $ref: '#' }, 'group_a'))?.message ?? '',
    /refers to itself endlessly/,
  );
  const schema = { type: 'object', required: ['a'] };
  const [one, two] = await Promise.all([
    validatorFor('hash:input', schema, 'group_a'),
    validatorFor('hash:input', schema, 'group_a'),
  ]);
  assert.equal(one, two);
  assert.deepEqual(one({}), [{ field: 'a', message: 'is required' }]);
});
