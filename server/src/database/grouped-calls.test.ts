import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { ApiError } from '../errors/errors.ts';
import { createGroupedCalls } from './grouped-calls.ts';

const nextTick = () => new Promise(setImmediate);

/** A call that doubles numbers when the test lets it. */
function slowDouble() {
  const calls: { inputs: number[]; finish(): void; fail(error: Error): void }[] = [];
  const runAll = (inputs: number[]) =>
    new Promise<number[]>((resolve, reject) =>
      calls.push({ inputs, finish: () => resolve(inputs.map((each) => each * 2)), fail: reject }),
    );
  return { calls, runAll };
}

/** As PostgreSQL reports it. */
function databaseError(code: string): pg.DatabaseError {
  const error = new pg.DatabaseError('refused', 0, 'error');
  error.code = code;
  return error;
}

test('callers of one tick share a call, those that come while it runs share the next, and each gets its own output', async () => {
  const grouped = createGroupedCalls();
  const { calls, runAll } = slowDouble();
  const call = (input: number) => grouped.run('double', 'a', input, runAll);
  const first = [call(1), call(2)];
  await nextTick();
  const second = [call(3), call(4), call(5)];
  await nextTick();
  assert.deepEqual(
    calls.map(({ inputs }) => inputs),
    [[1, 2]],
  );
  calls[0]?.finish();
  assert.deepEqual(await Promise.all(first), [2, 4]);
  calls[1]?.finish();
  assert.deepEqual(await Promise.all(second), [6, 8, 10]);
  assert.equal(calls.length, 2);
});

test('calls with another kind or id do not wait for one another', async () => {
  const grouped = createGroupedCalls();
  const { calls, runAll } = slowDouble();
  const responses = [
    grouped.run('double', 'a', 1, runAll),
    grouped.run('double', 'b', 2, runAll),
    grouped.run('other', 'a', 3, runAll),
  ];
  await nextTick();
  assert.deepEqual(
    calls.map(({ inputs }) => inputs),
    [[1], [2], [3]],
  );
  for (const { finish } of calls) finish();
  assert.deepEqual(await Promise.all(responses), [2, 4, 6]);
});

test('an input that the database refuses is refused alone', async () => {
  const grouped = createGroupedCalls();
  const runAll = async (inputs: number[]) => {
    if (inputs.includes(2)) throw databaseError('22021');
    return inputs;
  };
  const responses = await Promise.allSettled([1, 2, 3].map((input) => grouped.run('any', 'a', input, runAll)));
  assert.deepEqual(
    responses.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});

for (const [what, error] of [
  ['that is busy', databaseError('55P03')],
  ['that is unavailable', databaseError('57P01')],
  ['whose connection broke, when it is unknown what was done', new Error('Connection terminated unexpectedly')],
] as const)
  test(`with a database ${what}, all fail at once and nothing is tried again`, async () => {
    const grouped = createGroupedCalls();
    let runs = 0;
    const runAll = async (): Promise<number[]> => {
      runs += 1;
      throw error;
    };
    for (const input of await Promise.allSettled([1, 2].map((input) => grouped.run('any', 'a', input, runAll))))
      assert.equal(input.status === 'rejected' && input.reason, error);
    assert.equal(runs, 1);
  });

test('after a deadlock each input is tried alone', async () => {
  const grouped = createGroupedCalls();
  const runAll = async (inputs: number[]) => {
    if (inputs.length > 1) throw databaseError('40P01');
    return inputs;
  };
  assert.deepEqual(await Promise.all([1, 2].map((input) => grouped.run('any', 'a', input, runAll))), [1, 2]);
});

test('after a second the next call starts beside one that hangs', async ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const grouped = createGroupedCalls();
  const { calls, runAll } = slowDouble();
  const hanging = grouped.run('double', 'a', 1, runAll);
  await nextTick();
  const next = grouped.run('double', 'a', 2, runAll);
  mock.timers.tick(999);
  assert.equal(calls.length, 1);
  mock.timers.tick(1);
  assert.equal(calls.length, 2);
  calls[1]?.finish();
  assert.equal(await next, 4);
  calls[0]?.finish();
  assert.equal(await hanging, 2);
});

test('a call has at most 100 inputs, and when 200 wait the next is refused with 503', async () => {
  const grouped = createGroupedCalls();
  const { calls, runAll } = slowDouble();
  const call = (input: number) => grouped.run('double', 'a', input, runAll);
  const responses = [call(0)];
  await nextTick();
  for (let i = 1; i <= 200; i += 1) responses.push(call(i));
  await assert.rejects(call(201), (error) => error instanceof ApiError && error.status === 503);
  for (let i = 0; i < 3; i += 1) {
    calls[i]?.finish();
    await nextTick();
  }
  assert.equal((await Promise.all(responses))[200], 400);
  assert.deepEqual(
    calls.map(({ inputs }) => inputs.length),
    [1, 100, 100],
  );
});
