import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { pace, paceLater, shareOf } from './pace.ts';

/** Each test has keys of its own: what a key has used is remembered. */
let last_key = 0;
function newKey() {
  last_key += 1;
  return shareOf(`key_${last_key}`);
}

function record() {
  const started: string[] = [];
  return { started, named: (name: string) => () => void started.push(name) };
}

/** All that earlier tests have left is started, and nothing is in the current iteration. */
async function beginFresh(): Promise<void> {
  const last = newKey();
  last.used_until = Number.MAX_SAFE_INTEGER;
  await new Promise<void>((started) => paceLater(last, 0, started));
  await nextIteration();
}

test('work starts at once while there is time for it, and the rest in later iterations of the event loop, all in order', async () => {
  await beginFresh();
  const { started, named } = record();
  const share = newKey();
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) pace(share, 0.5, named(name));
  assert.equal(started.join(''), 'abc');
  await nextIteration();
  assert.equal(started.join(''), 'abcdef');
  await nextIteration();
  assert.equal(started.join(''), 'abcdefg');
});

test('a piece that takes longer than all the time of an iteration is the only one in it', async () => {
  await beginFresh();
  const { started, named } = record();
  const share = newKey();
  for (const name of ['a', 'b', 'c']) paceLater(share, 20, named(name));
  assert.deepEqual(started, []);
  for (const expected of ['a', 'ab', 'abc']) {
    await nextIteration();
    assert.equal(started.join(''), expected);
  }
});

test('the next piece is one of the key that has used least', async () => {
  await beginFresh();
  const { started, named } = record();
  const [busy, quiet] = [newKey(), newKey()];
  for (let i = 0; i < 5; i += 1) paceLater(busy, 2, named('busy'));
  await nextIteration();
  paceLater(quiet, 2, named('quiet'));
  await nextIteration();
  assert.deepEqual(started, ['busy', 'quiet']);
});

test('many pieces of one key delay another by one iteration', async () => {
  await beginFresh();
  const { started, named } = record();
  const [many, one] = [newKey(), newKey()];
  for (let i = 0; i < 1_000; i += 1) pace(many, 0.5, named('many'));
  pace(one, 0.5, named('one'));
  await nextIteration();
  assert.equal(started.indexOf('one'), 3);
});

test('keys that have used the same take turns', async () => {
  await beginFresh();
  const { started, named } = record();
  const [first, second] = [newKey(), newKey()];
  for (let i = 0; i < 3; i += 1) {
    paceLater(first, 2, named('first'));
    paceLater(second, 2, named('second'));
  }
  for (let i = 0; i < 6; i += 1) await nextIteration();
  assert.deepEqual(started, ['first', 'second', 'first', 'second', 'first', 'second']);
});

test('nothing overtakes what waits already, not even while there is time for it', async () => {
  await beginFresh();
  const { started, named } = record();
  const share = newKey();
  paceLater(share, 0.5, named('first'));
  pace(share, 0.5, named('second'));
  assert.deepEqual(started, []);
  await nextIteration();
  assert.deepEqual(started, ['first', 'second']);
});

test('a piece that is removed while it waits is never started, and the next one has its time', async () => {
  await beginFresh();
  const { started, named } = record();
  const share = newKey();
  const remove = paceLater(share, 2, named('removed'));
  const removeLate = paceLater(share, 2, named('next'));
  assert.equal(remove(), true);
  assert.equal(remove(), false);
  await nextIteration();
  assert.equal(removeLate(), false);
  assert.deepEqual(started, ['next']);
});

test('a piece that throws does not hold up the others', async () => {
  await beginFresh();
  const { started, named } = record();
  const share = newKey();
  const problem = new Error('from a piece');
  assert.throws(
    () =>
      pace(share, 2, () => {
        throw problem;
      }),
    problem,
  );
  pace(share, 2, named('next'));
  await nextIteration();
  assert.deepEqual(started, ['next']);
});
