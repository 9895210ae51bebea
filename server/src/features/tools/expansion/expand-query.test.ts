import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { expandQuery } from './expand-query.ts';

const room = 65_536;

type Problems = { field: string; message: string }[];

function expanded(given: Record<string, unknown>, max_length = room): string {
  const problems: Problems = [];
  const query = expandQuery(given, max_length, problems);
  assert.deepEqual(problems, []);
  return query;
}

function refused(given: Record<string, unknown>, max_length: number, fields: string[]): void {
  const problems: Problems = [];
  expandQuery(given, max_length, problems);
  assert.deepEqual(
    problems.map(({ field }) => field),
    fields,
  );
}

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
    expanded(given),
    'q=a%20b%26c&n=1.5&yes=true&tags=x&tags=2&tags=%7B%22a%22%3A1%7D&filter=%7B%22a%22%3A%5B1%5D%7D&k%5B%5D=%2B',
  );
  assert.equal(expanded({}), '');
  refused({ a: '\ud800' }, room, ['a']);
});

test('for any arguments the query decodes to the same values, and a URL parser does not change it', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' })), (given) => {
      const query = expanded(given);
      const url = new URL(`https://api.example.com/?${query}`);
      assert.equal(url.href, `https://api.example.com/?${query}`);
      assert.deepEqual([...url.searchParams], Object.entries(given));
    }),
  );
});

test('a query stops growing at its limit, and the refusal has the argument that exceeded it', () => {
  assert.equal(expanded({ a: ['x', 'y'], b: 'z' }, 'a=x&a=y&b=z'.length), 'a=x&a=y&b=z');
  refused({ a: ['x', 'y'], b: 'z' }, 'a=x&a=y&b=z'.length - 1, ['b']);
  refused({ a: '€'.repeat(4) }, 37, ['a']);
  // 60,000 items under a long name would be 15 MB; a value of 250,000 characters is not encoded to find out.
  refused({ ok: 1, ['n'.repeat(256)]: Array(60_000).fill('') }, room, ['n'.repeat(256)]);
  refused({ a: '€'.repeat(250_000) }, room, ['a']);
});

test('a name of more than 256 characters is refused in a query, and the refusal has only its first 256', () => {
  refused({ ['n'.repeat(130_000)]: Array(60_000).fill(0) }, room, ['n'.repeat(256)]);
});

test('every argument that cannot be part of a query is reported', () => {
  refused({ a: '\ud800', b: 1, 'c\ud800': 1, d: ['x', '\ud800', '\ud800'] }, room, ['a', 'c\ufffd', 'd']);
});
