import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEstimates } from './estimates.ts';

const NOW = 1_790_000_000_000;

test('while an answer is late, requests pass up to the limit, counted from the last answer', () => {
  const estimates = createEstimates();
  estimates.learn('prj_a', { used: 7, resets_at: NOW + 60_000 });
  const decisions = Array.from({ length: 4 }, () => estimates.take('prj_a', 10, NOW));
  assert.deepEqual(
    decisions.map((decision) => [decision?.allowed, decision?.remaining]),
    [
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
    ],
  );
  assert.equal(decisions[3]?.reset_ms, 60_000);
});

test('a new answer replaces what was estimated', () => {
  const estimates = createEstimates();
  estimates.learn('prj_a', { used: 9, resets_at: NOW + 60_000 });
  estimates.take('prj_a', 10, NOW);
  estimates.learn('prj_a', { used: 5, resets_at: NOW + 60_000 });
  assert.equal(estimates.take('prj_a', 10, NOW)?.remaining, 4);
});

test('nothing is estimated for an unknown group, or after the oldest request has expired', () => {
  const estimates = createEstimates();
  assert.equal(estimates.take('prj_a', 10, NOW), null);
  estimates.learn('prj_a', { used: 10, resets_at: NOW });
  assert.equal(estimates.take('prj_a', 10, NOW), null);
});
