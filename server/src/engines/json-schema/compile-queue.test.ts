import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CompileQueue, createCompileQueue, type Requester } from './compile-queue.ts';

const max = { of_group: 50, of_all: 1_000 };
const save = (fairness_key: string): Requester => ({ fairness_key, purpose: 'save' });
const call = (fairness_key: string): Requester => ({ fairness_key, purpose: 'call' });

function drain(queue: CompileQueue<string>): string[] {
  const jobs: string[] = [];
  for (let job = queue.next(); job !== undefined; job = queue.next()) jobs.push(job);
  return jobs;
}

test('a quota group waits for one job of each other group, however many those have', () => {
  const queue = createCompileQueue<string>(max);
  for (let i = 0; i < 50; i += 1) queue.add(save('many'), `many ${i}`);
  queue.add(save('few'), 'few 0');
  queue.add(save('few'), 'few 1');
  queue.add(save('one'), 'one 0');
  assert.deepEqual(drain(queue).slice(0, 6), ['many 0', 'few 0', 'one 0', 'many 1', 'few 1', 'many 2']);
});

test('a quota group that comes back goes to the end of the queue', () => {
  const queue = createCompileQueue<string>(max);
  queue.add(save('a'), 'a 0');
  queue.add(save('b'), 'b 0');
  assert.equal(queue.next(), 'a 0');
  queue.add(save('a'), 'a 1');
  queue.add(save('c'), 'c 0');
  assert.deepEqual(drain(queue), ['b 0', 'a 1', 'c 0']);
});

test('the quota group that was served last does not go before another that came after it', () => {
  const queue = createCompileQueue<string>(max);
  queue.add(save('a'), 'a 0');
  assert.equal(queue.next(), 'a 0');
  queue.add(save('a'), 'a 1');
  queue.add(save('a'), 'a 2');
  queue.add(save('b'), 'b 0');
  assert.deepEqual(drain(queue), ['b 0', 'a 1', 'a 2']);
});

test('what a call waits for goes before the saves of its own group, never before those of another', () => {
  const queue = createCompileQueue<string>(max);
  queue.add(save('a'), 'save a');
  for (let i = 0; i < 3; i += 1) queue.add(call('b'), `call b ${i}`);
  queue.add(save('c'), 'save c');
  queue.add(call('a'), 'call a');
  assert.deepEqual(drain(queue), ['call a', 'call b 0', 'save c', 'save a', 'call b 1', 'call b 2']);
});

test('one quota group fills only its own places, and its saves leave those of its calls free', () => {
  const queue = createCompileQueue<string>({ of_group: 2, of_all: 5 });
  assert.deepEqual(
    ['1', '2', '3'].map((job) => queue.add(save('a'), job)),
    [true, true, false],
  );
  assert.equal(queue.add(call('a'), 'call'), true);
  assert.equal(queue.add(save('b'), 'b'), true);
  assert.equal(queue.add(save('c'), 'c'), true);
  assert.equal(queue.add(save('d'), 'd'), false, 'there is a limit for all together');
  queue.next();
  assert.equal(queue.add(save('d'), 'd'), true);
});
