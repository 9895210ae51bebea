import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../errors/errors.ts';
import { createFairSlots, waitAtMost } from './fair-slots.ts';

const limits = {
  slots: 1,
  max_waiting_of_key: 5,
  max_waiting: 20,
  startWait: waitAtMost(60_000),
  retry_after_seconds: 2,
};
const isRefused = (error: unknown) => error instanceof ApiError && error.status === 503;

/** Takes the only slot until `release` is called, and records the order of what runs afterwards. */
function holdSlot(slots: ReturnType<typeof createFairSlots>) {
  let release = () => {};
  const held = slots.run('holder', () => new Promise<void>((done) => (release = done)));
  const order: string[] = [];
  const run = (key: string) => slots.run(key, async () => void order.push(key));
  const releaseAll = () => {
    release();
    return held;
  };
  return { order, run, release: releaseAll };
}

test('sixty keys with a long queue each delay a newcomer by one round only', async () => {
  const slots = createFairSlots({ ...limits, max_waiting: 1000 });
  const { order, run, release } = holdSlot(slots);
  const keys = Array.from({ length: 60 }, (_, i) => `network ${i}`);
  const flood = Array.from({ length: 5 }, () => keys.map(run)).flat();
  const person = run('person');
  await release();
  await Promise.all([...flood, person]);
  assert.equal(order.length, 301);
  assert.equal(order.indexOf('person'), 60);
});

test('when too many wait in total, a newcomer replaces the newest of the longest queue', async () => {
  const slots = createFairSlots(limits);
  const { order, run, release } = holdSlot(slots);
  const flood = ['a', 'b', 'c', 'd'].map((key) => Array.from({ length: 5 }, () => run(key)));
  const refused = assert.rejects(flood[0]?.[4] as Promise<void>, isRefused);
  const person = run('person');
  await refused;
  await release();
  await Promise.all([...flood.flat().filter((each) => each !== flood[0]?.[4]), person]);
  assert.equal(order.indexOf('person'), 4);
  assert.equal(order.length, 20);
});

test('one key, and keys that wait once each, are refused beyond the limits', async () => {
  const slots = createFairSlots(limits);
  const { run, release } = holdSlot(slots);
  const one = Array.from({ length: 5 }, () => run('one'));
  await assert.rejects(run('one'), isRefused);
  const others = Array.from({ length: 15 }, (_, i) => run(`other ${i}`));
  const replaced = one.slice(2).map((each) => assert.rejects(each, isRefused));
  const more = Array.from({ length: 3 }, (_, i) => run(`more ${i}`));
  await Promise.all(replaced);
  const last = assert.rejects(one[1] as Promise<void>, isRefused);
  const newest = run('newest');
  await last;
  await assert.rejects(run('too many'), isRefused);
  await release();
  await Promise.all([one[0], ...others, ...more, newest]);
});

test('a wait that has lasted too long is refused, and leaves its place to the next', async () => {
  const timeouts: (() => void)[] = [];
  const startWait = (onTimeout: () => void) => {
    timeouts.push(onTimeout);
    return () => {};
  };
  const slots = createFairSlots({ ...limits, max_waiting_of_key: 2, startWait });
  const { order, run, release } = holdSlot(slots);
  const patient = run('one');
  const expired = assert.rejects(run('one'), isRefused);
  timeouts[1]?.();
  await expired;
  const next = run('one');
  await release();
  await Promise.all([patient, next]);
  assert.deepEqual(order, ['one', 'one']);
});

test('the time of a wait ends with the wait', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const slots = createFairSlots({ ...limits, startWait: waitAtMost(1_000) });
  const { order, run, release } = holdSlot(slots);
  const soon = run('soon');
  await release();
  await soon;
  const { run: runLater, release: releaseLater } = holdSlot(slots);
  const late = assert.rejects(runLater('late'), isRefused);
  t.mock.timers.tick(1_000);
  await late;
  await releaseLater();
  assert.deepEqual(order, ['soon']);
});
