import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../errors.ts';
import { createPermits } from './permits.ts';

/** Work that runs until `end` is called. */
function startWork(run: (work: () => Promise<void>) => Promise<void>) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const work = { is_running: false, end: () => end(), done: Promise.resolve() };
  work.done = run(() => {
    work.is_running = true;
    return ended;
  });
  work.done.catch(() => {});
  return work;
}

const isBusy = (error: unknown) =>
  error instanceof ApiError && error.status === 503 && error.headers['retry-after'] === '1';

test('four requests of a group run at the same time; the fifth starts when one ends, and other groups are not affected', async () => {
  const permits = createPermits();
  const work = Array.from({ length: 6 }, () => startWork((work) => permits.run('a', work)));
  const other = startWork((work) => permits.run('b', work));
  assert.deepEqual(
    work.map(({ is_running }) => is_running),
    [true, true, true, true, false, false],
  );
  assert.equal(other.is_running, true);
  work[2]?.end();
  await work[2]?.done;
  assert.deepEqual([work[4]?.is_running, work[5]?.is_running], [true, false]);
  for (const { end } of [...work, other]) end();
  await Promise.all(work.map(({ done }) => done));
});

test('work that fails releases its permit', async () => {
  const permits = createPermits();
  for (let i = 0; i < 20; i += 1)
    await assert.rejects(
      permits.run('a', async () => {
        throw new Error('failed');
      }),
      /failed/,
    );
  assert.equal(await permits.run('a', async () => 'worked'), 'worked');
});

test('when 200 requests of a group wait, the next is refused with 503, unless it must run', async () => {
  const permits = createPermits();
  const work = Array.from({ length: 204 }, () => startWork((work) => permits.run('a', work)));
  await assert.rejects(
    permits.run('a', async () => {}),
    isBusy,
  );
  const must = startWork((work) => permits.run('a', work, { must_run: true }));
  for (const { end } of [...work, must]) end();
  await Promise.all([...work, must].map(({ done }) => done));
  assert.equal(must.is_running, true);
});

test('a request that waits for more than five seconds is refused with 503, and leaves the queue', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const permits = createPermits();
  const work = Array.from({ length: 4 }, () => startWork((work) => permits.run('a', work)));
  const waiting = startWork((work) => permits.run('a', work));
  const must = startWork((work) => permits.run('a', work, { must_run: true }));
  t.mock.timers.tick(5_001);
  await assert.rejects(waiting.done, isBusy);
  for (const { end } of [...work, must]) end();
  await Promise.all([...work, must].map(({ done }) => done));
  assert.deepEqual([waiting.is_running, must.is_running], [false, true]);
});
