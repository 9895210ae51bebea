import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isJsonText } from './is-json-text.ts';

function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const agrees = (text: string) => assert.equal(isJsonText(text, 100), isParsed(text), JSON.stringify(text));

test('every JSON text is one', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom('', ' ', '\t', '\n\r '), (value, space) => {
      agrees(`${space}${JSON.stringify(value, null, space)}${space}`);
    }),
  );
});

test('a text is JSON exactly where JSON.parse takes it', () => {
  const parts = [
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    '\\u',
    ':',
    ',',
    '1',
    '0',
    '-',
    '.',
    'e',
    '+',
    'a',
    'true',
    'null',
    ' ',
  ];
  const pieces = fc.array(fc.constantFrom(...parts, '"a":', '"b"', '{}', '[]', '\u2028', '\v', '\f', '\ufeff', '\0'), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(pieces, (list) => agrees(list.join(''))),
    { numRuns: 20_000 },
  );
});

test('a damaged JSON text is JSON exactly where JSON.parse takes it', () => {
  const damage = fc.constantFrom('', ',', '"', '}', ']', '\\', '\n', '0', 'x', ' ', '\ud800');
  fc.assert(
    fc.property(fc.json({ maxDepth: 3 }), fc.nat(), damage, (text, place, piece) => {
      const at = place % text.length;
      agrees(text.slice(0, at) + piece + text.slice(at));
      agrees(text.slice(0, at) + piece + text.slice(at + 1));
    }),
    { numRuns: 2_000 },
  );
});

test('numbers, words and escapes that JSON does not have are not JSON', () => {
  for (const text of [
    ...['-0', '0e0', '1E+9', '-1.5e-7', '1e999', '00', '01', '-', '+1', '.5', '1.', '1e', '1e+', '0x1', 'NaN', '1 2'],
    ...['tru', 'truex', 'True', 'nul', '"\\u12g4"', '"\\u123"', '"\\U1234"', '"\\x"', '"\t"', '"\\ud800"', '"\u007f"'],
    ...['', ' ', '{"a":1,}', '[1,]', '{,}', '{"a"}', '{a:1}', '{"a":1 "b":2}', '[1}', '{"a":1]', '[]]', '{}{}', '[,]'],
  ])
    agrees(text);
});

test('a long string is JSON exactly where JSON.parse takes it', () => {
  for (const character of ['"', '\\', '\\n', '\n', '\0', '\u001f', ' ', '[', '\u007f', '\uffff', '\ud800', 'é'])
    for (const length of [62, 63, 64, 65, 1_000]) agrees(`"${'x'.repeat(length)}${character}${'x'.repeat(100)}"`);
});

test('a text that is nested deeper than allowed is refused, however deep it is', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  assert.ok(isJsonText(nested(100), 100));
  for (const text of [nested(101), nested(500_000), '{"a":'.repeat(500_000), '['.repeat(1_000_000)])
    assert.ok(!isJsonText(text, 100));
});
