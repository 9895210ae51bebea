import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startDeadline } from './cpu-deadline.ts';

/** A thread whose CPU time the test sets; null: it gets no processor, and so does not respond. */
function startWithThread({ mock }: TestContext) {
  mock.timers.enable({ apis: ['setTimeout'] });
  const ended: string[] = [];
  const thread = { used_ms: 0 as number | null };
  const usedCpu = async () => thread.used_ms ?? new Promise<number>((resolve) => (respond = resolve));
  let respond: (used_ms: number) => void = () => {};
  const deadline = startDeadline(usedCpu, { cpu_ms: 1_000, wall_ms: 10_000 }, (limit) => ended.push(limit));
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) {
      mock.timers.tick(100);
      await null;
      await null;
    }
  };
  return { thread, ended, deadline, pass, respond: (used_ms: number) => respond(used_ms) };
}

test('a thread that has used its CPU time is over the deadline', async (t) => {
  const { thread, ended, pass } = startWithThread(t);
  await pass(900);
  thread.used_ms = 1_000;
  assert.deepEqual(ended, []);
  await pass(200);
  assert.deepEqual(ended, ['cpu']);
  await pass(10_000);
  assert.deepEqual(ended, ['cpu'], 'only once');
});

test('a thread that got no processor has the rest of its CPU time, however long it waited', async (t) => {
  const { thread, ended, pass, respond } = startWithThread(t);
  thread.used_ms = null;
  await pass(5_000);
  assert.deepEqual(ended, []);
  respond(200);
  thread.used_ms = 999;
  await pass(1_000);
  assert.deepEqual(ended, []);
  thread.used_ms = 1_000;
  await pass(100);
  assert.deepEqual(ended, ['cpu']);
});

test('a thread that does not respond at all ends by wall-clock time', async (t) => {
  const { thread, ended, pass } = startWithThread(t);
  thread.used_ms = null;
  await pass(9_900);
  assert.deepEqual(ended, []);
  await pass(100);
  assert.deepEqual(ended, ['wall']);
});

test('nothing happens after a deadline is cleared', async (t) => {
  const { thread, ended, deadline, pass } = startWithThread(t);
  thread.used_ms = 2_000;
  deadline.clear();
  await pass(20_000);
  assert.deepEqual(ended, []);
});
