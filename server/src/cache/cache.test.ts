import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createCache } from './cache.ts';

const found = (value: object, project_id = 'prj_a') => ({ project_id, value });

/** A load under way, to be finished by the test. */
function slowLoad() {
  const { promise, resolve, reject } = Promise.withResolvers<{ project_id: string; value: object } | null>();
  return { load: () => promise, finish: resolve, fail: reject };
}

test('what was loaded is recalled without loading again', async () => {
  const cache = createCache();
  const value = { name: 'one' };
  assert.equal(cache.get('thing', 'key'), undefined);
  assert.equal(await cache.getOrLoad('thing', 'key', async () => found(value)), value);
  assert.equal(cache.get('thing', 'key'), value);
});

test('what is remembered under one id is kept apart by its kind', async () => {
  const cache = createCache();
  const [one, other] = [{ name: 'one' }, { name: 'other' }];
  const answers = [
    cache.getOrLoad('thing', 'key', async () => found(one)),
    cache.getOrLoad('other_thing', 'key', async () => found(other, 'prj_b')),
  ];
  assert.deepEqual(await Promise.all(answers), [one, other]);
  assert.equal(cache.get('thing', 'key'), one);
  assert.equal(cache.get('other_thing', 'key'), other);
  assert.equal(cache.get('third_thing', 'key'), undefined);
  cache.invalidate('prj_b');
  assert.equal(cache.get('thing', 'key'), one);
  assert.equal(cache.get('other_thing', 'key'), undefined);
});

test('what was not found is not remembered', async () => {
  const cache = createCache();
  assert.equal(await cache.getOrLoad('thing', 'key', async () => null), null);
  assert.equal(cache.get('thing', 'key'), undefined);
  assert.ok(await cache.getOrLoad('thing', 'key', async () => found({})));
});

test('a change to a project drops everything remembered of it and nothing of another', async () => {
  const cache = createCache();
  await cache.getOrLoad('thing', 'a1', async () => found({}));
  await cache.getOrLoad('thing', 'a2', async () => found({}));
  await cache.getOrLoad('thing', 'b', async () => found({}, 'prj_b'));
  cache.invalidate('prj_a');
  assert.equal(cache.get('thing', 'a1'), undefined);
  assert.equal(cache.get('thing', 'a2'), undefined);
  assert.ok(cache.get('thing', 'b'));
});

test('a load that began before a change is answered but not remembered', async () => {
  const cache = createCache();
  const old = slowLoad();
  const answer = cache.getOrLoad('thing', 'key', old.load);
  cache.invalidate('prj_a');
  old.finish(found({ name: 'old' }));
  assert.deepEqual(await answer, { name: 'old' });
  assert.equal(cache.get('thing', 'key'), undefined);
});

test('whoever asks after a change does not get the answer of a load that began before it', async () => {
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

test('callers at the same time share one load', async () => {
  const cache = createCache();
  const slow = slowLoad();
  const value = {};
  let loads = 0;
  const load = () => {
    loads += 1;
    return slow.load();
  };
  const answers = [
    cache.getOrLoad('thing', 'key', load),
    cache.getOrLoad('thing', 'key', load),
    cache.getOrLoad('thing', 'key', load),
  ];
  slow.finish(found(value));
  assert.deepEqual(await Promise.all(answers), [value, value, value]);
  assert.equal(loads, 1);
});

test('a load that fails is told to all who wait, and the next one tries again', async () => {
  const cache = createCache();
  const slow = slowLoad();
  const answers = [cache.getOrLoad('thing', 'key', slow.load), cache.getOrLoad('thing', 'key', slow.load)];
  slow.fail(new Error('away'));
  for (const answer of answers) await assert.rejects(answer, /away/);
  assert.deepEqual(await cache.getOrLoad('thing', 'key', async () => found({ name: 'back' })), { name: 'back' });
});

test('while changes cannot be heard nothing is recalled or remembered, and nothing from before comes back', async () => {
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

test('nothing is older than 30 seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const cache = createCache();
  await cache.getOrLoad('thing', 'key', async () => found({}));
  t.mock.timers.tick(29_000);
  assert.ok(cache.get('thing', 'key'));
  t.mock.timers.tick(2_000);
  assert.equal(cache.get('thing', 'key'), undefined);
});

test('what is remembered stays for 20 seconds at least and 30 at most, whenever it was loaded', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const cache = createCache();
  for (let i = 0; i < 10; i += 1) {
    await cache.getOrLoad('thing', 'key', async () => found({ i }));
    t.mock.timers.tick(19_999);
    assert.deepEqual(cache.get('thing', 'key'), { i });
    t.mock.timers.tick(10_001);
    assert.equal(cache.get('thing', 'key'), undefined);
    t.mock.timers.tick(2_999);
  }
});

test('what is too old is gone from memory, though nobody asks for it again', async (t) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  t.mock.timers.enable({ apis: ['setInterval'] });
  const cache = createCache();
  const remember = async () => {
    const value = { secret: 'opened' };
    await cache.getOrLoad('thing', 'key', async () => found(value));
    return new WeakRef(value);
  };
  const remembered = await remember();
  await new Promise(setImmediate);
  collect();
  assert.ok(remembered.deref());
  await new Promise(setImmediate);
  t.mock.timers.tick(45_000);
  await new Promise(setImmediate);
  collect();
  assert.equal(remembered.deref(), undefined);
  assert.equal(cache.get('thing', 'key'), undefined); // the cache itself is still there
});

test('large values take bounded memory: the least used are forgotten', async () => {
  const cache = createCache();
  const large = (i: number) =>
    cache.getOrLoad('thing', `key ${i}`, async () => found({ text: String(i).padEnd(2 ** 20) }));
  for (let i = 0; i < 100; i += 1) await large(i);
  assert.equal(cache.get('thing', 'key 0'), undefined);
  assert.ok(cache.get('thing', 'key 99'));
});

test('large values of one id are counted together', async () => {
  const cache = createCache();
  const large = (i: number) =>
    cache.getOrLoad(`thing_${i % 2}`, `key ${i >> 1}`, async () => found({ text: String(i).padEnd(2 ** 20) }));
  for (let i = 0; i < 100; i += 1) await large(i);
  const kept = Array.from({ length: 100 }, (_, i) => cache.get(`thing_${i % 2}`, `key ${i >> 1}`)).filter(Boolean);
  assert.ok(kept.length > 20 && kept.length <= 32, String(kept.length));
});

test('ever new keys take bounded memory: the least used are forgotten', async () => {
  const cache = createCache();
  await cache.getOrLoad('thing', 'used', async () => found({}));
  for (let i = 0; i <= 50_000; i += 1) {
    await cache.getOrLoad('thing', `key ${i}`, async () => found({}));
    if (i % 1000 === 0) cache.get('thing', 'used');
  }
  assert.equal(cache.get('thing', 'key 1'), undefined);
  assert.ok(cache.get('thing', 'key 50000'));
  assert.ok(cache.get('thing', 'used'));
});

test('changes to very many projects forget too much rather than too little', async () => {
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
