import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeNames } from './free-names.ts';

test('ten thousand that want one name cost two looks each, and each gets another', () => {
  const taken = new Set<string>();
  let looks = 0;
  const freeName = freeNames((name) => {
    looks += 1;
    return taken.has(name);
  }, 64);
  for (let i = 0; i < 10_000; i += 1) taken.add(freeName('s'));
  assert.equal(taken.size, 10_000);
  assert.ok(looks <= 20_000, `${looks} names were looked at`);
});

test('a number is passed over where somebody has it, and never makes a name too long', () => {
  const taken = new Set(['a', 'a_2', 'x'.repeat(8)]);
  const freeName = freeNames((name) => taken.has(name), 8);
  assert.equal(freeName('a'), 'a_3');
  assert.equal(freeName('xxxxxxxx'), 'xxxxxx_2');
  assert.equal(freeName('b'), 'b');
});
