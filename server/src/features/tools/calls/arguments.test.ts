import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasonRows } from '@toolgate/contract/errors.ts';
import { generateCode } from '../../../engines/json-schema/generate-code.ts';
import { instantiate, instantiateLister, tooLarge } from '../../../engines/json-schema/instantiate.ts';
import type { SchemaObject } from '../../../engines/json-schema/keywords.ts';
import { ApiError } from '../../../errors/errors.ts';
import { checkArguments } from './arguments.ts';

type Problems = { field: string; message: string }[];
type Checks = Parameters<typeof checkArguments>[2];

/** `all`: what the lister finds, null if it gives up. */
const checks = (first: Problems | null, all: { problems: Problems; more: number } | null = null): Checks => ({
  validate: () => first,
  findLister: async () => () => all,
  findRequestProblems: () => [],
  fixed_arguments: null,
});
const anything = checks(null);

/** A prepared tool with this schema. */
function toolWith(schema: SchemaObject): Checks {
  const [first, all] = (['first', 'all'] as const).map((finds) => {
    const compiled = generateCode(schema, finds);
    assert.ok('code' in compiled, JSON.stringify(compiled));
    return compiled.code;
  });
  return {
    validate: instantiate(`${first}`),
    findLister: async () => instantiateLister(`${all}`),
    findRequestProblems: () => [],
    fixed_arguments: null,
  };
}

function expectError(error: unknown, status: number, field: string): true {
  assert.ok(error instanceof ApiError, String(error));
  assert.deepEqual([error.status, error.details.field], [status, field]);
  return true;
}

/** As a promise, whatever comes of it. */
const check = async (given: unknown, bytes: number, tool: Checks) => checkArguments(given, bytes, tool);

/** Returns the problems. */
async function refusedArguments(given: unknown, tool: Checks, status: number, field: string): Promise<Problems> {
  let problems: Problems = [];
  await assert.rejects(check(given, 20, tool), (error) => {
    problems = (error as ApiError).details.problems ?? [];
    return expectError(error, status, field);
  });
  return problems;
}

const fieldsOf = (problems: Problems) => problems.map(({ field }) => field);

test('an argument with a reserved name is refused in any letter case, with everything else that is wrong', async () => {
  for (const name of ['member_id', 'project_id', 'integration_id', 'Member_Id', 'PROJECT_ID'])
    await refusedArguments({ a: 1, [name]: 'x' }, anything, 400, name);
  const nested = { order: { member_id: 1 } };
  assert.deepEqual(await checkArguments(nested, 20, anything), nested);

  const tool = toolWith({ type: 'object', required: ['id'], properties: { n: {} }, additionalProperties: false });
  const problems = await refusedArguments(
    { member_id: 'x', Project_ID: 'y', n: 2 ** 60, z: 1 },
    tool,
    400,
    'member_id',
  );
  assert.deepEqual(
    problems.map(({ field, message }) => `${field} ${message.split(':')[0]}`),
    [
      'member_id is reserved',
      'Project_ID is reserved',
      'n is a number that would lose precision',
      'id is required',
      'z is not a known field',
    ],
  );
});

test('the remedy of a reserved name mentions other problems only if there are any', async () => {
  const remedyOf = (tool: Checks) =>
    check({ member_id: 'x' }, 20, tool).catch((error: ApiError) => error.details.remedy);
  assert.equal(await remedyOf(anything), reasonRows.reserved_variable.remedy);
  const wrong = { problems: [], more: 0 };
  assert.match(
    `${await remedyOf(checks([{ field: 'a', message: 'is required' }], wrong))}`,
    /the other arguments listed in problems/,
  );
});

test('arguments are an object of at most 256 KiB', async () => {
  for (const input of [null, [], 'x', 5, true]) await refusedArguments(input, anything, 422, 'arguments');
  assert.deepEqual(await checkArguments(undefined, 0, anything), {});
  await checkArguments({}, 262_144, anything);
  await assert.rejects(check({}, 262_145, anything), (error) => expectError(error, 413, 'arguments'));
});

test('every argument that violates the schema is reported, the first one first', async () => {
  const tool = toolWith({
    type: 'object',
    required: ['id', 'city'],
    additionalProperties: false,
    properties: {
      id: { type: 'integer' },
      city: { type: 'string', minLength: 2 },
      lines: { type: 'array', items: { $ref: '#/$defs/line' } },
      size: { anyOf: [{ type: 'integer' }, { enum: ['S', 'M'] }] },
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }] },
    },
    $defs: { line: { type: 'object', required: ['sku'], properties: { count: { minimum: 1 } } } },
  });
  const given = { city: 'x', lines: [{ count: 0 }, { sku: 'a' }, {}], size: 'L', pair: [1, 'x'], color: 'red', by: 1 };
  const problems = await refusedArguments(given, tool, 422, 'id');
  assert.deepEqual(
    new Set(fieldsOf(problems)),
    new Set(['id', 'color', 'by', 'city', 'lines.0.sku', 'lines.0.count', 'lines.2.sku', 'size', 'pair.0', 'pair.1']),
  );
  assert.deepEqual(problems[0], { field: 'id', message: 'is required' });
  const ofSize = problems.filter(({ field }) => field === 'size').map(({ message }) => message);
  assert.deepEqual(ofSize, ['must match one of the allowed forms', 'must be integer', 'must be one of "S", "M"']);
});

test('the branches of a choice are not reported as problems of their own', async () => {
  const branch = (kind: string, ...required: string[]) => ({ properties: { kind: { const: kind } }, required });
  const tool = toolWith({
    type: 'object',
    properties: { a: { oneOf: [branch('x', 'p', 'q', 'r'), branch('y', 's', 't')] }, b: { type: 'string' } },
  });
  const problems = await refusedArguments({ a: { kind: 'z' }, b: 1 }, tool, 422, 'a');
  // The choice and two reasons, from the validator that stops and the one that goes on.
  assert.ok(problems.length <= 6, JSON.stringify(problems));
  assert.ok(fieldsOf(problems).includes('b'));
});

test('an unknown name is reported once, also by unevaluatedProperties and propertyNames', async () => {
  const unevaluated = toolWith({ type: 'object', allOf: [{ properties: { a: {} } }], unevaluatedProperties: false });
  assert.deepEqual(fieldsOf(await refusedArguments({ a: 1, b: 1, c: 1 }, unevaluated, 422, 'b')), ['b', 'c']);
  const named = toolWith({ type: 'object', propertyNames: { pattern: '^[a-z]$' } });
  const problems = await refusedArguments({ a: 1, B: 1, C: 1 }, named, 422, 'B');
  assert.deepEqual(new Set(fieldsOf(problems).filter(Boolean)), new Set(['B', 'C']));
});

test('at most 20 problems and 4 KiB of text are reported, and how many more there are', async () => {
  const tool = toolWith({ type: 'object', additionalProperties: { type: 'string' } });
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`n${i}`, i]));
  const problems = await refusedArguments(many, tool, 422, 'n0');
  assert.equal(problems.length, 21);
  assert.deepEqual(problems.at(-1), { field: '', message: 'and 10 more' });

  const long = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${i}${'n'.repeat(390)}`, i]));
  const bounded = await refusedArguments(long, tool, 422, `0${'n'.repeat(390)}`);
  assert.ok(Buffer.byteLength(bounded.map(({ field, message }) => field + message).join('')) < 4200);
  assert.deepEqual(bounded.at(-1), { field: '', message: `and ${30 - (bounded.length - 1)} more` });
});

test('the first problems are reported if listing all takes too much work, or cannot be prepared', async () => {
  const first = [{ field: 'a', message: 'is required' }];
  const expected = [...first, { field: '', message: 'and perhaps more' }];
  assert.deepEqual(await refusedArguments({}, checks(first, null), 422, 'a'), expected);
  const failing = { ...checks(first), findLister: () => Promise.reject(new Error('too many')) };
  assert.deepEqual(await refusedArguments({}, failing, 422, 'a'), expected);
  const never = { ...checks(first), findLister: () => new Promise<never>(() => {}) };
  assert.deepEqual(await refusedArguments({}, never, 422, 'a'), expected);

  const items = toolWith({ type: 'object', properties: { list: { type: 'array', items: { type: 'string' } } } });
  const [problem, more] = await refusedArguments({ list: Array(60_000).fill(1) }, items, 422, 'list.0');
  assert.deepEqual([problem?.message, more?.message], ['must be string', 'and perhaps more']);
});

test('what is too large to be validated is not listed either', async () => {
  const listed = { ...checks(tooLarge), findLister: () => assert.fail('the lister was asked') };
  assert.deepEqual(await refusedArguments({}, listed, 422, 'arguments'), tooLarge);
});

test('every number that parsing would change is refused with its field, at any depth', async () => {
  const parsed = (text: string) => JSON.parse(text) as unknown;
  await refusedArguments(parsed('{"id":9007199254740993}'), anything, 422, 'id');
  const several = parsed('{"a":{"ids":[1,-12345678901234567890]},"inf":1e400}');
  assert.deepEqual(fieldsOf(await refusedArguments(several, anything, 422, 'a.ids.1')), ['a.ids.1', 'inf']);
  const kept =
    '{"id":9007199254740991,"least":-9007199254740991,"far":1e30,"part":0.1,"text":"9007199254740993","none":null}';
  assert.deepEqual(await checkArguments(parsed(kept), 20, anything), JSON.parse(kept));
});

test('what a request cannot be built with is reported beside the schema, but no field twice', async () => {
  const schema = { type: 'object', required: ['id', 'n'], properties: { n: { type: 'number' } } };
  const tool = {
    ...toolWith(schema),
    findRequestProblems: () => [
      { field: 'id', message: 'must be a string, number or boolean: it is part of the path' },
      { field: 'slug', message: 'must not be . or ..: it is part of the path' },
    ],
  };
  assert.deepEqual(await refusedArguments({ n: 'x', slug: '.' }, tool, 422, 'id'), [
    { field: 'id', message: 'is required' },
    { field: 'n', message: 'must be number' },
    { field: 'slug', message: 'must not be . or ..: it is part of the path' },
  ]);
  assert.deepEqual(await checkArguments({ id: 1, n: 2, slug: '.' }, 20, tool), { id: 1, n: 2, slug: '.' });
});
