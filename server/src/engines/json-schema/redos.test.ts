// Patterns that take a backtracking engine seconds to ages, from the public record of such bugs and the textbook shapes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateCode } from './generate-code.ts';
import { instantiate } from './instantiate.ts';

/** Pattern, what to repeat, what to end with. */
const patterns: [pattern: string, pump: string, end: string][] = [
  ['^(a+)+$', 'a', '!'],
  ['^(a*)*$', 'a', '!'],
  ['^(a|a)*$', 'a', '!'],
  ['^(a|aa)+$', 'a', '!'],
  ['^(a|a?)+$', 'a', '!'],
  ['^(.*a){20}$', 'a', '!'],
  ['^([a-zA-Z]+)*$', 'a', '!'],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a', ''],
  ['(x+x+)+y', 'x', ''],
  ['^(\\w+\\s?)*$', 'a ', '!'],
  ['^(\\d+)*$', '1', 'x'],
  ['^((a+)+b)+$', 'a', 'c'],
  ['^(a+b?)+$', 'a', '!'],
  ['^(?:a?){50}a{50}$', 'a', '!'],
  ['\\s+$', ' ', 'x'],
  ['^\\s+|\\s+$', ' ', 'x'],
  ['\\s*,\\s*', ' ', 'x'],
  ['(.*)(.*)(.*)(.*)=', 'x', ''],
  ['.*.*=.*', 'x', ''],
  ['^.*<.*>.*$', '<', ''],
  ['<!--.*?-->', '<!--', ''],
  ['<([a-z]+)[^>]*>.*</[a-z]+>', '<a', ''],
  ['\\[.*\\]\\(.*\\)', '[', ''],
  ['^([^=]+=[^&]*&?)+$', 'a=', '\n='],
  ['^(([^,]*),)*([^,]*)$', ',', '\n'],
  ['^([0-9a-zA-Z]([-.\\w]*[0-9a-zA-Z])*@([0-9a-zA-Z][-\\w]*[0-9a-zA-Z]\\.)+[a-zA-Z]{2,9})$', 'a', '!'],
  ['^[\\w.+-]+@([\\w-]+\\.)+[\\w-]{2,}$', 'a@a.', '!'],
  ['^(https?://)?([\\da-z.-]+)\\.([a-z.]{2,6})([/\\w .-]*)*/?$', 'a', '!'],
  ['^([/\\w .-]*)*/?$', '/a', '!'],
  ['^(([a-z0-9]+-?)*[a-z0-9]+\\.)+[a-z]{2,}$', 'a-', '!'],
  ['^-?\\d*\\.?\\d*\\.?\\d*$', '1', 'x'],
  ['^(\\+|-)?(\\d+,?)+(\\.\\d+)?$', '1', 'x'],
  ['^#?([a-f0-9]+)*$', 'a', 'g'],
  ['^(?:[^"\\\\]|\\\\.)*"$', '\\a', ''],
  ['"(\\\\.|[^"])*"', '\\"', ''],
  ['/\\*(.|\\s)*?\\*/', '/* ', ''],
  ['^(([01]?\\d{1,2}|2[0-4]\\d)\\.?)+$', '1', 'x'],
  ['^([a-z]+)+@([a-z]+)+\\.com$', 'a', '@'],
  ['^(?:.|[\\n\\r])*x$', 'a', ''],
  ['^(.|\\s)*$', ' ', '\u2028!'],
  ['([a-z]*)*[0-9]', 'a', ''],
  ['(?:\\w+\\.)*\\w+@', 'a.', ''],
  ['^\\$?(\\d{1,3},?(\\d{3},?)*\\d{3}(\\.\\d{0,2})?|\\d{1,3}(\\.\\d{0,2})?)$', '111', 'x'],
  ['^(?:(?:\\d+|[a-z]+)[ -]?)+$', '1a', '!'],
  ['^((?:[^/]*/)*)(.*)\\.html$', '/', ''],
  ['Mozilla/\\d+\\.\\d+ \\(.*;.*;.*\\)', 'Mozilla/5.0 (;', ''],
  ['^data:(.*?)(;.*?)*,(.*)$', ';', '\n'],
  ['(\\d+\\.)+\\d+-(\\w+\\.?)+$', '1.', '-'],
  ['^(?:\\s*[a-z]+\\s*:\\s*[^;]+;?)*$', 'a:b ', ';;'],
  ['^(?:[A-Z][a-z]+ ?)+$', 'Aa', '!'],
  ['(a?b?c?)*d', 'abc', ''],
  ['^(?:aa?)*b', 'a', ''],
];

test(`${patterns.length} patterns known to hang a backtracking engine give an answer`, () => {
  for (const [pattern, pump, end] of patterns) {
    const compiled = generateCode({ pattern });
    assert.ok('code' in compiled, `${pattern}: ${JSON.stringify(compiled)}`);
    const check = instantiate(compiled.code);
    // Nothing is said about which result: some of these match a part. That there is one is the guarantee.
    for (const length of [20, 30_000]) check(pump.repeat(length) + end);
    assert.equal(check(5), null);
  }
});

test('the meter stops a pattern that is slow even in linear time', () => {
  const compiled = generateCode({ pattern: '(a?){400}a{400}$' });
  assert.ok('code' in compiled);
  assert.match(instantiate(compiled.code)('a'.repeat(100_000))?.[0]?.message ?? '', /too large/);
});
