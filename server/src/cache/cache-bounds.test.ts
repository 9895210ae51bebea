// The memory that the cache may take.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCache } from './cache.ts';

const found = <T>(value: T) => ({ project_id: 'prj_a', value });

test('large values take bounded memory: the least recently used are evicted', async () => {
  const cache = createCache();
  const large = (i: number) =>
    cache.getOrLoad('thing', `key ${i}`, async () => found({ text: String(i).padEnd(2 ** 20) }));
  for (let i = 0; i < 100; i += 1) await large(i);
  assert.equal(cache.get('thing', 'key 0'), undefined);
  assert.ok(cache.get('thing', 'key 99'));
});

test('a value counts with the size that its load gives', async () => {
  const cache = createCache();
  const large = (i: number) => cache.getOrLoad('thing', `${i}`, async () => ({ ...found({ i }), bytes: 2 ** 20 }));
  for (let i = 0; i < 200; i += 1) await large(i);
  const kept = Array.from({ length: 200 }, (_, i) => cache.get('thing', `${i}`)).filter(Boolean);
  assert.ok(kept.length > 80 && kept.length < 96, String(kept.length));
});

test('a value that is larger than the cache is returned and not cached', async () => {
  const cache = createCache();
  const value = {};
  assert.equal(await cache.getOrLoad('thing', 'key', async () => ({ ...found(value), bytes: 2 ** 30 })), value);
  assert.equal(cache.get('thing', 'key'), undefined);
  cache.invalidate('prj_a');
});

test('many keys with next to nothing take bounded memory: the least recently used are evicted', async () => {
  const mebibyte = 2 ** 20;
  const cache = createCache(undefined, { secret: mebibyte, plain: mebibyte });
  await cache.getOrLoad('thing', 'used', async () => found({}));
  for (let i = 0; i <= 5_000; i += 1) {
    await cache.getOrLoad('thing', `key ${i}`, async () => found({}));
    if (i % 1000 === 0) cache.get('thing', 'used');
  }
  assert.equal(cache.get('thing', 'key 1'), undefined);
  assert.ok(cache.get('thing', 'key 5000'));
  assert.ok(cache.get('thing', 'used'));
  // V8 takes some 450 bytes for such an entry.
  assert.ok(cache.statistics().entries < mebibyte / 300, String(cache.statistics().entries));
});

test('what may hold a secret evicts nothing that holds none, and the other way round', async () => {
  const cache = createCache();
  const load = (name: string, has_secret: boolean) =>
    cache.getOrLoad('thing', name, async () => ({ ...found({}), bytes: 2 ** 20, has_secret }));
  await load('with', true);
  await load('without', false);
  for (let i = 0; i < 200; i += 1) await load(`with ${i}`, true);
  assert.deepEqual([cache.get('thing', 'with'), cache.get('thing', 'without')], [undefined, {}]);
  await load('with', true);
  for (let i = 0; i < 200; i += 1) await load(`without ${i}`, false);
  assert.deepEqual([cache.get('thing', 'with'), cache.get('thing', 'without')], [{}, undefined]);
});
