import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalHash, canonicalJson } from './canonical-json.ts';

test('the examples of RFC 8785 have the form that it gives', () => {
  const numbers = JSON.parse(
    '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
  );
  assert.equal(
    canonicalJson(numbers),
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
  const sorted = JSON.parse(
    '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}',
  );
  assert.deepEqual(
    Object.values(
      JSON.parse(
        `[${canonicalJson(sorted)
          .match(/:"[^"]*"/g)
          ?.map((each) => each.slice(1))}]`,
      ),
    ),
    [
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ],
  );
});

test('the order of members changes nothing, and every other difference does', () => {
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, each]) => [name, shuffled(each)]),
    );
  };
  const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)));
  fc.assert(
    fc.property(json, (value) => {
      assert.equal(canonicalHash(shuffled(value)), canonicalHash(value));
      assert.deepEqual(JSON.parse(canonicalJson(value)), value);
    }),
  );
});

const raw = (text: string) => (JSON as typeof JSON & { rawJSON(text: string): object }).rawJSON(text);

test('a number that JavaScript cannot hold has the hash of its digits, and of nothing else', () => {
  const long = '12345678901234567890';
  const different = [raw(long), raw('12345678901234567891'), { rawJSON: long }, long, Number(long), raw('1e400')];
  assert.equal(new Set(different.map((value) => canonicalHash({ value }))).size, different.length);
  assert.equal(canonicalHash(raw(long)), canonicalHash(raw(`${long}.00`)));
  assert.equal(canonicalHash(raw('1e400')), canonicalHash(raw('10.0E399')));
});

test('a number that JavaScript can hold has one form, however it is written', () => {
  for (const [text, value] of [
    ['1.0', 1],
    ['-0', 0],
    ['0.0e5', 0],
    ['1E2', 100],
    ['-0.0010', -0.001],
    ['9007199254740991', 9007199254740991],
    ['100000000000000000000000', 1e23],
  ] as const)
    assert.equal(canonicalJson(raw(text)), canonicalJson(value), text);
  fc.assert(
    fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (value) => {
      assert.equal(canonicalJson(raw(JSON.stringify(value))), canonicalJson(value));
    }),
  );
});

test('a number of a million digits takes no longer to write than to read', () => {
  for (const text of [`1${'0'.repeat(1e6)}1`, `0.${'0'.repeat(1e6)}1`, `1e${'9'.repeat(1e6)}`])
    assert.ok(canonicalJson(raw(text)).length <= text.length + 10);
});
