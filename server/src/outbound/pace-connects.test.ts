import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { ConnectListener } from './http1/client.ts';
import { connectInTurn } from './pace-connects.ts';

const listener = (errors: Error[] = []): ConnectListener => ({
  onConnect() {},
  onConnectError: (error) => errors.push(error),
  onBytes: () => true,
});

function destination(name: string, opened: string[], cancelled: Error[] = []) {
  return connectInTurn(() => {
    opened.push(name);
    return (error) => cancelled.push(error);
  });
}

test('one connection is opened in an iteration of the event loop, round-robin over the destinations', async () => {
  const opened: string[] = [];
  const [first, second] = [destination('first', opened), destination('second', opened)];
  for (let i = 0; i < 3; i += 1) first(listener());
  second(listener());
  assert.deepEqual(opened, []);
  for (const expected of [['first'], ['first', 'second'], ['first', 'second', 'first']]) {
    await setImmediate();
    assert.deepEqual(opened, expected);
  }
  second(listener());
  await setImmediate();
  await setImmediate();
  assert.deepEqual(opened, ['first', 'second', 'first', 'first', 'second']);
});

test('an attempt that is given up before its turn opens nothing, and the next one has its turn', async () => {
  const opened: string[] = [];
  const errors: Error[] = [];
  const giveUp = destination('given up', opened)(listener(errors));
  destination('next', opened)(listener());
  const error = new Error('the caller is gone');
  giveUp(error);
  assert.deepEqual(errors, [error]);
  await setImmediate();
  assert.deepEqual(opened, ['next']);
});

test('an attempt that is given up after its turn ends the connection', async () => {
  const [opened, cancelled, errors]: [string[], Error[], Error[]] = [[], [], []];
  const giveUp = destination('opened', opened, cancelled)(listener(errors));
  await setImmediate();
  const error = new Error('the caller is gone');
  giveUp(error);
  assert.deepEqual([opened, cancelled, errors], [['opened'], [error], []]);
});

test('a destination whose attempts were all given up can connect again', async () => {
  const opened: string[] = [];
  const connect = destination('again', opened);
  connect(listener())(new Error('the caller is gone'));
  connect(listener());
  await setImmediate();
  connect(listener());
  await setImmediate();
  assert.deepEqual(opened, ['again', 'again']);
});
