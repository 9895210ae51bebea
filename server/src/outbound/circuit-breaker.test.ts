import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CircuitBreaker } from './circuit-breaker.ts';

function openedAt(now: number): CircuitBreaker {
  const breaker = new CircuitBreaker();
  for (let failure = 0; failure < 5; failure += 1) {
    assert.equal(breaker.admits(now), true);
    breaker.failedToConnect(now);
  }
  return breaker;
}

test('the fifth failed connect in a row opens the circuit', () => {
  const breaker = openedAt(0);
  assert.equal(breaker.admits(0), false);
  assert.equal(breaker.admits(4_999), false);
  assert.equal(breaker.isOpen(4_999), true);
});

test('one connection in between resets the count', () => {
  const breaker = new CircuitBreaker();
  for (let failure = 0; failure < 50; failure += 1) {
    breaker.failedToConnect(0);
    if (failure % 4 === 3) breaker.connected();
  }
  assert.equal(breaker.admits(0), true);
});

test('after the pause one probe goes, and the others wait for its outcome', () => {
  const breaker = openedAt(0);
  assert.deepEqual([breaker.admits(5_000), breaker.admits(5_000), breaker.admits(60_000)], [true, false, false]);
  breaker.connected();
  assert.deepEqual([breaker.admits(5_000), breaker.admits(5_000)], [true, true]);
});

test('the pause doubles with each failed probe up to a minute, and is short again after a success', () => {
  const breaker = openedAt(0);
  let now = 0;
  for (const pause of [5_000, 10_000, 20_000, 40_000, 60_000, 60_000]) {
    assert.equal(breaker.admits(now + pause - 1), false);
    now += pause;
    assert.equal(breaker.admits(now), true);
    breaker.failedToConnect(now);
  }
  assert.equal(breaker.admits(now + 60_000), true);
  breaker.connected();
  for (let failure = 0; failure < 5; failure += 1) breaker.failedToConnect(now);
  assert.equal(breaker.admits(now + 5_000), true);
});

test('calls that were under way when it opened do not lengthen the pause', () => {
  const breaker = openedAt(0);
  for (let late = 0; late < 20; late += 1) breaker.failedToConnect(3_000);
  assert.equal(breaker.admits(5_000), true);
});

test('a probe that ended without an outcome lets the next one probe', () => {
  const breaker = openedAt(0);
  assert.equal(breaker.admits(5_000), true);
  breaker.probeInconclusive();
  assert.equal(breaker.admits(5_000), true);
});
