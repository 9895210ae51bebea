import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Lookup } from './connect.ts';
import { shareLookups } from './share-lookups.ts';

/** A name server that responds when the test calls `answer`. */
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

const limits = { max_at_once: 2, max_wait_ms: 60_000 };

test('concurrent lookups of one name in a group share one query, and a later lookup sends a new one', async () => {
  const { asked, found, lookup, answer } = nameServer();
  const mine = shareLookups(lookup, limits);
  const answers = [mine('a'), mine('a')];
  answer('a');
  assert.deepEqual(await Promise.all(answers), [found, found]);
  assert.deepEqual(asked, ['a']);
  const again = mine('a');
  assert.deepEqual(asked, ['a', 'a']);
  answer('a');
  await again;
});

test('a group whose lookups hang runs no more than its share, and delays no other group', async () => {
  const { asked, lookup, answer } = nameServer();
  const [slow, other] = [shareLookups(lookup, limits), shareLookups(lookup, limits)];
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

test('a failed lookup rejects for every caller, and the next waiting query starts', async () => {
  const { asked, lookup, answer, fail } = nameServer();
  const mine = shareLookups(lookup, { ...limits, max_at_once: 1 });
  const bad = [mine('bad'), mine('bad')];
  const good = mine('good');
  fail('bad');
  for (const answer of bad) await assert.rejects(answer, /no such name/);
  assert.deepEqual(asked, ['bad', 'good']);
  answer('good');
  await good;
});

test('a query that waited longer than the connect timeout is not sent', async () => {
  const { asked, lookup, answer } = nameServer();
  const mine = shareLookups(lookup, { max_at_once: 1, max_wait_ms: 0 });
  const [first, late] = [mine('a'), mine('b')];
  const refused = assert.rejects(late, /too many DNS lookups/);
  answer('a');
  await Promise.all([first, refused]);
  assert.deepEqual(asked, ['a']);
});
