import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Lookup } from './connect.ts';
import { shareLookups } from './share-lookups.ts';

/** A name server that answers when the test says so. */
function nameServer() {
  const asked: string[] = [];
  const open = new Map<string, PromiseWithResolvers<Awaited<ReturnType<Lookup>>>>();
  const lookup: Lookup = (hostname) => {
    asked.push(hostname);
    const question = Promise.withResolvers<Awaited<ReturnType<Lookup>>>();
    open.set(hostname, question);
    return question.promise;
  };
  const found = [{ address: '192.0.2.1', family: 4 }];
  return {
    asked,
    found,
    lookup,
    answer: (hostname: string) => open.get(hostname)?.resolve(found),
    fail: (hostname: string) => open.get(hostname)?.reject(new Error('no such name')),
  };
}

test('a question that is under way is asked once, by whomever, and asked anew once it is answered', async () => {
  const { asked, found, lookup, answer } = nameServer();
  const project = shareLookups(lookup, 2);
  const [mine, theirs] = [project(), project()];
  const answers = [mine('a'), mine('a'), theirs('a')];
  answer('a');
  assert.deepEqual(await Promise.all(answers), [found, found, found]);
  assert.deepEqual(asked, ['a']);
  const again = mine('a');
  assert.deepEqual(asked, ['a', 'a']);
  answer('a');
  await again;
});

test('a project whose names hang has no more than its share of questions under way, and holds up no other', async () => {
  const { asked, lookup, answer } = nameServer();
  const project = shareLookups(lookup, 2);
  const [slow, other] = [project(), project()];
  const waiting = ['a', 'b', 'c', 'c', 'd'].map((name) => slow(name));
  assert.deepEqual(asked, ['a', 'b']);
  const theirs = other('c');
  assert.deepEqual(asked, ['a', 'b', 'c']);
  answer('c');
  await theirs;
  answer('a');
  await waiting[0];
  assert.deepEqual(asked, ['a', 'b', 'c', 'c']);
  for (const name of ['b', 'c']) answer(name);
  await Promise.all(waiting.slice(0, 4));
  assert.deepEqual(asked, ['a', 'b', 'c', 'c', 'd']);
  answer('d');
  await waiting[4];
});

test('a name that cannot be resolved is told to all who asked, and its place is given on', async () => {
  const { asked, lookup, answer, fail } = nameServer();
  const mine = shareLookups(lookup, 1)();
  const bad = [mine('bad'), mine('bad')];
  const good = mine('good');
  fail('bad');
  for (const answer of bad) await assert.rejects(answer, /no such name/);
  assert.deepEqual(asked, ['bad', 'good']);
  answer('good');
  await good;
});
