import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../errors/errors.ts';
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

const one = { id: 'project_a', fairness_key: 'a' };
const other = { id: 'project_b', fairness_key: 'b' };

const isBusy = (error: unknown) =>
  error instanceof ApiError && error.status === 503 && error.headers['retry-after'] === '1';

test('four requests with one fairness key run at the same time; the fifth starts when one ends, and other keys are not affected', async () => {
  const permits = createPermits();
  const work = Array.from({ length: 6 }, () => startWork((work) => permits.run(one, work)));
  const another = startWork((work) => permits.run(other, work));
  assert.deepEqual(
    work.map(({ is_running }) => is_running),
    [true, true, true, true, false, false],
  );
  assert.equal(another.is_running, true);
  work[2]?.end();
  await work[2]?.done;
  assert.deepEqual([work[4]?.is_running, work[5]?.is_running], [true, false]);
  for (const { end } of [...work, another]) end();
  await Promise.all(work.map(({ done }) => done));
});

test('work that fails releases its permit', async () => {
  const permits = createPermits();
  for (let i = 0; i < 20; i += 1)
    await assert.rejects(
      permits.run(one, async () => {
        throw new Error('failed');
      }),
      /failed/,
    );
  assert.equal(await permits.run(one, async () => 'worked'), 'worked');
});

test('when 200 requests of a project wait, the next is refused with 503, unless it must run', async () => {
  const permits = createPermits();
  const work = Array.from({ length: 204 }, () => startWork((work) => permits.run(one, work)));
  await assert.rejects(
    permits.run(one, async () => {}),
    isBusy,
  );
  const must = startWork((work) => permits.run(one, work, { must_run: true }));
  for (const { end } of [...work, must]) end();
  await Promise.all([...work, must].map(({ done }) => done));
  assert.equal(must.is_running, true);
});

test('a request that waits for more than five seconds is refused with 503, and leaves the queue', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const permits = createPermits();
  const work = Array.from({ length: 4 }, () => startWork((work) => permits.run(one, work)));
  const waiting = startWork((work) => permits.run(one, work));
  const must = startWork((work) => permits.run(one, work, { must_run: true }));
  t.mock.timers.tick(5_001);
  await assert.rejects(waiting.done, isBusy);
  for (const { end } of [...work, must]) end();
  await Promise.all([...work, must].map(({ done }) => done));
  assert.deepEqual([waiting.is_running, must.is_running], [false, true]);
});

test('permits go round the projects of a key: one with 200 waiting requests delays another by one turn', async () => {
  const permits = createPermits();
  const busy = Array.from({ length: 204 }, () => startWork((work) => permits.run(one, work)));
  const quiet = Array.from({ length: 2 }, () =>
    startWork((work) => permits.run({ id: 'project_c', fairness_key: 'a' }, work)),
  );
  const running = () => [busy[4], quiet[0], busy[5], quiet[1], busy[6]].map((each) => each?.is_running);
  for (let ended = 0; ended < 4; ended += 1) {
    busy[ended]?.end();
    await busy[ended]?.done;
  }
  assert.deepEqual(running(), [true, true, true, true, false]);
  for (const { end } of [...busy, ...quiet]) end();
  await Promise.all([...busy, ...quiet].map(({ done }) => done));
});

test('when 1,000 requests with a key wait, the next is refused, of whichever project', async () => {
  const permits = createPermits();
  const work = Array.from({ length: 1_004 }, (_, index) =>
    startWork((work) => permits.run({ id: `project_${index % 100}`, fairness_key: 'a' }, work)),
  );
  await assert.rejects(
    permits.run({ id: 'another', fairness_key: 'a' }, async () => {}),
    isBusy,
  );
  for (const { end } of work) end();
  await Promise.all(work.map(({ done }) => done));
});
