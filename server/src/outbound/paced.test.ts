import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import type { ConnectListener } from './http1/client.ts';
import { shareOf } from './pace.ts';
import { connectPaced, deliverPaced, resumePaced } from './paced.ts';

const listener = (errors: Error[] = []): ConnectListener => ({
  onConnect() {},
  onConnectError: (error) => errors.push(error),
  onBytes: () => true,
});

function destination(name: string, opened: string[], cancelled: Error[] = []) {
  return connectPaced(shareOf(name), () => {
    opened.push(name);
    return (error) => cancelled.push(error);
  });
}

test('one connection is opened in an iteration of the event loop, for the key that has used least', async () => {
  await nextIteration();
  const opened: string[] = [];
  const [first, second] = [destination('first', opened), destination('second', opened)];
  for (let i = 0; i < 3; i += 1) first(listener());
  second(listener());
  assert.deepEqual(opened, []);
  for (const expected of [['first'], ['first', 'second'], ['first', 'second', 'first']]) {
    await nextIteration();
    assert.deepEqual(opened, expected);
  }
});

test('an attempt that is given up before its turn opens nothing, and the next one has its turn', async () => {
  await nextIteration();
  const opened: string[] = [];
  const errors: Error[] = [];
  const giveUp = destination('given up', opened)(listener(errors));
  destination('next', opened)(listener());
  const error = new Error('the caller is gone');
  giveUp(error);
  assert.deepEqual(errors, [error]);
  await nextIteration();
  assert.deepEqual(opened, ['next']);
});

test('an attempt that is given up after its turn ends the connection', async () => {
  await nextIteration();
  const [opened, cancelled, errors]: [string[], Error[], Error[]] = [[], [], []];
  const giveUp = destination('opened', opened, cancelled)(listener(errors));
  await nextIteration();
  const error = new Error('the caller is gone');
  giveUp(error);
  assert.deepEqual([opened, cancelled, errors], [['opened'], [error], []]);
});

test('of many large responses five are read in an iteration of the event loop, and never at once', async () => {
  await nextIteration();
  const resumed: number[] = [];
  for (let i = 0; i < 7; i += 1) resumePaced(shareOf(`reader ${i}`))(() => void resumed.push(i));
  assert.deepEqual(resumed, []);
  await nextIteration();
  assert.deepEqual(resumed, [0, 1, 2, 3, 4]);
  await nextIteration();
  assert.deepEqual(resumed, [0, 1, 2, 3, 4, 5, 6]);
});

test('at most two large responses are delivered in an iteration of the event loop, small ones at once', async () => {
  await nextIteration();
  const delivered: string[] = [];
  const deliver = (name: string, bytes: number) =>
    deliverPaced(shareOf('delivered'), bytes, () => delivered.push(name));
  for (const name of ['first', 'second', 'third', 'fourth']) deliver(name, 1 << 20);
  deliver('small', 1_000);
  assert.deepEqual(delivered, ['first', 'second', 'small']);
  await nextIteration();
  assert.deepEqual(delivered, ['first', 'second', 'small', 'third', 'fourth']);
});
