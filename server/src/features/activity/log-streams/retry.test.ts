import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextAttemptAt } from './retry.ts';

const began = 1_000_000;

test('an attempt follows the one before after at most 60 seconds, however long it took and whatever the receiver asks', () => {
  for (let failures = 1; failures < 2_000; failures += 1)
    for (const took of [0, 100, 15_000, 30_000])
      for (const retry_after of [undefined, '0', '5', '3600', 'soon'])
        assert.ok(nextAttemptAt({ failures, began, ended: began + took, retry_after }) - began < 60_000);
});

test('the pause doubles from one second, and is not shorter than the receiver asks', () => {
  const pause = (failures: number, retry_after?: string) =>
    nextAttemptAt({ failures, began, ended: began, retry_after }) - began;
  assert.deepEqual(
    [1, 2, 3, 4].map((failures) => pause(failures)),
    [1_000, 2_000, 4_000, 8_000],
  );
  assert.equal(pause(1, '20'), 20_000);
});
