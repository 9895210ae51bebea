// JSON Schema 2020-12: every schema is either validated as the specification says, or refused when it is saved. The second
// opinion is @hyperjump/json-schema, which passes the whole public test suite. That suite itself is in no npm package; the cases of
// vectors/json-schema.json go through the same keywords.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/draft-2020-12';
import fc from 'fast-check';
import { checkSchema } from '../../features/tools/catalogue/check-schema.ts';
import { generateCode } from './generate-code.ts';
import { instantiate, instantiateLister } from './instantiate.ts';
import type { Schema, SchemaObject } from './keywords.ts';
import type { Problem } from './problem.ts';

type Case = { about: string; schema: SchemaObject; valid?: unknown[]; invalid?: unknown[] };
type Refused = { about: string; schema: SchemaObject; field: string };
type Group = 'assertions' | 'applicators' | 'unevaluatedItems' | 'unevaluatedProperties';

const file = join(import.meta.dirname, '../../../../vectors/json-schema.json');
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Record<Group, Case[]> & { refused: Refused[] };

type IsValid = (value: unknown) => boolean;

/** A tool's schema is one of an object, so the schema in question is that of its property `value`. */
const inTool = ({ $defs = {}, ...schema }: SchemaObject): SchemaObject => ({
  type: 'object',
  properties: { value: schema },
  $defs,
});

function ours(schema: SchemaObject): IsValid | Problem {
  const whole = inTool(schema);
  const problem = checkSchema(whole, 'input');
  if (problem) return problem;
  const generated = generateCode(whole);
  if ('problem' in generated) return generated.problem;
  const check = instantiate(generated.code);
  const listing = generateCode(whole, 'all');
  assert.ok('code' in listing, 'compiles only if it stops at the first error');
  const list = instantiateLister(listing.code);
  return (value) => {
    const isValid = check({ value }) === null;
    const { problems } = list({ value }, 20) ?? {};
    assert.equal(problems?.length === 0, isValid, `listed for ${JSON.stringify(value)}: ${JSON.stringify(problems)}`);
    return isValid;
  };
}

let registered = 0;

async function second(schema: SchemaObject): Promise<IsValid> {
  const uri = `https://schemas.example/${registered++}`;
  registerSchema(structuredClone(inTool(schema)) as never, uri, 'https://json-schema.org/draft/2020-12/schema');
  const check = await validate(uri);
  unregisterSchema(uri);
  return (value) => check({ value } as never).valid;
}

const { assertions, applicators, unevaluatedItems, unevaluatedProperties, refused } = vectors;
const cases = [...assertions, ...applicators, ...unevaluatedItems, ...unevaluatedProperties];

for (const { about, schema, valid = [], invalid = [] } of cases)
  test(`${about}: ${JSON.stringify(schema).slice(0, 100)}`, async () => {
    const isValid = ours(schema);
    assert.ok(typeof isValid === 'function', JSON.stringify(isValid));
    const isReallyValid = await second(schema);
    for (const [values, expected] of [
      [valid, true],
      [invalid, false],
    ] as const)
      for (const value of values) {
        assert.equal(isReallyValid(value), expected, `the case itself: ${JSON.stringify(value)}`);
        assert.equal(isValid(value), expected, JSON.stringify(value));
      }
  });

for (const { about, schema, field } of refused)
  test(`refused: ${about}`, () => {
    const problem = ours(schema);
    assert.ok(typeof problem === 'object', 'was compiled');
    const inside = ['properties.value', field].filter(Boolean).join('.');
    // What only the compiler finds has no place.
    assert.ok([inside, field].includes(problem.field), problem.field);
    assert.notEqual(problem.message, '');
  });

const names = fc.constantFrom('a', 'b', 'c', 'd');
const scalars = fc.constantFrom<unknown[]>(null, 0, 1, 2, -1, 1.5, 'x', 'xyz', '', true, false, [], {});
const small = fc.nat(3);

/** Wide enough that parts of it become functions of their own. */
function randomSchema(depth: number): fc.Arbitrary<SchemaObject> {
  const inside: fc.Arbitrary<Schema> =
    depth === 0
      ? fc.boolean()
      : fc.oneof({ weight: 1, arbitrary: fc.boolean() }, { weight: 6, arbitrary: randomSchema(depth - 1) });
  const list = fc.array(inside, { minLength: 1, maxLength: 3 });
  const named = fc.dictionary(names, inside, { maxKeys: 3 });
  const lists = fc.uniqueArray(names, { maxLength: 2 });
  const types = ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null', ['null', 'object'], ['array']];
  const shared: [string[], fc.Arbitrary<unknown>][] = [
    [['additionalProperties', 'propertyNames', 'items', 'contains', 'not', 'if', 'then', 'else'], inside],
    [['unevaluatedProperties', 'unevaluatedItems'], fc.oneof(fc.constant(false), inside)],
    [['allOf', 'anyOf', 'oneOf', 'prefixItems'], list],
    [['properties', 'dependentSchemas'], named],
    [['minProperties', 'maxProperties', 'minItems', 'maxItems', 'minContains', 'maxContains', 'minLength'], small],
    [['minimum', 'exclusiveMaximum'], fc.integer({ min: -1, max: 2 })],
    [['type'], fc.constantFrom(...types)],
    [['required'], lists],
    [['dependentRequired'], fc.dictionary(names, lists, { maxKeys: 2 })],
    [['patternProperties'], fc.dictionary(fc.constantFrom('^a', 'b$', '.'), inside, { maxKeys: 2 })],
    [['pattern'], fc.constantFrom('^x', 'z$', '.')],
    [['multipleOf'], fc.constantFrom(2, 3)],
    [['const'], scalars],
    [['enum'], fc.array(scalars, { minLength: 1, maxLength: 3 })],
    [['$ref'], fc.constantFrom('#/$defs/a', '#/$defs/b')],
  ];
  const keywords = shared.flatMap(([each, value]) => each.map((keyword) => [keyword, value] as const));
  return fc
    .subarray(keywords, { maxLength: 5 })
    .chain((chosen) => fc.tuple(...chosen.map(([keyword, value]) => value.map((each) => [keyword, each] as const))))
    .map((members) => Object.fromEntries(members));
}

const randomValue = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalars,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'z'), tie('value'), { maxKeys: 4 }),
  ),
})).value;

/** Without references: where they go around in place, there is no result. */
function withoutReferences<Part>(part: Part): Part {
  return JSON.parse(JSON.stringify(part, (name, value) => (name === '$ref' ? undefined : value))) as Part;
}

test('any schema is validated as the second opinion does', async () => {
  const values = fc.array(randomValue, { minLength: 8, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(randomSchema(3), randomSchema(1), randomSchema(1), values, async (schema, a, b, values) => {
      const whole = { ...schema, $defs: { a: withoutReferences(a), b: withoutReferences(b) } };
      const isValid = ours(whole);
      assert.ok(typeof isValid === 'function', JSON.stringify({ whole, isValid }));
      const isReallyValid = await second(whole);
      for (const value of values) assert.equal(isValid(value), isReallyValid(value), JSON.stringify({ whole, value }));
    }),
    { numRuns: 150 },
  );
});
