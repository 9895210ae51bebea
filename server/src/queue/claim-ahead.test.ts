// Jobs that are claimed ahead of what runs: for concurrency keys whose jobs are done quickly, within the same limits.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase } from '../../test/support/database/test-database.ts';
import { makeWorkerContext } from '../../test/support/servers/make-worker-context.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { type ClaimAhead, claimJobs } from './claim-jobs.ts';
import { enqueue } from './enqueue.ts';
import type { JobDefinition, WorkerContext } from './job-definition.ts';
import { finishJobs, type Job, LEASE_MS } from './jobs.ts';
import { createWorker } from './worker.ts';

const { database, close } = await openTestDatabase();
after(close);

const { context, clock } = makeWorkerContext(database);
const WITHIN_MS = 20_000;
let kinds = 0;
const newKind = () => {
  kinds += 1;
  return `kind-${kinds}`;
};

const enqueueAll = (kind: string, concurrency_key: string, count: number) =>
  enqueue(
    context,
    Array.from({ length: count }, (_, i) => ({
      kind,
      subject: `${concurrency_key} ${i}`,
      fairness_key: 'group',
      concurrency_key,
      run_at: new Date(clock.now + i).toISOString(),
    })),
  );

const claim = async (kind: string, worker: string, ahead: Partial<ClaimAhead> = {}, max_per_fairness_key = 50) => {
  const limits = { kind, worker, max_jobs: 1000, max_per_fairness_key, max_per_concurrency_key: 5, after_key: '' };
  const rest = { after_concurrency_keys: [], takes_expired: true, now: clock.now };
  return (
    await claimJobs(database, {
      ...limits,
      ...rest,
      ahead: { max_jobs: 50, quick_keys: ['a', 'b', 'c'], wanted: [], ...ahead },
    })
  ).jobs;
};
const countOf = (jobs: Job[], key: string) => jobs.filter(({ concurrency_key }) => concurrency_key === key).length;
const finish = (kind: string, jobs: Job[]) =>
  finishJobs(
    database,
    kind,
    jobs.map((job) => ({ job, next_run_at: null, failures: 0 })),
  );

test('of a quick concurrency key some dozens are claimed, of another as many as may run', async () => {
  const kind = newKind();
  for (const key of ['a', 'slow']) await enqueueAll(kind, key, 80);
  clock.now += 100;
  const claimed = await claim(kind, 'one');
  assert.deepEqual([countOf(claimed, 'a'), countOf(claimed, 'slow')], [50, 5]);
});

test('while one worker holds more than may run, others get nothing of the concurrency key; then they share its limit', async () => {
  const kind = newKind();
  await enqueueAll(kind, 'a', 80);
  clock.now += 100;
  const held = await claim(kind, 'one');
  assert.deepEqual(await claim(kind, 'two'), []);
  await finish(kind, held.slice(0, 47));
  assert.equal((await claim(kind, 'two')).length, 2);
  assert.deepEqual(await claim(kind, 'one', { wanted: [{ fairness_key: 'group', concurrency_key: 'a' }] }), []);
});

test('a worker adds to what it holds, and never holds more than it may', async () => {
  const kind = newKind();
  await enqueueAll(kind, 'a', 200);
  clock.now += 200;
  const wanted = [{ fairness_key: 'group', concurrency_key: 'a' }];
  const held = await claim(kind, 'one');
  assert.deepEqual(await claim(kind, 'one', { wanted }), []);
  await finish(kind, held.slice(0, 30));
  assert.equal((await claim(kind, 'one', { wanted })).length, 30);
});

test('what is claimed ahead takes no slots of the fairness key, and its limit holds', async () => {
  const kind = newKind();
  for (const key of ['a', 'b', 'c']) await enqueueAll(kind, key, 100);
  clock.now += 100;
  const claimed = await claim(kind, 'one', {}, 12);
  // Two keys run five each, and the third runs the two that are left.
  assert.deepEqual([countOf(claimed, 'a'), countOf(claimed, 'b'), countOf(claimed, 'c')], [50, 50, 2]);
  const wanted = ['a', 'b', 'c'].map((concurrency_key) => ({ fairness_key: 'group', concurrency_key }));
  await finish(kind, [...claimed.filter(({ concurrency_key }) => concurrency_key === 'a').slice(0, 40)]);
  const more = await claim(kind, 'one', { wanted }, 12);
  assert.deepEqual([countOf(more, 'a'), countOf(more, 'b'), countOf(more, 'c')], [40, 0, 0]);
});

test('a worker whose claim was lost in a crash of PostgreSQL saves nothing, although its token is given again', async () => {
  const kind = newKind();
  await enqueueAll(kind, 'a', 1);
  const [lost] = await claim(kind, 'one');
  await sql`update jobs set state = 'ready', worker = null, fencing_token = fencing_token - 1 where kind = ${kind}`.execute(
    database,
  );
  const [again] = await claim(kind, 'two');
  assert.ok(lost && again);
  assert.equal(again.fencing_token, lost.fencing_token);
  assert.equal((await finish(kind, [lost])).size, 0);
  assert.equal((await finish(kind, [again])).size, 1);
});

/** Jobs that run until they are released, in the order in which they start. */
function defineHeld(kind: string) {
  const started: string[] = [];
  const releases = new Map<string, () => void>();
  let running = 0;
  let most = 0;
  const definition: JobDefinition<WorkerContext, string, { subject: string }> = {
    kind,
    max_concurrent: 100,
    max_per_fairness_key: 50,
    max_per_concurrency_key: 5,
    max_ahead: 50,
    load: async (_context, jobs) => new Map(jobs.map(({ subject }) => [subject, subject])),
    async run(_context, subject) {
      started.push(subject);
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => releases.set(subject, resolve));
      running -= 1;
      return { subject, next_run_at: null };
    },
    saveResults: async () => {},
  };
  const release = (count: number) => {
    for (const [subject, resolve] of [...releases].slice(0, count)) {
      releases.delete(subject);
      resolve();
    }
  };
  return { definition, started, release, most: () => most };
}

const heldOf = async (kind: string) => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from jobs where kind = ${kind} and state = 'claimed'`.execute(database);
  return rows[0]?.count ?? 0;
};

test('a worker runs five of a concurrency key at a time, however many it holds, and all of them in the end', async () => {
  const kind = newKind();
  await enqueueAll(kind, 'a', 120);
  clock.now += 200;
  const { definition, started, release, most } = defineHeld(kind);
  const worker = createWorker(context, definition);
  worker.start();
  await waitUntil(async () => started.length === 5, WITHIN_MS, 'five run');
  assert.equal(await heldOf(kind), 5);
  release(5);
  await waitUntil(async () => (await heldOf(kind)) > 20, WITHIN_MS, 'it claims ahead');
  while (started.length < 120) {
    const before = started.length;
    release(5);
    await waitUntil(async () => started.length > before, WITHIN_MS, 'the next ones start');
  }
  release(5);
  await waitUntil(async () => (await heldOf(kind)) === 0, WITHIN_MS, 'all are saved');
  await worker.stop();
  assert.equal(most(), 5);
  assert.equal(new Set(started).size, 120);
});

test('a worker that stops releases at once what has not started, and saves what runs', async () => {
  const kind = newKind();
  await enqueueAll(kind, 'a', 60);
  clock.now += 100;
  const { definition, started, release } = defineHeld(kind);
  const worker = createWorker(context, definition);
  worker.start();
  await waitUntil(async () => started.length === 5, WITHIN_MS, 'five run');
  release(5);
  await waitUntil(async () => (await heldOf(kind)) > 20, WITHIN_MS, 'it claims ahead');
  const stopping = worker.stop();
  await waitUntil(async () => (await heldOf(kind)) <= 5, WITHIN_MS, 'the others are released');
  release(5);
  await stopping;
  const ran = new Set(started);
  clock.now += LEASE_MS;
  const left = await claim(kind, 'two', { max_jobs: 100 });
  assert.equal(left.length + ran.size, 60);
  assert.deepEqual(
    left.filter(({ subject }) => ran.has(subject)),
    [],
  );
});

test('a worker that was suspended past its leases does not run what it had claimed ahead and another has done', async () => {
  const kind = newKind();
  await enqueueAll(kind, 'a', 40);
  clock.now += 100;
  const { definition, started, release } = defineHeld(kind);
  const worker = createWorker(context, definition);
  const running = worker.runDue(); // renews no lease, as if it were suspended
  await waitUntil(async () => started.length === 5, WITHIN_MS, 'five run');
  release(5);
  await waitUntil(async () => (await heldOf(kind)) > 20, WITHIN_MS, 'it claims ahead');
  const resumes_at = performance.now() + LEASE_MS;
  await waitUntil(async () => performance.now() > resumes_at, WITHIN_MS, 'its leases have expired');
  clock.now += LEASE_MS;
  const ran = started.length;
  const others = await claim(kind, 'two', { max_jobs: 100 });
  assert.equal(others.length, 35);
  await finish(kind, others);
  release(5);
  await running;
  await worker.stop();
  assert.equal(started.length, ran);
});
