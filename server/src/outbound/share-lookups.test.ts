import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Lookup } from './connect.ts';
import { shareLookups } from './share-lookups.ts';

/** A name server that responds when the test calls `respond`. */
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
    respond: (hostname: string) => open.get(hostname)?.resolve(found),
    fail: (hostname: string) => open.get(hostname)?.reject(new Error('no such name')),
  };
}

const limits = { max_at_once: 2, max_wait_ms: 60_000 };

test('concurrent lookups of one name in a group share one query, and a later lookup sends a new one', async () => {
  const { asked, found, lookup, respond } = nameServer();
  const mine = shareLookups(lookup, limits);
  const responses = [mine('a'), mine('a')];
  respond('a');
  assert.deepEqual(await Promise.all(responses), [found, found]);
  assert.deepEqual(asked, ['a']);
  const again = mine('a');
  assert.deepEqual(asked, ['a', 'a']);
  respond('a');
  await again;
});

test('a group whose lookups hang runs no more than its share, and delays no other group', async () => {
  const { asked, lookup, respond } = nameServer();
  const [slow, other] = [shareLookups(lookup, limits), shareLookups(lookup, limits)];
  const waiting = ['a', 'b', 'c', 'c', 'd'].map((name) => slow(name));
  assert.deepEqual(asked, ['a', 'b']);
  const theirs = other('c');
  assert.deepEqual(asked, ['a', 'b', 'c']);
  respond('c');
  await theirs;
  respond('a');
  await waiting[0];
  assert.deepEqual(asked, ['a', 'b', 'c', 'c']);
  for (const name of ['b', 'c']) respond(name);
  await Promise.all(waiting.slice(0, 4));
  assert.deepEqual(asked, ['a', 'b', 'c', 'c', 'd']);
  respond('d');
  await waiting[4];
});

test('a failed lookup rejects for every caller, and the next waiting query starts', async () => {
  const { asked, lookup, respond, fail } = nameServer();
  const mine = shareLookups(lookup, { ...limits, max_at_once: 1 });
  const bad = [mine('bad'), mine('bad')];
  const good = mine('good');
  fail('bad');
  for (const response of bad) await assert.rejects(response, /no such name/);
  assert.deepEqual(asked, ['bad', 'good']);
  respond('good');
  await good;
});

test('a query that waited longer than the connect timeout is not sent', async () => {
  const { asked, lookup, respond } = nameServer();
  const mine = shareLookups(lookup, { max_at_once: 1, max_wait_ms: 0 });
  const [first, late] = [mine('a'), mine('b')];
  const refused = assert.rejects(late, /too many DNS lookups/);
  respond('a');
  await Promise.all([first, refused]);
  assert.deepEqual(asked, ['a']);
});
