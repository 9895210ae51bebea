import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../errors.ts';
import { checkArguments, queryOf } from './arguments.ts';

const room = 65_536;

const anything = () => null;

function refused(act: () => unknown, status: number, field: string): void {
  assert.throws(act, (error) => {
    assert.ok(error instanceof ApiError, String(error));
    assert.deepEqual([error.status, error.details.field], [status, field]);
    return true;
  });
}

test('an argument with a reserved name is refused in any letter case, before the schema is validated', () => {
  const never = () => assert.fail('the schema was asked');
  for (const name of ['member_id', 'project_id', 'integration_id', 'Member_Id', 'PROJECT_ID'])
    refused(() => checkArguments({ a: 1, [name]: 'x' }, 20, never), 400, name);
  assert.deepEqual(checkArguments({ order: { member_id: 1 } }, 20, anything), { order: { member_id: 1 } });
});

test('arguments are an object of at most 256 KiB', () => {
  for (const input of [null, [], 'x', 5, true]) refused(() => checkArguments(input, 5, anything), 422, 'arguments');
  assert.deepEqual(checkArguments(undefined, 0, anything), {});
  checkArguments({}, 262_144, anything);
  refused(() => checkArguments({}, 262_145, anything), 413, 'arguments');
});

test('arguments that violate the schema are refused with the field of the first problem', () => {
  const problems = [{ field: 'lines.0.sku', message: 'is required' }];
  refused(() => checkArguments({ lines: [{}] }, 20, () => problems), 422, 'lines.0.sku');
  refused(() => checkArguments({}, 2, () => [{ field: '', message: 'is too large' }]), 422, 'arguments');
});

test('a number that parsing would change is refused with its field, at any depth', () => {
  const check = (text: string) => checkArguments(JSON.parse(text), text.length, () => null);
  refused(() => check('{"id":9007199254740993}'), 422, 'id');
  refused(() => check('{"a":{"ids":[1,-12345678901234567890]}}'), 422, 'a.ids.1');
  refused(() => check('{"inf":1e400}'), 422, 'inf');
  const kept =
    '{"id":9007199254740991,"least":-9007199254740991,"far":1e30,"part":0.1,"text":"9007199254740993","none":null}';
  assert.deepEqual(check(kept), JSON.parse(kept));
});

test('a query has text for scalars, a name for each item of a list, JSON for objects, and no nulls', () => {
  const given = {
    q: 'a b&c',
    n: 1.5,
    yes: true,
    no: null,
    tags: ['x', 2, null, { a: 1 }],
    none: [],
    filter: { a: [1] },
    'k[]': '+',
  };
  assert.equal(
    queryOf(given, room),
    'q=a%20b%26c&n=1.5&yes=true&tags=x&tags=2&tags=%7B%22a%22%3A1%7D&filter=%7B%22a%22%3A%5B1%5D%7D&k%5B%5D=%2B',
  );
  assert.equal(queryOf({}, room), '');
  refused(() => queryOf({ a: '\ud800' }, room), 422, 'a');
});

test('for any arguments the query decodes to the same values, and a URL parser does not change it', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' })), (given) => {
      const query = queryOf(given, room);
      const url = new URL(`https://api.example.com/?${query}`);
      assert.equal(url.href, `https://api.example.com/?${query}`);
      assert.deepEqual([...url.searchParams], Object.entries(given));
    }),
  );
});

test('a query stops growing at its limit, and the refusal has the argument that exceeded it', () => {
  assert.equal(queryOf({ a: ['x', 'y'], b: 'z' }, 'a=x&a=y&b=z'.length), 'a=x&a=y&b=z');
  refused(() => queryOf({ a: ['x', 'y'], b: 'z' }, 'a=x&a=y&b=z'.length - 1), 422, 'b');
  refused(() => queryOf({ a: '€'.repeat(4) }, 37), 422, 'a');
  // 60,000 items under a long name would be 15 MB; a value of 250,000 characters is not encoded to find out.
  refused(() => queryOf({ ok: 1, ['n'.repeat(256)]: Array(60_000).fill('') }, room), 422, 'n'.repeat(256));
  refused(() => queryOf({ a: '€'.repeat(250_000) }, room), 422, 'a');
});

test('a name of more than 256 characters is refused in a query, and the refusal has only its first 256', () => {
  refused(() => queryOf({ ['n'.repeat(130_000)]: Array(60_000).fill(0) }, room), 422, 'n'.repeat(256));
});
