import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAppState } from './app-state.ts';

const createCounts = () => new Map<string, number>();

test('an app has one state of each kind, and shares it with no other app', () => {
  const [one, other] = [createAppState(), createAppState()];
  one.stateOf(createCounts).set('a', 1);
  assert.equal(one.stateOf(createCounts).get('a'), 1);
  assert.equal(other.stateOf(createCounts).get('a'), undefined);
  assert.equal(one.stateOf(() => new Map()).size, 0);
});

test('what has a thread or a connection is closed with the app, although another fails to close', async () => {
  const { stateOf, close } = createAppState();
  const closed: string[] = [];
  const failing = () => ({ close: () => Promise.reject(new Error('it hangs')) });
  const closing = () => ({ close: async () => void closed.push('thread') });
  for (const create of [failing, createCounts, closing]) stateOf<object>(create);
  await assert.rejects(close(), /it hangs/);
  assert.deepEqual(closed, ['thread']);
});
