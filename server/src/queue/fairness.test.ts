// Which jobs are taken when not all can be: fairly between fairness keys, and between the lanes of one.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase } from '../../test/test-database.ts';
import { endJobs, type Job, takeJobs, type Wanted } from './jobs.ts';

const { database, close } = await openTestDatabase();
after(close);

const now = Date.parse('2026-11-15T00:00:00Z');
const kind = 'test';

async function put(
  fairness_key: string,
  lanes: number,
  jobs_per_lane: number,
  state: 'ready' | 'waiting' = 'ready',
): Promise<void> {
  const run_at = new Date(now).toISOString();
  const jobs = Array.from({ length: lanes * jobs_per_lane }, (_, i) => {
    const lane = `${fairness_key}${String(i % lanes).padStart(3, '0')}`;
    return { kind, fairness_key, lane, subject: `${lane} ${i}`, run_at, state };
  });
  await database.insertInto('jobs').values(jobs).execute();
}

const take = (wanted: Partial<Wanted> = {}) => {
  const usual = { kind, room: 1000, per_group: 50, per_lane: 5, after_key: '', after_lanes: new Map(), now };
  return takeJobs(database, { ...usual, ...wanted });
};
const end = (jobs: Job[]) =>
  endJobs(
    database,
    kind,
    jobs.map((job) => ({ job, again_at: null, failures: 0 })),
  );
const countBy = (jobs: Job[], name: 'fairness_key' | 'lane') =>
  Object.fromEntries([...Map.groupBy(jobs, (job) => job[name])].map(([key, some]) => [key, some.length]).sort());
const clear = () => sql`delete from jobs`.execute(database);

test('a key has no more slots than its share, however many lanes it has, and another is not delayed by it', async () => {
  await put('a', 200, 5);
  assert.deepEqual(countBy((await take()).jobs, 'fairness_key'), { a: 50 });
  assert.deepEqual((await take()).jobs, []);
  await put('b', 1, 2);
  assert.deepEqual(countBy((await take()).jobs, 'fairness_key'), { b: 2 });
  await clear();
});

test('takers at the same moment never exceed the share of a key', async () => {
  await put('a', 200, 5);
  const taken = await Promise.all(Array.from({ length: 8 }, () => take()));
  assert.equal(taken.flatMap(({ jobs }) => jobs).length, 50);
  await clear();
});

test('what room there is, is divided between the keys, whatever the number of their jobs', async () => {
  for (const [key, lanes] of [
    ['a', 200],
    ['b', 20],
    ['c', 2],
  ] as const)
    await put(key, lanes, 5);
  const first = await take({ room: 12 });
  assert.deepEqual(countBy(first.jobs, 'fairness_key'), { a: 4, b: 4, c: 4 });
  assert.equal(first.may_have_more, true);
  await clear();
});

test('keys take turns when a single slot becomes free at a time', async () => {
  for (const key of ['a', 'b', 'c']) await put(key, 20, 5);
  const order: string[] = [];
  let after_key = '';
  for (let i = 0; i < 6; i += 1) {
    const { jobs, last_key } = await take({ room: 1, after_key });
    after_key = last_key;
    order.push(...jobs.map(({ fairness_key }) => fairness_key));
    await end(jobs);
  }
  assert.deepEqual(order, ['a', 'b', 'c', 'a', 'b', 'c']);
  await clear();
});

test('the lanes of a key take turns when the key has fewer slots than they want', async () => {
  await put('a', 30, 5);
  const after_lanes = new Map<string, string>();
  const lanes = new Set<string>();
  for (let i = 0; i < 30; i += 1) {
    const { jobs } = await take({ per_group: 3, per_lane: 1, after_lanes });
    for (const { fairness_key, lane } of jobs) {
      after_lanes.set(fairness_key, lane);
      lanes.add(lane);
    }
    await end(jobs);
  }
  assert.equal(lanes.size, 30);
  await clear();
});

test('with more jobs due than are woken at once, the next look follows at once', async () => {
  await put('a', 1, 1500, 'waiting');
  assert.equal((await take()).may_have_more, true);
  assert.equal((await take()).may_have_more, false);
  await clear();
});
