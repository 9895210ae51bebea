// The queue by itself: the limit of a concurrency key, leases and fencing tokens, retries, an unavailable database.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import { openTestDatabase } from '../../test/support/database/test-database.ts';
import { makeWorkerContext } from '../../test/support/servers/make-worker-context.ts';
import { createLog } from '../log/log.ts';
import { claimJobs } from './claim-jobs.ts';
import { enqueue } from './enqueue.ts';
import type { JobDefinition, WorkerContext } from './job-definition.ts';
import { finishJobs, LEASE_MS } from './jobs.ts';
import { createWorker } from './worker.ts';

const { database, close } = await openTestDatabase();
after(close);

const { context, clock } = makeWorkerContext(database);

let kinds = 0;
const newKind = () => {
  kinds += 1;
  return `kind-${kinds}`;
};
const at = (ms: number) => new Date(ms).toISOString();
const enqueueAll = (kind: string, concurrency_key: string, subjects: string[], run_at = clock.now) =>
  enqueue(
    context,
    subjects.map((subject) => ({ kind, fairness_key: 'group', concurrency_key, subject, run_at: at(run_at) })),
  );
type Claim = { max_jobs?: number; max_per_concurrency_key?: number; after?: string };
const claim = async (kind: string, request: Claim = {}) => {
  const { max_jobs = 100, max_per_concurrency_key = 5, after = '' } = request;
  const after_concurrency_keys = new Map([['group', after]]);
  const limits = { kind, worker: 'a worker', max_jobs, max_per_fairness_key: 100, max_per_concurrency_key };
  return (
    await claimJobs(database, { ...limits, after_key: '', after_concurrency_keys, takes_expired: true, now: clock.now })
  ).jobs;
};
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `a${i}`);
const subjects = (jobs: { subject: string }[]) => jobs.map(({ subject }) => subject).sort();

/** A job definition that records which jobs were saved. */
function recordRuns(kind: string, run: (subject: string) => Promise<number | null> = async () => null) {
  const saved: string[] = [];
  const definition: JobDefinition<WorkerContext, string, { subject: string }> = {
    kind,
    max_concurrent: 100,
    max_per_fairness_key: 100,
    max_per_concurrency_key: 5,
    load: async (_context, jobs) => new Map(jobs.map(({ subject }) => [subject, subject])),
    run: async (_context, subject) => ({ subject, next_run_at: await run(subject) }),
    saveResults: async (_context, results) => {
      saved.push(...results.map(({ subject }) => subject));
    },
  };
  return { definition, saved };
}

test('a concurrency key with many jobs delays no other, and at most five jobs of each are claimed', async () => {
  const kind = newKind();
  await enqueueAll(kind, 'a', numbered(200));
  await enqueueAll(kind, 'b', ['b1', 'b2']);
  await enqueueAll(kind, 'c', ['c1']);
  const claimed = await claim(kind);
  const counts = [...Map.groupBy(claimed, ({ concurrency_key }) => concurrency_key)].map(
    ([key, jobs]) => `${key}: ${jobs.length}`,
  );
  assert.deepEqual(counts.sort(), ['a: 5', 'b: 2', 'c: 1']);
  assert.deepEqual(await claim(kind), []);
  const [first] = claimed.filter(({ concurrency_key }) => concurrency_key === 'a');
  assert.ok(first);
  await finishJobs(database, kind, [{ job: first, next_run_at: null, failures: 0 }]);
  assert.equal((await claim(kind)).length, 1);
});

test('concurrency keys are served round robin when not all jobs can be claimed', async () => {
  const kind = newKind();
  for (const key of ['a', 'b', 'c']) await enqueueAll(kind, key, [`${key}1`, `${key}2`]);
  assert.deepEqual(subjects(await claim(kind, { max_jobs: 2, max_per_concurrency_key: 1 })), ['a1', 'b1']);
  assert.deepEqual(subjects(await claim(kind, { max_jobs: 2, max_per_concurrency_key: 1, after: 'b' })), ['c1']);
});

test('concurrent claims never exceed the limit of a concurrency key, and claim no job twice', async () => {
  const kind = newKind();
  await enqueueAll(kind, 'a', numbered(50));
  const claimed = (await Promise.all(Array.from({ length: 8 }, () => claim(kind)))).flat();
  assert.equal(claimed.length, 5);
  assert.equal(new Set(subjects(claimed)).size, 5);
});

test('a job is not claimed before its time, and again only when its lease has expired', async () => {
  const kind = newKind();
  await enqueueAll(kind, 'a', ['later'], clock.now + 1000);
  assert.deepEqual(await claim(kind), []);
  clock.now += 1000;
  const [first] = await claim(kind);
  assert.ok(first);
  clock.now += LEASE_MS - 1;
  assert.deepEqual(await claim(kind), []);
  clock.now += 1;
  const [second] = await claim(kind);
  assert.equal(second?.fencing_token, 2);
  assert.equal((await finishJobs(database, kind, [{ job: first, next_run_at: null, failures: 0 }])).size, 0);
  assert.equal((await finishJobs(database, kind, [{ job: second, next_run_at: null, failures: 0 }])).size, 1);
});

test('a job exists exactly if the transaction that enqueued it commits', async () => {
  const kind = newKind();
  const job = { kind, fairness_key: '', concurrency_key: 'a', subject: 'x', run_at: at(clock.now) };
  const failed = database.transaction().execute(async (database) => {
    await enqueue({ ...context, database }, [job]);
    throw new Error('changed my mind');
  });
  await assert.rejects(failed, /changed my mind/);
  assert.deepEqual(await claim(kind), []);
});

test('a job enqueued again while it waits is one job, due at the new time', async () => {
  const kind = newKind();
  await enqueueAll(kind, 'a', ['x'], clock.now + 60_000);
  await enqueueAll(kind, 'a', ['x']);
  assert.deepEqual(subjects(await claim(kind)), ['x']);
});

test('a worker runs all due jobs, also those that become due again while it runs', async () => {
  const kind = newKind();
  let left = 3;
  const { definition, saved } = recordRuns(kind, async () => {
    left -= 1;
    return left > 0 ? clock.now : null;
  });
  await enqueueAll(kind, 'a', ['x']);
  await createWorker(context, definition).runDue();
  assert.deepEqual(saved, ['x', 'x', 'x']);
});

test('a job that throws is tried again after a delay that grows', async () => {
  const kind = newKind();
  let calls = 0;
  const { definition, saved } = recordRuns(kind, async () => {
    calls += 1;
    if (calls < 3) throw new Error('broken');
    return null;
  });
  const worker = createWorker(context, definition);
  await enqueueAll(kind, 'a', ['x']);
  await worker.runDue();
  clock.now += 1200;
  await worker.runDue();
  assert.deepEqual([calls, saved], [2, []]);
  clock.now += 1200;
  await worker.runDue();
  assert.equal(calls, 2);
  clock.now += 1200;
  await worker.runDue();
  assert.deepEqual([calls, saved], [3, ['x']]);
});

test('a job whose result cannot be saved is not finished', async () => {
  const kind = newKind();
  const { definition } = recordRuns(kind);
  const failing = { ...definition, saveResults: () => Promise.reject(new Error('no')) };
  await enqueueAll(kind, 'a', ['x']);
  await createWorker(context, failing).runDue();
  assert.deepEqual(await claim(kind), []);
  clock.now += LEASE_MS;
  assert.deepEqual(subjects(await claim(kind)), ['x']);
});

test('a result that cannot be saved affects no other result, and its own job is tried again', async () => {
  const kind = newKind();
  const { definition, saved } = recordRuns(kind);
  const failingForBad = {
    ...definition,
    saveResults: async (context: WorkerContext, results: { subject: string }[]) => {
      if (results.some(({ subject }) => subject === 'bad')) throw new Error('no');
      await definition.saveResults(context, results);
    },
  };
  await enqueueAll(kind, 'a', ['x', 'bad', 'y']);
  await createWorker(context, failingForBad).runDue();
  assert.deepEqual(saved.sort(), ['x', 'y']);
  clock.now += LEASE_MS;
  const [left, ...more] = await claim(kind);
  assert.deepEqual([left?.subject, left?.failures, more.length], ['bad', 1, 0]);
});

test('a job that fails twenty times is given up where its definition has giveUp, and tried for ever elsewhere', async () => {
  const givenUp: string[] = [];
  const { definition } = recordRuns(newKind(), () => Promise.reject(new Error('broken')));
  const withGiveUp = {
    ...definition,
    giveUp: async (_context: WorkerContext, subjects: string[]) => {
      givenUp.push(...subjects);
    },
  };
  const withoutGiveUp = { ...definition, kind: newKind() };
  for (const each of [withGiveUp, withoutGiveUp]) {
    await enqueueAll(each.kind, 'a', ['x']);
    const worker = createWorker(context, each);
    for (let i = 0; i < 25; i += 1) {
      await worker.runDue();
      clock.now += 2 * 3_600_000;
    }
  }
  assert.deepEqual(givenUp, ['x']);
  assert.deepEqual(await claim(withGiveUp.kind), []);
  assert.equal((await claim(withoutGiveUp.kind))[0]?.failures, 25);
});

test('an unavailable database does not count as a failure of the job', async () => {
  const kind = newKind();
  const { definition } = recordRuns(kind, () => Promise.reject(Object.assign(new Error('away'), { code: '57P01' })));
  await enqueueAll(kind, 'a', ['x']);
  await createWorker(context, definition).runDue();
  clock.now += LEASE_MS;
  assert.equal((await claim(kind))[0]?.failures, 0);
});

test('a worker that stops releases the jobs it had not finished', async () => {
  const kind = newKind();
  const started = Promise.withResolvers<void>();
  const { definition, saved } = recordRuns(kind, () => {
    started.resolve();
    return new Promise(() => {});
  });
  await enqueueAll(kind, 'a', ['x']);
  const worker = createWorker(context, definition, 0);
  const running = worker.runDue();
  await started.promise;
  await worker.stop();
  await running;
  assert.deepEqual(subjects(await claim(kind)), ['x']);
  assert.deepEqual(saved, []);
});

test('a result that arrives after its worker has stopped is not saved, since the database may be closed by then', async () => {
  const own = await openTestDatabase();
  const logged: object[] = [];
  const log = Object.assign(createLog('silent'), { error: (fields: object) => logged.push(fields) });
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<null>();
  const { definition } = recordRuns(newKind(), () => {
    started.resolve();
    return ended.promise;
  });
  await enqueue({ ...context, database: own.database }, [
    { kind: definition.kind, fairness_key: '', concurrency_key: 'a', subject: 'x', run_at: at(clock.now) },
  ]);
  const worker = createWorker({ ...context, database: own.database, log }, definition, 0);
  const running = worker.runDue();
  await started.promise;
  const stopping = worker.stop();
  await immediate(); // the worker is releasing the job
  ended.resolve(null);
  await stopping;
  await running;
  await own.close();
  for (let i = 0; i < 20; i += 1) await immediate(); // a late write would have failed by now
  assert.deepEqual(logged, []);
});
