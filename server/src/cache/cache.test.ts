import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Cache, createCache } from './cache.ts';

const found = (value: object, project_id = 'prj_a') => ({ project_id, value });

/** A load that the test finishes. */
function slowLoad() {
  const { promise, resolve, reject } = Promise.withResolvers<{ project_id: string; value: object } | null>();
  return { load: () => promise, finish: resolve, fail: reject };
}

/** A cache whose clock and timer the test advances. */
function cacheWithClock({ mock }: TestContext) {
  mock.timers.enable({ apis: ['setInterval'] });
  let time = 0;
  const advance = (ms: number) => {
    const end = time + ms;
    while (time < end) {
      const step = Math.min(end - time, 1_000 - (time % 1_000));
      time += step;
      mock.timers.tick(step);
    }
  };
  const now = () => time;
  return { cache: createCache(now), advance, now };
}

test('a loaded value is returned without loading it again', async () => {
  const cache = createCache();
  const value = { name: 'one' };
  assert.equal(cache.get('thing', 'key'), undefined);
  assert.equal(await cache.getOrLoad('thing', 'key', async () => found(value)), value);
  assert.equal(cache.get('thing', 'key'), value);
});

test('entries with the same id are kept apart by their kind', async () => {
  const cache = createCache();
  const [one, other] = [{ name: 'one' }, { name: 'other' }];
  const responses = [
    cache.getOrLoad('thing', 'key', async () => found(one)),
    cache.getOrLoad('other_thing', 'key', async () => found(other, 'prj_b')),
  ];
  assert.deepEqual(await Promise.all(responses), [one, other]);
  assert.equal(cache.get('thing', 'key'), one);
  assert.equal(cache.get('other_thing', 'key'), other);
  assert.equal(cache.get('third_thing', 'key'), undefined);
  cache.invalidate('prj_b');
  assert.equal(cache.get('thing', 'key'), one);
  assert.equal(cache.get('other_thing', 'key'), undefined);
});

test('a value that was not found is not cached', async () => {
  const cache = createCache();
  assert.equal(await cache.getOrLoad('thing', 'key', async () => null), null);
  assert.equal(cache.get('thing', 'key'), undefined);
  assert.ok(await cache.getOrLoad('thing', 'key', async () => found({})));
});

test('a change to a project removes every entry of it and none of another', async () => {
  const cache = createCache();
  await cache.getOrLoad('thing', 'a1', async () => found({}));
  await cache.getOrLoad('thing', 'a2', async () => found({}));
  await cache.getOrLoad('thing', 'b', async () => found({}, 'prj_b'));
  cache.invalidate('prj_a');
  assert.equal(cache.get('thing', 'a1'), undefined);
  assert.equal(cache.get('thing', 'a2'), undefined);
  assert.ok(cache.get('thing', 'b'));
});

test('a listener learns of every change, when its entries are gone, and when any project may have changed', async () => {
  const cache = createCache();
  await cache.getOrLoad('thing', 'a', async () => found({}));
  const heard: unknown[] = [];
  cache.onChange((project_id) => heard.push([project_id, cache.get('thing', 'a')]));
  cache.invalidate('prj_a');
  cache.setTrusted(false);
  assert.deepEqual(heard, [['prj_a', undefined]]);
  cache.setTrusted(true);
  assert.deepEqual(heard.at(-1), [null, undefined]);
});

test('the result of a load that began before a change is returned but not cached', async () => {
  const cache = createCache();
  const old = slowLoad();
  const response = cache.getOrLoad('thing', 'key', old.load);
  cache.invalidate('prj_a');
  old.finish(found({ name: 'old' }));
  assert.deepEqual(await response, { name: 'old' });
  assert.equal(cache.get('thing', 'key'), undefined);
});

test('a caller after a change does not get the result of a load that began before it', async () => {
  const cache = createCache();
  const old = slowLoad();
  const before = cache.getOrLoad('thing', 'key', old.load);
  cache.invalidate('prj_a');
  const after = cache.getOrLoad('thing', 'key', async () => found({ name: 'new' }));
  old.finish(found({ name: 'old' }));
  assert.deepEqual(await after, { name: 'new' });
  await before;
  assert.deepEqual(cache.get('thing', 'key'), { name: 'new' });
});

test('what was loaded with an entry is an entry of its own, unless its project changed during the load', async () => {
  const cache = createCache();
  const other = { kind: 'other', id: 'key', value: { name: 'other' } };
  const { promise, resolve } = Promise.withResolvers<void>();
  const changed = cache.getOrLoad('thing', 'changed', () => promise.then(() => ({ ...found({}), other })));
  cache.invalidate('prj_a');
  resolve();
  await changed;
  assert.equal(cache.get('other', 'key'), undefined);
  await cache.getOrLoad('thing', 'key', async () => ({ ...found({}), other }));
  assert.equal(cache.get('other', 'key'), other.value);
  cache.invalidate('prj_a');
  assert.equal(cache.get('other', 'key'), undefined);
});

test('concurrent callers share one load', async () => {
  const cache = createCache();
  const slow = slowLoad();
  const value = {};
  let loads = 0;
  const load = () => {
    loads += 1;
    return slow.load();
  };
  const responses = [
    cache.getOrLoad('thing', 'key', load),
    cache.getOrLoad('thing', 'key', load),
    cache.getOrLoad('thing', 'key', load),
  ];
  slow.finish(found(value));
  assert.deepEqual(await Promise.all(responses), [value, value, value]);
  assert.equal(loads, 1);
});

test('a load that fails rejects for every waiting caller, and the next caller loads again', async () => {
  const cache = createCache();
  const slow = slowLoad();
  const responses = [cache.getOrLoad('thing', 'key', slow.load), cache.getOrLoad('thing', 'key', slow.load)];
  slow.fail(new Error('away'));
  for (const response of responses) await assert.rejects(response, /away/);
  assert.deepEqual(await cache.getOrLoad('thing', 'key', async () => found({ name: 'back' })), { name: 'back' });
});

test('while the cache is not trusted it returns and stores nothing, and older entries do not come back', async () => {
  const cache = createCache();
  await cache.getOrLoad('thing', 'key', async () => found({ name: 'before' }));
  const slow = slowLoad();
  const during = cache.getOrLoad('thing', 'slow', slow.load);
  cache.setTrusted(false);
  assert.equal(cache.get('thing', 'key'), undefined);
  await cache.getOrLoad('thing', 'key', async () => found({ name: 'during' }));
  assert.equal(cache.get('thing', 'key'), undefined);
  cache.setTrusted(true);
  slow.finish(found({ name: 'began before' }));
  await during;
  assert.equal(cache.get('thing', 'key'), undefined);
  assert.equal(cache.get('thing', 'slow'), undefined);
  await cache.getOrLoad('thing', 'key', async () => found({ name: 'after' }));
  assert.deepEqual(cache.get('thing', 'key'), { name: 'after' });
});

test('an entry is used only within 900 ms after the last moment whose notifications have arrived', async (t) => {
  const { cache, advance, now } = cacheWithClock(t);
  await cache.getOrLoad('thing', 'key', async () => found({ name: 'before' }));
  cache.trustFrom(now());
  advance(899);
  assert.ok(cache.get('thing', 'key'));
  advance(1);
  assert.equal(cache.get('thing', 'key'), undefined);
  assert.deepEqual(await cache.getOrLoad('thing', 'key', async () => found({ name: 'loaded' })), { name: 'loaded' });
  // No notification was lost meanwhile, so what was loaded is still valid.
  cache.trustFrom(now());
  assert.deepEqual(cache.get('thing', 'key'), { name: 'loaded' });
});

test('without recent notifications no caller shares a load that started before', async (t) => {
  const { cache, advance, now } = cacheWithClock(t);
  cache.trustFrom(now());
  const slow = slowLoad();
  const first = cache.getOrLoad('thing', 'key', slow.load);
  advance(900);
  assert.deepEqual(await cache.getOrLoad('thing', 'key', async () => found({ name: 'new' })), { name: 'new' });
  slow.finish(found({ name: 'old' }));
  assert.deepEqual(await first, { name: 'old' });
});

test('no entry that may hold a secret is older than 30 seconds', async (t) => {
  const { cache, advance } = cacheWithClock(t);
  await cache.getOrLoad('thing', 'key', async () => found({}));
  advance(29_000);
  assert.ok(cache.get('thing', 'key'));
  advance(2_000);
  assert.equal(cache.get('thing', 'key'), undefined);
});

test('an entry without a secret is kept for 10 minutes, and a change removes it at once', async (t) => {
  const { cache, advance } = cacheWithClock(t);
  const load = () => cache.getOrLoad('thing', 'key', async () => ({ ...found({}), has_secret: false }));
  await load();
  advance(9 * 60_000);
  assert.ok(cache.get('thing', 'key'));
  advance(61_000);
  assert.equal(cache.get('thing', 'key'), undefined);
  await load();
  cache.invalidate('prj_a');
  assert.equal(cache.get('thing', 'key'), undefined);
});

test('an entry stays for 20 seconds at least and 30 at most, whenever it was loaded', async (t) => {
  const { cache, advance } = cacheWithClock(t);
  for (let i = 0; i < 10; i += 1) {
    await cache.getOrLoad('thing', 'key', async () => found({ i }));
    advance(19_999);
    assert.deepEqual(cache.get('thing', 'key'), { i });
    advance(10_001);
    assert.equal(cache.get('thing', 'key'), undefined);
    advance(2_999);
  }
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

for (const [what, remove] of [
  ['expired', (_cache: Cache, tick: (ms: number) => void) => tick(30_000)],
  ['invalidated', (cache: Cache) => cache.invalidate('prj_a')],
  ['deleted', (cache: Cache) => cache.delete('thing', 'key')],
  ['no longer trusted', (cache: Cache) => cache.setTrusted(false)],
] as const) {
  test(`an entry that is ${what} is gone from memory without being read again`, async (t) => {
    const { cache, advance } = cacheWithClock(t);
    const load = async () => {
      const value = { secret: 'opened' };
      await cache.getOrLoad('thing', 'key', async () => found(value));
      return new WeakRef(value);
    };
    const value = await load();
    await new Promise(setImmediate);
    collect();
    assert.ok(value.deref());
    await new Promise(setImmediate);
    remove(cache, advance);
    await new Promise(setImmediate);
    collect();
    assert.equal(value.deref(), undefined);
    assert.equal(cache.get('thing', 'key'), undefined); // the cache itself is still referenced
  });
}

test('with share: false each caller runs its own load, and the value is cached', async () => {
  const cache = createCache();
  const [slow, own] = [slowLoad(), { name: 'own' }];
  const waiting = cache.getOrLoad('thing', 'key', slow.load);
  assert.equal(await cache.getOrLoad('thing', 'key', async () => found(own), { share: false }), own);
  assert.equal(cache.get('thing', 'key'), own);
  slow.finish(found({ name: 'shared' }));
  assert.deepEqual(await waiting, { name: 'shared' });
});

test('a load that takes longer than an entry may live is not cached', async (t) => {
  const { cache, advance } = cacheWithClock(t);
  const slow = slowLoad();
  const response = cache.getOrLoad('thing', 'key', slow.load);
  advance(30_000);
  slow.finish(found({}));
  await response;
  assert.equal(cache.get('thing', 'key'), undefined);
});

test('a load is not cached when its project is one of very many that changed during it', async () => {
  const cache = createCache();
  await cache.getOrLoad('thing', 'key', async () => found({}, 'prj_0'));
  const slow = slowLoad();
  const old = cache.getOrLoad('thing', 'slow', slow.load);
  for (let i = 0; i <= 20_000; i += 1) cache.invalidate(`prj_${i}`);
  slow.finish(found({}, 'prj_1'));
  await old;
  assert.equal(cache.get('thing', 'key'), undefined);
  assert.equal(cache.get('thing', 'slow'), undefined);
  await cache.getOrLoad('thing', 'key', async () => found({}, 'prj_0'));
  assert.ok(cache.get('thing', 'key'));
});
