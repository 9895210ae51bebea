import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whenSilent } from './watch.ts';

const holdUp = (ms: number) => {
  for (const until = performance.now() + ms; performance.now() < until; );
};

test('a process that was held up does not take the silence for its own: what lies in the socket is read first', async () => {
  let acted = false;
  const silence = whenSilent(1_000, () => {
    acted = true;
  });
  holdUp(1_500);
  // Timers run, then sockets are read, then this: an answer would have been read by now.
  await new Promise((done) => setImmediate(() => setImmediate(done)));
  assert.equal(acted, false);
  silence.cancel();
});

test('a silence of its whole length is acted upon', async () => {
  await new Promise<void>((done) => whenSilent(20, done));
});
