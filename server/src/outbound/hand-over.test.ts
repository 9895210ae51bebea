import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handOver } from './hand-over.ts';

test('large answers are given one in a turn of the event loop, small ones at once', async () => {
  const given: string[] = [];
  for (const name of ['first', 'second', 'third']) handOver(1 << 20, () => given.push(name));
  handOver(1_000, () => given.push('small'));
  assert.deepEqual(given, ['small']);
  for (const name of ['first', 'second', 'third']) {
    await new Promise(setImmediate);
    assert.equal(given.at(-1), name);
  }
});
