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
  assert.equal(cache.recall('key'), undefined);
  assert.equal(await cache.load('key', async () => found(value)), value);
  assert.equal(cache.recall('key'), value);
});

test('what was not found is not remembered', async () => {
  const cache = createCache();
  assert.equal(await cache.load('key', async () => null), null);
  assert.equal(cache.recall('key'), undefined);
  assert.ok(await cache.load('key', async () => found({})));
});

test('a change to a project drops everything remembered of it and nothing of another', async () => {
  const cache = createCache();
  await cache.load('a1', async () => found({}));
  await cache.load('a2', async () => found({}));
  await cache.load('b', async () => found({}, 'prj_b'));
  cache.drop('prj_a');
  assert.equal(cache.recall('a1'), undefined);
  assert.equal(cache.recall('a2'), undefined);
  assert.ok(cache.recall('b'));
});

test('a load that began before a change is answered but not remembered', async () => {
  const cache = createCache();
  const old = slowLoad();
  const answer = cache.load('key', old.load);
  cache.drop('prj_a');
  old.finish(found({ name: 'old' }));
  assert.deepEqual(await answer, { name: 'old' });
  assert.equal(cache.recall('key'), undefined);
});

test('whoever asks after a change does not get the answer of a load that began before it', async () => {
  const cache = createCache();
  const old = slowLoad();
  const before = cache.load('key', old.load);
  cache.drop('prj_a');
  const after = cache.load('key', async () => found({ name: 'new' }));
  old.finish(found({ name: 'old' }));
  assert.deepEqual(await after, { name: 'new' });
  await before;
  assert.deepEqual(cache.recall('key'), { name: 'new' });
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
  const answers = [cache.load('key', load), cache.load('key', load), cache.load('key', load)];
  slow.finish(found(value));
  assert.deepEqual(await Promise.all(answers), [value, value, value]);
  assert.equal(loads, 1);
});

test('a load that fails is told to all who wait, and the next one tries again', async () => {
  const cache = createCache();
  const slow = slowLoad();
  const answers = [cache.load('key', slow.load), cache.load('key', slow.load)];
  slow.fail(new Error('away'));
  for (const answer of answers) await assert.rejects(answer, /away/);
  assert.deepEqual(await cache.load('key', async () => found({ name: 'back' })), { name: 'back' });
});

test('while changes cannot be heard nothing is recalled or remembered, and nothing from before comes back', async () => {
  const cache = createCache();
  await cache.load('key', async () => found({ name: 'before' }));
  const slow = slowLoad();
  const during = cache.load('slow', slow.load);
  cache.trust(false);
  assert.equal(cache.recall('key'), undefined);
  await cache.load('key', async () => found({ name: 'during' }));
  assert.equal(cache.recall('key'), undefined);
  cache.trust(true);
  slow.finish(found({ name: 'began before' }));
  await during;
  assert.equal(cache.recall('key'), undefined);
  assert.equal(cache.recall('slow'), undefined);
  await cache.load('key', async () => found({ name: 'after' }));
  assert.deepEqual(cache.recall('key'), { name: 'after' });
});

test('nothing is older than 30 seconds', async (t) => {
  let now = 1_000_000;
  t.mock.method(performance, 'now', () => now);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const cache = createCache();
  await cache.load('key', async () => found({}));
  now += 29_000;
  t.mock.timers.tick(29_000);
  assert.ok(cache.recall('key'));
  now += 2_000;
  t.mock.timers.tick(2_000);
  assert.equal(cache.recall('key'), undefined);
});

test('what is too old is gone from memory, though nobody asks for it again', async (t) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let now = 1_000_000;
  t.mock.method(performance, 'now', () => now);
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const cache = createCache();
  const remember = async () => {
    const value = { secret: 'opened' };
    await cache.load('key', async () => found(value));
    return new WeakRef(value);
  };
  const remembered = await remember();
  await new Promise(setImmediate);
  collect();
  assert.ok(remembered.deref());
  await new Promise(setImmediate);
  now += 45_000;
  t.mock.timers.tick(45_000);
  await new Promise(setImmediate);
  collect();
  assert.equal(remembered.deref(), undefined);
  assert.equal(cache.recall('key'), undefined); // the cache itself is still there
});

test('large values take bounded memory: the least used are forgotten', async () => {
  const cache = createCache();
  const large = (i: number) => cache.load(`key ${i}`, async () => found({ text: String(i).padEnd(2 ** 20) }));
  for (let i = 0; i < 100; i += 1) await large(i);
  assert.equal(cache.recall('key 0'), undefined);
  assert.ok(cache.recall('key 99'));
});

test('ever new keys take bounded memory: the least used are forgotten', async () => {
  const cache = createCache();
  await cache.load('used', async () => found({}));
  for (let i = 0; i <= 50_000; i += 1) {
    await cache.load(`key ${i}`, async () => found({}));
    if (i % 1000 === 0) cache.recall('used');
  }
  assert.equal(cache.recall('key 1'), undefined);
  assert.ok(cache.recall('key 50000'));
  assert.ok(cache.recall('used'));
});

test('changes to very many projects forget too much rather than too little', async () => {
  const cache = createCache();
  await cache.load('key', async () => found({}, 'prj_0'));
  const slow = slowLoad();
  const old = cache.load('slow', slow.load);
  for (let i = 0; i <= 20_000; i += 1) cache.drop(`prj_${i}`);
  slow.finish(found({}, 'prj_1'));
  await old;
  assert.equal(cache.recall('key'), undefined);
  assert.equal(cache.recall('slow'), undefined);
  await cache.load('key', async () => found({}, 'prj_0'));
  assert.ok(cache.recall('key'));
});
