// Which jobs are claimed when not all can be: fairly between fairness keys, and between the concurrency keys of one.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase } from '../../test/support/database/test-database.ts';
import { type ClaimRequest, claimJobs } from './claim-jobs.ts';
import { finishJobs, type Job } from './jobs.ts';

const { database, close } = await openTestDatabase();
after(close);

const now = Date.parse('2026-11-15T00:00:00Z');
const kind = 'test';

async function insertJobs(
  fairness_key: string,
  concurrency_keys: number,
  jobs_per_key: number,
  state: 'ready' | 'waiting' = 'ready',
): Promise<void> {
  const run_at = new Date(now).toISOString();
  const jobs = Array.from({ length: concurrency_keys * jobs_per_key }, (_, i) => {
    const concurrency_key = `${fairness_key}${String(i % concurrency_keys).padStart(3, '0')}`;
    return { kind, fairness_key, concurrency_key, subject: `${concurrency_key} ${i}`, run_at, state };
  });
  await database.insertInto('jobs').values(jobs).execute();
}

const claim = (request: Partial<ClaimRequest> = {}) =>
  claimJobs(database, {
    kind,
    worker: 'a worker',
    max_jobs: 1000,
    max_per_fairness_key: 50,
    max_per_concurrency_key: 5,
    after_key: '',
    after_concurrency_keys: new Map(),
    takes_expired: true,
    now,
    ...request,
  });
const finish = (jobs: Job[]) =>
  finishJobs(
    database,
    kind,
    jobs.map((job) => ({ job, next_run_at: null, failures: 0 })),
  );
const countBy = (jobs: Job[], name: 'fairness_key' | 'concurrency_key') =>
  Object.fromEntries([...Map.groupBy(jobs, (job) => job[name])].map(([key, some]) => [key, some.length]).sort());
const clear = () => sql`delete from jobs`.execute(database);

test('a fairness key never exceeds its slots, however many concurrency keys it has, and delays no other', async () => {
  await insertJobs('a', 200, 5);
  assert.deepEqual(countBy((await claim()).jobs, 'fairness_key'), { a: 50 });
  assert.deepEqual((await claim()).jobs, []);
  await insertJobs('b', 1, 2);
  assert.deepEqual(countBy((await claim()).jobs, 'fairness_key'), { b: 2 });
  await clear();
});

test('concurrent claims never exceed the slots of a fairness key', async () => {
  await insertJobs('a', 200, 5);
  const claimed = await Promise.all(Array.from({ length: 8 }, () => claim()));
  assert.equal(claimed.flatMap(({ jobs }) => jobs).length, 50);
  await clear();
});

test('free slots are divided between the fairness keys, whatever the number of their jobs', async () => {
  for (const [key, concurrency_keys] of [
    ['a', 200],
    ['b', 20],
    ['c', 2],
  ] as const)
    await insertJobs(key, concurrency_keys, 5);
  const first = await claim({ max_jobs: 12 });
  assert.deepEqual(countBy(first.jobs, 'fairness_key'), { a: 4, b: 4, c: 4 });
  assert.equal(first.may_have_more, true);
  await clear();
});

test('fairness keys are served round robin when one slot becomes free at a time', async () => {
  for (const key of ['a', 'b', 'c']) await insertJobs(key, 20, 5);
  const order: string[] = [];
  let after_key = '';
  for (let i = 0; i < 6; i += 1) {
    const { jobs, last_key } = await claim({ max_jobs: 1, after_key });
    after_key = last_key;
    order.push(...jobs.map(({ fairness_key }) => fairness_key));
    await finish(jobs);
  }
  assert.deepEqual(order, ['a', 'b', 'c', 'a', 'b', 'c']);
  await clear();
});

test('the concurrency keys of a fairness key are served round robin when it has fewer slots than they need', async () => {
  await insertJobs('a', 30, 5);
  const after_concurrency_keys = new Map<string, string>();
  const served = new Set<string>();
  for (let i = 0; i < 30; i += 1) {
    const { jobs } = await claim({ max_per_fairness_key: 3, max_per_concurrency_key: 1, after_concurrency_keys });
    for (const { fairness_key, concurrency_key } of jobs) {
      after_concurrency_keys.set(fairness_key, concurrency_key);
      served.add(concurrency_key);
    }
    await finish(jobs);
  }
  assert.equal(served.size, 30);
  await clear();
});

test('when more jobs are due than one claim makes ready, it reports that there may be more', async () => {
  await insertJobs('a', 1, 1500, 'waiting');
  assert.equal((await claim()).may_have_more, true);
  assert.equal((await claim()).may_have_more, false);
  await clear();
});
