// The queue by itself: fair between lanes, exact about leases, alive when the database is not.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { openTestDatabase } from '../../test/test-database.ts';
import { noChanges } from '../database/transact.ts';
import { createLog } from '../log.ts';
import { enqueue } from './enqueue.ts';
import { createJobNotifier } from './job-notifier.ts';
import { endJobs, LEASE_MS, takeJobs } from './jobs.ts';
import { enqueueRecurring, type Recurring, recurringWork } from './recurring.ts';
import { createWorker, type Work, type World } from './worker.ts';

const { database, close } = await openTestDatabase();
after(close);

const clock = { now: Date.parse('2026-11-15T00:00:00Z') };
const world: World = {
  database,
  changes: noChanges,
  cache: { invalidate: () => {} },
  now: () => clock.now,
  log: createLog('silent'),
  job_notifier: createJobNotifier(async () => {}).job_notifier,
};

let kinds = 0;
const newKind = () => {
  kinds += 1;
  return `kind-${kinds}`;
};
const at = (ms: number) => new Date(ms).toISOString();
const put = (kind: string, lane: string, subjects: string[], run_at = clock.now) =>
  enqueue(
    world,
    subjects.map((subject) => ({ kind, fairness_key: 'group', lane, subject, run_at: at(run_at) })),
  );
const take = async (kind: string, wanted: { room?: number; per_lane?: number; after_lane?: string } = {}) => {
  const { room = 100, per_lane = 5, after_lane = '' } = wanted;
  const after_lanes = new Map([['group', after_lane]]);
  const limits = { kind, room, per_group: 100, per_lane };
  return (await takeJobs(database, { ...limits, after_key: '', after_lanes, now: clock.now })).jobs;
};
const subjects = (jobs: { subject: string }[]) => jobs.map(({ subject }) => subject).sort();

/** Work that only remembers what it did. */
function remember(kind: string, run: (subject: string) => Promise<number | null> = async () => null) {
  const settled: string[] = [];
  const work: Work<World, string, { subject: string }> = {
    kind,
    at_once: 100,
    per_group: 100,
    per_lane: 5,
    load: async (_world, jobs) => new Map(jobs.map(({ subject }) => [subject, subject])),
    run: async (_world, subject) => ({ subject, again_at: await run(subject) }),
    settle: async (_world, results) => {
      settled.push(...results.map(({ subject }) => subject));
    },
  };
  return { work, settled };
}

test('a long lane delays no other, and each lane has at most its five', async () => {
  const kind = newKind();
  await put(
    kind,
    'a',
    Array.from({ length: 200 }, (_, i) => `a${i}`),
  );
  await put(kind, 'b', ['b1', 'b2']);
  await put(kind, 'c', ['c1']);
  const taken = await take(kind);
  const counts = [...Map.groupBy(taken, ({ lane }) => lane)].map(([lane, jobs]) => `${lane}: ${jobs.length}`);
  assert.deepEqual(counts.sort(), ['a: 5', 'b: 2', 'c: 1']);
  assert.deepEqual(await take(kind), []);
  const [first] = taken.filter(({ lane }) => lane === 'a');
  assert.ok(first);
  await endJobs(database, kind, [{ job: first, again_at: null, failures: 0 }]);
  assert.equal((await take(kind)).length, 1);
});

test('lanes take turns when there is not room for all', async () => {
  const kind = newKind();
  for (const lane of ['a', 'b', 'c']) await put(kind, lane, [`${lane}1`, `${lane}2`]);
  assert.deepEqual(subjects(await take(kind, { room: 2, per_lane: 1 })), ['a1', 'b1']);
  assert.deepEqual(subjects(await take(kind, { room: 2, per_lane: 1, after_lane: 'b' })), ['c1']);
});

test('two takers at the same moment never get more than the lane allows, and no job twice', async () => {
  const kind = newKind();
  await put(
    kind,
    'a',
    Array.from({ length: 50 }, (_, i) => `a${i}`),
  );
  const taken = (await Promise.all(Array.from({ length: 8 }, () => take(kind)))).flat();
  assert.equal(taken.length, 5);
  assert.equal(new Set(subjects(taken)).size, 5);
});

test('a job is not taken before its time, and again only when its lease has run out', async () => {
  const kind = newKind();
  await put(kind, 'a', ['later'], clock.now + 1000);
  assert.deepEqual(await take(kind), []);
  clock.now += 1000;
  const [first] = await take(kind);
  assert.ok(first);
  clock.now += LEASE_MS - 1;
  assert.deepEqual(await take(kind), []);
  clock.now += 1;
  const [second] = await take(kind);
  assert.equal(second?.takes, 2);
  assert.equal((await endJobs(database, kind, [{ job: first, again_at: null, failures: 0 }])).size, 0);
  assert.equal((await endJobs(database, kind, [{ job: second, again_at: null, failures: 0 }])).size, 1);
});

test('a job exists exactly if the transaction that enqueued it commits', async () => {
  const kind = newKind();
  const job = { kind, fairness_key: '', lane: 'a', subject: 'x', run_at: at(clock.now) };
  const failed = database.transaction().execute(async (database) => {
    await enqueue({ ...world, database }, [job]);
    throw new Error('changed my mind');
  });
  await assert.rejects(failed, /changed my mind/);
  assert.deepEqual(await take(kind), []);
});

test('a job enqueued again while it waits is one job, due at the new time', async () => {
  const kind = newKind();
  await put(kind, 'a', ['x'], clock.now + 60_000);
  await put(kind, 'a', ['x']);
  assert.deepEqual(subjects(await take(kind)), ['x']);
});

test('a worker does all that is due, also what its own work makes due again', async () => {
  const kind = newKind();
  let left = 3;
  const { work, settled } = remember(kind, async () => {
    left -= 1;
    return left > 0 ? clock.now : null;
  });
  await put(kind, 'a', ['x']);
  await createWorker(world, work).runDue();
  assert.deepEqual(settled, ['x', 'x', 'x']);
});

test('work that throws is tried again after a pause that grows', async () => {
  const kind = newKind();
  let calls = 0;
  const { work, settled } = remember(kind, async () => {
    calls += 1;
    if (calls < 3) throw new Error('broken');
    return null;
  });
  const worker = createWorker(world, work);
  await put(kind, 'a', ['x']);
  await worker.runDue();
  clock.now += 1200;
  await worker.runDue();
  assert.deepEqual([calls, settled], [2, []]);
  clock.now += 1200;
  await worker.runDue();
  assert.equal(calls, 2);
  clock.now += 1200;
  await worker.runDue();
  assert.deepEqual([calls, settled], [3, ['x']]);
});

test('if what a job did cannot be written down, the job is not done', async () => {
  const kind = newKind();
  const { work } = remember(kind);
  const failing = { ...work, settle: () => Promise.reject(new Error('no')) };
  await put(kind, 'a', ['x']);
  await createWorker(world, failing).runDue();
  assert.deepEqual(await take(kind), []);
  clock.now += LEASE_MS;
  assert.deepEqual(subjects(await take(kind)), ['x']);
});

test('one result that cannot be written down takes no other with it, and its own job is tried again', async () => {
  const kind = newKind();
  const { work, settled } = remember(kind);
  const picky = {
    ...work,
    settle: async (world: World, results: { subject: string }[]) => {
      if (results.some(({ subject }) => subject === 'bad')) throw new Error('no');
      await work.settle(world, results);
    },
  };
  await put(kind, 'a', ['x', 'bad', 'y']);
  await createWorker(world, picky).runDue();
  assert.deepEqual(settled.sort(), ['x', 'y']);
  clock.now += LEASE_MS;
  const [left, ...more] = await take(kind);
  assert.deepEqual([left?.subject, left?.failures, more.length], ['bad', 1, 0]);
});

test('a job that breaks twenty times is given up where its work says how, and tried for ever elsewhere', async () => {
  const abandoned: string[] = [];
  const { work } = remember(newKind(), () => Promise.reject(new Error('broken')));
  const finite = {
    ...work,
    abandon: async (_world: World, subjects: string[]) => {
      abandoned.push(...subjects);
    },
  };
  const endless = { ...work, kind: newKind() };
  for (const each of [finite, endless]) {
    await put(each.kind, 'a', ['x']);
    const worker = createWorker(world, each);
    for (let i = 0; i < 25; i += 1) {
      await worker.runDue();
      clock.now += 2 * 3_600_000;
    }
  }
  assert.deepEqual(abandoned, ['x']);
  assert.deepEqual(await take(finite.kind), []);
  assert.equal((await take(endless.kind))[0]?.failures, 25);
});

test('a database that is away does not count as a failure of the job', async () => {
  const kind = newKind();
  const { work } = remember(kind, () => Promise.reject(Object.assign(new Error('away'), { code: '57P01' })));
  await put(kind, 'a', ['x']);
  await createWorker(world, work).runDue();
  clock.now += LEASE_MS;
  assert.equal((await take(kind))[0]?.failures, 0);
});

test('a worker that stops gives back what it had not done', async () => {
  const kind = newKind();
  const begun = Promise.withResolvers<void>();
  const { work, settled } = remember(kind, () => {
    begun.resolve();
    return new Promise(() => {});
  });
  await put(kind, 'a', ['x']);
  const worker = createWorker(world, work, 0);
  const running = worker.runDue();
  await begun.promise;
  await worker.stop();
  await running;
  assert.deepEqual(subjects(await take(kind)), ['x']);
  assert.deepEqual(settled, []);
});

test('what ends after its worker has stopped is not written down, for the database may be closed by then', async () => {
  const own = await openTestDatabase();
  const logged: object[] = [];
  const log = Object.assign(createLog('silent'), { error: (fields: object) => logged.push(fields) });
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<null>();
  const { work } = remember(newKind(), () => {
    begun.resolve();
    return ended.promise;
  });
  await enqueue({ ...world, database: own.database }, [
    { kind: work.kind, fairness_key: '', lane: 'a', subject: 'x', run_at: at(clock.now) },
  ]);
  const worker = createWorker({ ...world, database: own.database, log }, work, 0);
  const running = worker.runDue();
  await begun.promise;
  const stopping = worker.stop();
  await turn(); // it is giving the job back
  ended.resolve(null);
  await stopping;
  await running;
  await own.close();
  for (let i = 0; i < 20; i += 1) await turn(); // whatever would have been written is refused by now
  assert.deepEqual(logged, []);
});

test('recurring work runs once in its interval, however many replicas there are', async () => {
  let runs = 0;
  const all: Recurring<World>[] = [
    {
      name: 'tick',
      every_ms: 60_000,
      run: async () => {
        runs += 1;
        return false;
      },
    },
  ];
  const replicas = [createWorker(world, recurringWork(all)), createWorker(world, recurringWork(all))];
  const turn = async () => {
    await Promise.all(replicas.map(() => enqueueRecurring(world, all)));
    await Promise.all(replicas.map((replica) => replica.runDue()));
  };
  await turn();
  await turn();
  assert.equal(runs, 1);
  clock.now += 60_000;
  await turn();
  assert.equal(runs, 2);
});
