import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createClock } from './clock.ts';

const NOON = Date.UTC(2026, 0, 1, 12);
const HOUR_MS = 3_600_000;

/** The time of the monotonic clock. */
let elapsed: number;
let clock: ReturnType<typeof createClock>;

beforeEach(() => {
  elapsed = 5_000;
  clock = createClock(() => elapsed);
  clock.sync(NOON, elapsed, elapsed);
});

test('between two readings the time advances with the monotonic clock', () => {
  assert.equal(clock.now(), NOON);
  elapsed += 1_234.5;
  assert.equal(clock.now(), NOON + 1_234);
});

test("a jump of the machine's wall clock has no effect", (t) => {
  t.mock.method(Date, 'now', () => NOON + 2 * HOUR_MS);
  elapsed += 100;
  assert.equal(clock.now(), NOON + 100);
});

test('time that the monotonic clock did not count, as in a suspended machine, is added by the next reading', () => {
  elapsed += 300;
  clock.sync(NOON + HOUR_MS, elapsed, elapsed);
  assert.equal(clock.now(), NOON + HOUR_MS);
});

test('when the clock of the database is set back, the time does not go back: it runs slower until both are equal', () => {
  let before = clock.now();
  for (let passed = 0; passed < 60_000; passed += 300) {
    clock.sync(NOON - 10_000 + passed, elapsed, elapsed);
    for (let i = 0; i < 3; i += 1) {
      assert.ok(clock.now() >= before, 'never goes back');
      before = clock.now();
      elapsed += 100;
    }
    assert.ok(before >= NOON - 10_000 + passed, 'never behind the database');
  }
  assert.ok(clock.now() - (NOON + 50_000) <= 1, 'both are equal');
});

test('a slow reading corrects only a time outside its uncertainty', () => {
  elapsed += 1_000;
  clock.sync(NOON + 100, elapsed - 1_000, elapsed);
  assert.equal(clock.now(), NOON + 1_000);
  clock.sync(NOON + 5_000, elapsed - 1_000, elapsed);
  assert.equal(clock.now(), NOON + 5_000);
});
