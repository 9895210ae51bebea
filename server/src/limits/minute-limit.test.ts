import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMinuteLimit } from './minute-limit.ts';

const MINUTE = 60_000;

test('a key is allowed as often as the limit says in each minute, and keys do not affect each other', () => {
  const limit = createMinuteLimit(2);
  const tries = (key: string, now: number) => [1, 2, 3].map(() => limit.allows(key, now));
  assert.deepEqual(tries('a', 0), [true, true, false]);
  assert.deepEqual(tries('b', MINUTE - 1), [true, true, false]);
  assert.deepEqual(tries('a', MINUTE), [true, true, false]);
});

test('the number of keys of a minute is bounded', () => {
  const limit = createMinuteLimit(1);
  const allowed = Array.from({ length: 30_000 }, (_, i) => limit.allows(String(i), 0));
  assert.equal(allowed.filter(Boolean).length, 20_000);
  assert.ok(limit.allows('another', MINUTE));
});
