// Leases of jobs: renewed while their worker runs, taken over from one that is gone, and left alone after an outage of the database.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestDatabase } from '../../test/support/database/test-database.ts';
import { makeWorkerContext } from '../../test/support/servers/make-worker-context.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { openDatabase, openPool } from '../database/connection.ts';
import { poolSizes } from '../database/pool-sizes.ts';
import { claimJobs } from './claim-jobs.ts';
import { enqueue } from './enqueue.ts';
import type { JobDefinition, WorkerContext } from './job-definition.ts';
import { type Job, LEASE_MS, renewLeases } from './jobs.ts';
import { startPolling } from './poll.ts';
import { enqueueRecurring, type RecurringJob, recurringJobDefinition } from './recurring.ts';
import { createWorker } from './worker.ts';

const { database, pool, url, close } = await openTestDatabase();
after(close);

const { context, clock } = makeWorkerContext(database);
const time = () => new Date(clock.now).toISOString();
const WITHIN_MS = 20_000;

const enqueueOne = (kind: string, subject: string) =>
  enqueue(context, [{ kind, subject, fairness_key: 'group', concurrency_key: 'a', run_at: time() }]);

const claim = async (kind: string): Promise<Job[]> => {
  const limits = {
    kind,
    worker: 'another',
    max_jobs: 9,
    max_per_fairness_key: 9,
    max_per_concurrency_key: 9,
    after_key: '',
  };
  const request = { ...limits, after_concurrency_keys: new Map(), takes_expired: true, now: clock.now };
  return (await claimJobs(database, request)).jobs;
};

function define(kind: string, run: (subject: string) => Promise<void>) {
  const saved: string[] = [];
  const definition: JobDefinition<WorkerContext, string, { subject: string }> = {
    kind,
    max_concurrent: 9,
    max_per_fairness_key: 9,
    max_per_concurrency_key: 9,
    load: async (_context, jobs) => new Map(jobs.map(({ subject }) => [subject, subject])),
    async run(_context, subject) {
      await run(subject);
      return { subject, next_run_at: null };
    },
    saveResults: async (_context, results) => void saved.push(...results.map(({ subject }) => subject)),
  };
  return { definition, saved };
}

async function untilRenewed(kind: string): Promise<void> {
  const leasedUntil = async () =>
    (await database.selectFrom('jobs').select('run_at').where('kind', '=', kind).executeTakeFirstOrThrow()).run_at;
  const until = await leasedUntil();
  clock.now += LEASE_MS - 1;
  await waitUntil(async () => (await leasedUntil()) > until, WITHIN_MS, 'the lease is renewed');
}

test('a job that takes longer than its lease is claimed by no other worker, and its result is saved', async () => {
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const { definition, saved } = define('long', () => {
    started.resolve();
    return ended.promise;
  });
  await enqueueOne('long', 'x');
  const worker = createWorker(context, definition);
  worker.start();
  await started.promise;
  for (let renewals = 0; renewals < 2; renewals += 1) {
    await untilRenewed('long');
    assert.deepEqual(await claim('long'), []);
  }
  ended.resolve();
  await waitUntil(async () => saved.length > 0, WITHIN_MS, 'the result is saved');
  await worker.stop();
  assert.deepEqual(saved, ['x']);
});

test('the lease of a job that another worker has claimed since is not renewed', async () => {
  await enqueueOne('lost', 'x');
  const first = await claim('lost');
  clock.now += LEASE_MS;
  const second = await claim('lost');
  const renew = (jobs: Job[]) => renewLeases({ database, kind: 'lost', now: clock.now }, jobs);
  clock.now += LEASE_MS;
  await renew(first);
  assert.equal((await claim('lost')).length, 1);
  await renew(second);
  clock.now += LEASE_MS;
  assert.equal((await claim('lost')).length, 1);
});

test('after an outage of the database due jobs are run at once, and jobs with an expired lease when their holders had time to renew it', async () => {
  await enqueueOne('outage', 'held');
  assert.equal((await claim('outage')).length, 1);
  clock.now += LEASE_MS;
  await enqueueOne('outage', 'due');
  let claims = 0;
  const interrupted: WorkerContext = {
    ...context,
    get database() {
      claims += 1;
      if (claims === 1) throw Object.assign(new Error('terminating connection'), { code: '57P01' });
      return database;
    },
  };
  const { definition, saved } = define('outage', async () => {});
  const worker = createWorker(interrupted, definition);
  worker.start();
  const stopPolling = startPolling(context, [worker]);
  await waitUntil(async () => saved.length === 2, WITHIN_MS, 'both are done');
  stopPolling();
  await worker.stop();
  assert.deepEqual(saved, ['due', 'held']);
});

test('a lease is renewed and a result is saved while as many recurring jobs as there may be keep their connections', async (t) => {
  const background = openPool({ connectionString: url }, { size: poolSizes.background });
  const own = { ...context, database: openDatabase(background) };
  const held = await pool.connect();
  await held.query('select pg_advisory_lock(1)');
  let busy = 0;
  const recurring: RecurringJob<WorkerContext>[] = Array.from({ length: 2 * poolSizes.background }, (_, i) => ({
    name: `retention ${i}`,
    every_ms: 3_600_000,
    async run() {
      busy += 1;
      await background.query('select pg_advisory_lock_shared(1), pg_advisory_unlock_shared(1)');
      return false;
    },
  }));
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const { definition, saved } = define('delivery', () => {
    started.resolve();
    return ended.promise;
  });
  const worker = createWorker(own, definition);
  const retention = createWorker(own, recurringJobDefinition(recurring));
  t.after(async () => {
    held.release(true); // and with it the lock
    ended.resolve();
    await Promise.all([worker.stop(), retention.stop()]);
    await own.database.destroy();
  });
  await enqueueOne('delivery', 'x');
  worker.start();
  await started.promise;
  await enqueueRecurring(own, recurring);
  retention.start();
  await waitUntil(async () => busy >= 2, WITHIN_MS, 'recurring jobs run');
  await untilRenewed('delivery');
  ended.resolve();
  await waitUntil(async () => saved.length > 0, WITHIN_MS, 'the result is saved');
  await held.query('select pg_advisory_unlock(1)');
  await waitUntil(async () => busy === recurring.length, WITHIN_MS, 'every recurring job has its turn');
});
