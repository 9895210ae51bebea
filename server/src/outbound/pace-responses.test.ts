import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliverPaced } from './pace-responses.ts';

test('at most one large response is delivered per event loop iteration, small ones at once', async () => {
  const delivered: string[] = [];
  for (const name of ['first', 'second', 'third']) deliverPaced(1 << 20, () => delivered.push(name));
  deliverPaced(1_000, () => delivered.push('small'));
  assert.deepEqual(delivered, ['small']);
  for (const name of ['first', 'second', 'third']) {
    await new Promise(setImmediate);
    assert.equal(delivered.at(-1), name);
  }
});
