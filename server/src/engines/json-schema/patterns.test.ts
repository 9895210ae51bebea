import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compilePattern } from './patterns.ts';

const characters = [
  ...Array.from({ length: 0x3100 }, (_, code) => String.fromCodePoint(code)),
  ...['\ufefe', '\ufeff', '\uff00', '\u{1f600}', '\u{10ffff}'],
];

test('a pattern matches the characters that it matches in JavaScript', () => {
  const patterns = [
    ...[
      '^\\s$',
      '^\\S$',
      '^[\\s]$',
      '^[^\\s]$',
      '^[\\S]$',
      '^[^\\S]$',
      '^[a\\s.]$',
      '^[\\S\\s]$',
      '^.$',
      '^[.]$',
      '^\\.$',
    ],
    ...[
      '^\\w$',
      '^\\W$',
      '^\\d$',
      '^\\D$',
      '^[^\\w]$',
      '^\\v$',
      '^\\cA$',
      '^[^]$',
      '^(?:.|a)$',
      '^[^a-z]$',
      '^[\\]\\s]$',
    ],
    ...[
      '^\\p{L}$',
      '^\\P{L}$',
      '^\\p{Lu}$',
      '^[\\p{L}\\s]$',
      '^(?s:.)$',
      '^\\\\s$',
      '^[\\[.]$',
      '^\\u{1f600}$',
      '^(?<s>.)$',
    ],
  ];
  for (const pattern of patterns) {
    const [ours, javaScript] = [compilePattern(pattern), new RegExp(pattern, 'u')];
    const different = characters.filter((character) => ours.test(character) !== javaScript.test(character));
    assert.deepEqual(different, [], pattern);
  }
});

test('the classes of RE2 stay what they are', () => {
  assert.equal(compilePattern('^[[:alpha:]\\s]+$').test('a\u00a0b'), true);
  assert.equal(compilePattern('^\\Q.\\s\\E$').test('.\\s'), true);
  assert.equal(compilePattern('^(?i)A.$').test('ab'), true);
});
