import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HOUR_MS } from './limits.ts';
import { createSlidingLog, type SlidingLog } from './sliding-log.ts';

const START = 1_790_000_000_000;
const SECOND_MS = 1000;

/** One log for each group, without a store. */
function createLimits() {
  const logs = new Map<string, SlidingLog>();
  return {
    take(id: string, limit: number, now: number) {
      const log = logs.get(id) ?? createSlidingLog([]);
      logs.set(id, log);
      return log.take(limit, now);
    },
  };
}

/** Generated from gaps, many of them 0 or small, so that both bursts and quiet hours occur. */
const arrivals = fc
  .array(fc.oneof(fc.constant(0), fc.nat({ max: 50 }), fc.nat({ max: 400_000 }), fc.nat({ max: 2 * HOUR_MS })), {
    minLength: 1,
    maxLength: 120,
  })
  .map((gaps) => gaps.map((gap, i) => gaps.slice(0, i).reduce((sum, each) => sum + each, START) + gap));

/** Returns the times of the requests that passed. */
function send(limit: number, times: number[]): number[] {
  const limits = createLimits();
  return times.filter((now) => limits.take('prj_a', limit, now).allowed);
}

function mostInAnyHour(times: number[]): number {
  return Math.max(0, ...times.map((start) => times.filter((at) => at >= start && at < start + HOUR_MS).length));
}

test('in no 60 minutes more requests pass than the limit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), arrivals, (limit, times) => {
      assert.ok(mostInAnyHour(send(limit, times)) <= limit);
    }),
  );
});

test('a request that would not exceed the limit is never refused', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), arrivals, (limit, times) => {
      const limits = createLimits();
      const passed: number[] = [];
      for (const now of times) {
        const inLastHour = passed.filter((at) => at > now - HOUR_MS).length;
        assert.equal(limits.take('prj_a', limit, now).allowed, inLastHour < limit);
        if (inLastHour < limit) passed.push(now);
      }
    }),
  );
});

test('reset_ms of a refusal is exact: then a request passes, one millisecond earlier it does not', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), arrivals, (limit, times) => {
      const limits = createLimits();
      for (const now of times) {
        const decision = limits.take('prj_a', limit, now);
        if (decision.allowed) continue;
        assert.ok(decision.reset_ms > 0 && decision.reset_ms <= HOUR_MS);
        assert.equal(limits.take('prj_a', limit, now + decision.reset_ms - 1).allowed, false);
        assert.equal(limits.take('prj_a', limit, now + decision.reset_ms).allowed, true);
        return;
      }
    }),
  );
});

test('remaining counts down to 0 and grows again as requests expire', () => {
  const limits = createLimits();
  const left = [0, 1, 2].map((i) => limits.take('prj_a', 3, START + i * SECOND_MS).remaining);
  assert.deepEqual(left, [2, 1, 0]);
  assert.equal(limits.take('prj_a', 3, START + 3 * SECOND_MS).remaining, 0);
  assert.equal(limits.take('prj_a', 3, START + HOUR_MS + SECOND_MS).remaining, 1);
});

test('a refused request is not counted, so a client that retries is not locked out', () => {
  const limits = createLimits();
  limits.take('prj_a', 1, START);
  for (let i = 1; i <= 100; i += 1) assert.equal(limits.take('prj_a', 1, START + i).allowed, false);
  assert.equal(limits.take('prj_a', 1, START + HOUR_MS).allowed, true);
});

test('projects do not share a count', () => {
  const limits = createLimits();
  assert.equal(limits.take('prj_a', 1, START).allowed, true);
  assert.equal(limits.take('prj_b', 1, START).allowed, true);
  assert.equal(limits.take('prj_a', 1, START).allowed, false);
});

for (const [before, after] of [
  [5, 3],
  [3, 5],
  [5000, 3],
  [3, 5000],
  [4000, 5000],
] as const) {
  test(`a limit that changes from ${before} to ${after} within the hour does not restart the hour`, () => {
    const limits = createLimits();
    for (let i = 0; i < 3; i += 1) limits.take('prj_a', before, START + i);
    const decision = limits.take('prj_a', after, START + 10);
    assert.equal(decision.allowed, after > 3);
    assert.equal(decision.remaining, Math.max(0, after - 4));
  });
}

test('after the limit is lowered, reset_ms covers every request above it', () => {
  const limits = createLimits();
  for (let i = 0; i < 5; i += 1) limits.take('prj_a', 5, START + i * SECOND_MS);
  const { allowed, reset_ms } = limits.take('prj_a', 2, START + 4 * SECOND_MS);
  assert.equal(allowed, false);
  // Four of five must expire; the fourth came 3 seconds after the first, 1 second ago.
  assert.equal(reset_ms, HOUR_MS - SECOND_MS);
});

test('a clock that is set back does not raise the limit', () => {
  const limits = createLimits();
  for (let i = 0; i < 3; i += 1) limits.take('prj_a', 3, START + i);
  assert.equal(limits.take('prj_a', 3, START - 2 * HOUR_MS).allowed, false);
  assert.equal(limits.take('prj_a', 3, START + HOUR_MS).allowed, true);
});

test('a large limit is never exceeded in 60 minutes, and reset_ms is exact', () => {
  const limit = 1500;
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 1_500 }), { minLength: 17, maxLength: 17 }), (gaps) => {
      const limits = createLimits();
      const passed: number[] = [];
      let refusals = 0;
      let now = START;
      for (let i = 0; i < 3000; i += 1) {
        now += gaps[i % gaps.length] as number;
        const { allowed, reset_ms } = limits.take('prj_a', limit, now);
        if (allowed) {
          passed.push(now);
          continue;
        }
        refusals += 1;
        assert.ok(reset_ms > 0 && reset_ms <= HOUR_MS);
        assert.equal(limits.take('prj_a', limit, now + reset_ms - 1).allowed, false);
        now += reset_ms;
        assert.equal(limits.take('prj_a', limit, now).allowed, true);
        passed.push(now);
      }
      assert.ok(refusals > 0);
      // Passed requests are in order: the one `limit` places further on is at least an hour later.
      for (let i = limit; i < passed.length; i += 1) {
        assert.ok((passed[i] as number) - (passed[i - limit] as number) >= HOUR_MS);
      }
    }),
    { numRuns: 30 },
  );
});

test('a burst of a whole large limit passes, and expires an hour after its last request', () => {
  const limits = createLimits();
  for (let i = 0; i < 100_000; i += 1) assert.equal(limits.take('prj_a', 100_000, START + i / 10_000).allowed, true);
  const { allowed, reset_ms } = limits.take('prj_a', 100_000, START + 20);
  assert.equal(allowed, false);
  assert.ok(reset_ms <= HOUR_MS);
  assert.equal(limits.take('prj_a', 100_000, START + 20 + reset_ms).remaining, 99_999);
});

test('a log that continues from stored counts never exceeds the limit in any hour', () => {
  const restart = (limit: number, times: number[], at: number) => {
    const before = createSlidingLog([]);
    const passed = times.slice(0, at).filter((now) => before.take(limit, now).allowed);
    const after = createSlidingLog(before.takeUnsaved());
    return [...passed, ...times.slice(at).filter((now) => after.take(limit, now).allowed)];
  };
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), arrivals, fc.nat({ max: 120 }), (limit, times, at) => {
      assert.ok(mostInAnyHour(restart(limit, times, at)) <= limit);
    }),
  );
});

test('the stored count of a second is the total of that second, however often it is saved', () => {
  const log = createSlidingLog([]);
  const second = START / SECOND_MS;
  log.take(10, START);
  log.take(10, START + 400);
  assert.deepEqual(log.takeUnsaved(), [{ second, count: 2 }]);
  assert.deepEqual(log.takeUnsaved(), []);
  log.take(10, START + 900);
  log.take(10, START + 1000);
  assert.deepEqual(log.takeUnsaved(), [
    { second, count: 3 },
    { second: second + 1, count: 1 },
  ]);
});
