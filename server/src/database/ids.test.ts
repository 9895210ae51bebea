import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from './ids.ts';

test('an id is its prefix and 22 base62 characters, and never comes twice', () => {
  const made = Array.from({ length: 100_000 }, () => newId('prj'));
  for (const id of made) assert.match(id, /^prj_[0-9A-Za-z]{22}$/);
  assert.equal(new Set(made).size, made.length);
});

test('every character is equally likely at every place', () => {
  const counts = new Map<string, number>();
  for (let i = 0; i < 20_000; i += 1)
    for (const character of newId('key').slice(4)) counts.set(character, (counts.get(character) ?? 0) + 1);
  assert.equal(counts.size, 62);
  const expected = (20_000 * 22) / 62;
  // 62 counts around 7,097 with a deviation of 84: seven of them are never met by chance.
  for (const count of counts.values()) assert.ok(Math.abs(count - expected) < 7 * Math.sqrt(expected));
});

test('no letters are given out twice: an id tells nothing of the next one', () => {
  const text = Array.from({ length: 5_000 }, () => newId('key').slice(4)).join('');
  const halves = new Set<string>();
  for (let i = 0; i + 11 <= text.length; i += 1) halves.add(text.slice(i, i + 11));
  assert.equal(halves.size, text.length - 10);
});
