import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../errors/errors.ts';
import { createLookupSlots } from './lookup-slots.ts';

/** Lookups that run until `end` is called; `started` is the order in which they began. */
function makeWork() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () =>
    new Promise<string>((done) => {
      started.push(name);
      ends.set(name, () => done(name));
    });
  return { started, work, end: (name: string) => ends.get(name)?.() };
}

test('no more lookups run at once than there are slots', async () => {
  const slots = createLookupSlots(2);
  const { started, work, end } = makeWork();
  const all = ['a', 'b', 'c'].map((name) => slots.run('192.0.2.1', work(name)));
  assert.deepEqual(started, ['a', 'b']);
  end('a');
  await all[0];
  assert.deepEqual(started, ['a', 'b', 'c']);
  end('b');
  end('c');
  assert.deepEqual(await Promise.all(all), ['a', 'b', 'c']);
});

test('a flood from one address delays another by one lookup only', async () => {
  const slots = createLookupSlots(1);
  const { started, work, end } = makeWork();
  const flood = ['f1', 'f2', 'f3', 'f4'].map((name) => slots.run('192.0.2.1', work(name)));
  const other = slots.run('192.0.2.2', work('other'));
  end('f1');
  await flood[0];
  end('f2');
  await flood[1];
  assert.deepEqual(started, ['f1', 'f2', 'other']);
  end('other');
  await other;
  end('f3');
  await flood[2];
  end('f4');
  await flood[3];
});

test('a lookup that fails frees its slot', async () => {
  const slots = createLookupSlots(1);
  const failing = slots.run('192.0.2.1', () => Promise.reject(new Error('unavailable')));
  const next = slots.run('192.0.2.1', async () => 'found');
  await assert.rejects(failing, /unavailable/);
  assert.equal(await next, 'found');
});

test('the queue of one address is bounded', async () => {
  const slots = createLookupSlots(1);
  const { work, end } = makeWork();
  const first = slots.run('192.0.2.1', work('first'));
  const waiting = Array.from({ length: 1000 }, () => slots.run('192.0.2.1', async () => 'found'));
  const isRefused = (error: unknown) => error instanceof ApiError && error.status === 503;
  await assert.rejects(slots.run('192.0.2.1', work('too many')), isRefused);
  end('first');
  await Promise.all([first, ...waiting]);
});
