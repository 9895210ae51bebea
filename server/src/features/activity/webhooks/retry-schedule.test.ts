import assert from 'node:assert/strict';
import { test } from 'node:test';
import { delays_ms, nextAttemptAt } from './retry-schedule.ts';

const HOUR_MS = 3_600_000;
const failed = (step: number, retry_after?: string) => ({ step, at: 1_000_000, retry_after });

test('there are ten attempts: immediately, after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h', () => {
  const even = () => 0.5;
  const waits = Array.from({ length: 9 }, (_, i) => (nextAttemptAt(failed(i + 1), even) ?? 0) - 1_000_000);
  assert.deepEqual(waits, [5000, 300_000, 1_800_000, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS)]);
  assert.equal(nextAttemptAt(failed(10)), null);
});

test('every delay is withJitter by 20 % to either side', () => {
  delays_ms.forEach((delay, i) => {
    assert.equal(
      nextAttemptAt(failed(i + 1), () => 0),
      1_000_000 + Math.round(delay * 0.8),
    );
    assert.equal(
      nextAttemptAt(failed(i + 1), () => 1),
      1_000_000 + Math.round(delay * 1.2),
    );
  });
});

test('a receiver may ask for more time, as seconds or as a date, up to a day, and never for less', () => {
  const delay = (retry_after: string) => (nextAttemptAt(failed(1, retry_after), () => 0.5) ?? 0) - 1_000_000;
  assert.equal(delay('120'), 120_000);
  assert.equal(delay(new Date(1_000_000 + 120_000).toUTCString()), 120_000);
  assert.equal(delay('999999'), 24 * HOUR_MS);
  for (const less of ['1', '0', '-5', 'soon', '', '1e9', new Date(0).toUTCString()]) assert.equal(delay(less), 5000);
});
