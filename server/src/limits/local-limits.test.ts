import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLocalLimits } from './local-limits.ts';
import type { SecondCount } from './sliding-log.ts';

const NOW = 1_790_000_000_000;

function createStore(stored: Record<string, SecondCount[]> = {}) {
  const loaded: string[] = [];
  return {
    loaded,
    load: async (id: string) => {
      loaded.push(id);
      return stored[id] ?? [];
    },
    save(id: string, counted: SecondCount) {
      stored[id] = [...(stored[id] ?? []).filter(({ second }) => second !== counted.second), counted];
    },
  };
}

test('requests that arrive while the counts of their group are loaded wait for one load and are counted in order', async () => {
  const store = createStore({ prj_a: [{ second: NOW / 1000 - 60, count: 2 }] });
  const limits = createLocalLimits(store);
  const decisions = await Promise.all([1, 2, 3].map(() => limits.take('prj_a', 4, NOW)));
  assert.deepEqual(
    decisions.map(({ allowed, remaining }) => [allowed, remaining]),
    [
      [true, 1],
      [true, 0],
      [false, 0],
    ],
  );
  assert.deepEqual(store.loaded, ['prj_a']);
});

test('a group whose counts are in memory is counted without a promise', async () => {
  const limits = createLocalLimits(createStore());
  await limits.take('prj_a', 4, NOW);
  assert.ok(!(limits.take('prj_a', 4, NOW) instanceof Promise));
  assert.ok(limits.take('prj_b', 4, NOW) instanceof Promise);
});

test('when the counts cannot be loaded the request fails, and the next request loads them again', async () => {
  const store = createStore();
  let isUnavailable = true;
  const limits = createLocalLimits({
    ...store,
    load: (id) => (isUnavailable ? Promise.reject(new Error('unavailable')) : store.load(id)),
  });
  await assert.rejects(async () => limits.take('prj_a', 1, NOW), /unavailable/);
  isUnavailable = false;
  assert.equal((await limits.take('prj_a', 1, NOW)).allowed, true);
});

test('after a flush another process continues with these counts', async () => {
  const store = createStore();
  const first = createLocalLimits(store);
  for (let i = 0; i < 3; i += 1) await first.take('prj_a', 3, NOW + i);
  first.flush();
  const second = createLocalLimits(store);
  assert.equal((await second.take('prj_a', 3, NOW + 10)).allowed, false);
  assert.equal((await second.take('prj_a', 4, NOW + 10)).allowed, true);
});

test('the eviction of idle groups refuses no request that Retry-After promised', async () => {
  const limits = createLocalLimits(createStore());
  await limits.take('prj_b', 1, NOW - 10); // so that the next eviction is due an hour after this
  await limits.take('prj_a', 1, NOW);
  limits.flush();
  const refused = await limits.take('prj_a', 1, NOW + 1);
  assert.equal(refused.allowed, false);
  assert.equal((await limits.take('prj_a', 1, NOW + 1 + refused.reset_ms)).allowed, true);
});
