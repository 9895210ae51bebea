import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startResponseTimer } from './watch.ts';

const blockEventLoop = (ms: number) => {
  for (const until = performance.now() + ms; performance.now() < until; );
};

test('a blocked process reads the socket before it reports a timeout', async () => {
  let hasTimedOut = false;
  const timer = startResponseTimer(1_000, () => {
    hasTimedOut = true;
  });
  blockEventLoop(1_500);
  // Timers run, then sockets are read, then this: a response would have been read by now.
  await new Promise((done) => setImmediate(() => setImmediate(done)));
  assert.equal(hasTimedOut, false);
  timer.cancel();
});

test('no response within the whole time is reported', async () => {
  await new Promise<void>((done) => startResponseTimer(20, done));
});
