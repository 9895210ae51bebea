import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomBase62 } from './base62.ts';

test('random characters use the whole alphabet evenly', () => {
  const counts = new Map<string, number>();
  for (const character of randomBase62(62_000)) counts.set(character, (counts.get(character) ?? 0) + 1);
  assert.equal(counts.size, 62);
  // 1,000 expected of each; a bias of "% 62" would give some characters 20 % more. Eight standard deviations never happen.
  for (const count of counts.values()) assert.ok(Math.abs(count - 1_000) < 8 * Math.sqrt(1_000));
});

test('no text repeats another one, however many are made', () => {
  const texts = Array.from({ length: 20_000 }, () => randomBase62(22));
  assert.equal(new Set(texts).size, texts.length);
});
