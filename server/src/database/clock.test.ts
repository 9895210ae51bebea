import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createClock } from './clock.ts';

const NOON = Date.UTC(2026, 0, 1, 12);
const HOUR_MS = 3_600_000;

/** The monotonic clock, in the test's hands. */
let elapsed: number;
let clock: ReturnType<typeof createClock>;

beforeEach(() => {
  elapsed = 5_000;
  clock = createClock(() => elapsed);
  clock.sync(NOON, elapsed, elapsed);
});

test('between two readings the time is carried on by the monotonic clock', () => {
  assert.equal(clock.now(), NOON);
  elapsed += 1_234.5;
  assert.equal(clock.now(), NOON + 1_234);
});

test("the machine's wall clock may jump as it likes", (t) => {
  t.mock.method(Date, 'now', () => NOON + 2 * HOUR_MS);
  elapsed += 100;
  assert.equal(clock.now(), NOON + 100);
});

test('time that the monotonic clock did not count, as in a suspended machine, is made up for by the next reading', () => {
  elapsed += 300;
  clock.sync(NOON + HOUR_MS, elapsed, elapsed);
  assert.equal(clock.now(), NOON + HOUR_MS);
});

test('a database whose clock is set back does not turn the time back: it runs slower until the two meet', () => {
  let before = clock.now();
  for (let passed = 0; passed < 60_000; passed += 300) {
    clock.sync(NOON - 10_000 + passed, elapsed, elapsed);
    for (let i = 0; i < 3; i += 1) {
      assert.ok(clock.now() >= before, 'never back');
      before = clock.now();
      elapsed += 100;
    }
    assert.ok(before >= NOON - 10_000 + passed, 'never behind the database');
  }
  assert.ok(clock.now() - (NOON + 50_000) <= 1, 'they have met');
});

test('a slow reading changes nothing that it does not contradict', () => {
  elapsed += 1_000;
  clock.sync(NOON + 100, elapsed - 1_000, elapsed);
  assert.equal(clock.now(), NOON + 1_000);
  clock.sync(NOON + 5_000, elapsed - 1_000, elapsed);
  assert.equal(clock.now(), NOON + 5_000);
});
