import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSyncSlots } from './sync-slots.ts';

const slots = createSyncSlots();

let last = 0;

/** Keys of this test only. */
function newKey() {
  last += 1;
  return `key ${last}`;
}

/** Starts a sync that ends when it is told to. */
function start(fairness_key: string, server_id: string) {
  const held = Promise.withResolvers<void>();
  const state = { is_running: false, end: held.resolve, done: Promise.resolve() };
  state.done = slots.run({ fairness_key, server_id }, () => {
    state.is_running = true;
    return held.promise;
  });
  return state;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a server is synced once at a time, and the second sync follows the first', async () => {
  const key = newKey();
  const [one, again] = [start(key, 'a'), start(key, 'a')];
  const other = start(key, 'b');
  assert.deepEqual([one.is_running, again.is_running, other.is_running], [true, false, true]);
  other.end();
  await other.done;
  await settled();
  assert.equal(again.is_running, false);
  one.end();
  await one.done;
  await settled();
  assert.equal(again.is_running, true);
  again.end();
  await again.done;
});

test('two servers of an organization are synced at a time, and other organizations do not wait for them', async () => {
  const [key, other] = [newKey(), newKey()];
  const syncs = ['a', 'b', 'c'].map((id) => start(key, id));
  const ofOther = start(other, 'd');
  assert.deepEqual(
    syncs.map(({ is_running }) => is_running),
    [true, true, false],
  );
  assert.equal(ofOther.is_running, true);
  syncs[1]?.end();
  await syncs[1]?.done;
  await settled();
  assert.equal(syncs[2]?.is_running, true);
  for (const each of [...syncs, ofOther]) {
    each.end();
    await each.done;
  }
});

test('one that fails makes room like any other, and no more than 20 of an organization wait', async () => {
  const key = newKey();
  const failing = slots.run({ fairness_key: key, server_id: 'a' }, () => Promise.reject(new Error('failed')));
  await assert.rejects(failing, /failed/);
  const held = ['a', 'b'].map((id) => start(key, id));
  const waiting = Array.from({ length: 20 }, (_, index) => start(key, `w${index}`));
  await assert.rejects(start(key, 'one more').done, { code: 'SERVICE_UNAVAILABLE' });
  for (const each of [...held, ...waiting]) each.end();
  await Promise.all([...held, ...waiting].map(({ done }) => done));
});
