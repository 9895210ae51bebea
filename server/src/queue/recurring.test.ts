// Recurring jobs: once in their interval, and in turn.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import { openTestDatabase } from '../../test/support/database/test-database.ts';
import { makeWorkerContext } from '../../test/support/servers/make-worker-context.ts';
import type { WorkerContext } from './job-definition.ts';
import { findDue } from './poll.ts';
import { enqueueRecurring, type RecurringJob, recurringJobDefinition } from './recurring.ts';
import { createWorker } from './worker.ts';

const { database, close } = await openTestDatabase();
after(close);

const { context, clock } = makeWorkerContext(database);

test('a recurring job runs once in its interval, however many replicas there are', async () => {
  let runs = 0;
  const all: RecurringJob<WorkerContext>[] = [
    {
      name: 'tick',
      every_ms: 60_000,
      run: async () => {
        runs += 1;
        return false;
      },
    },
  ];
  const replicas = [
    createWorker(context, recurringJobDefinition(all)),
    createWorker(context, recurringJobDefinition(all)),
  ];
  const runReplicas = async () => {
    await Promise.all(replicas.map(() => enqueueRecurring(context, all)));
    await Promise.all(replicas.map((replica) => replica.runDue()));
  };
  await runReplicas();
  await runReplicas();
  assert.equal(runs, 1);
  clock.now += 60_000;
  await runReplicas();
  assert.equal(runs, 2);
});

test('recurring jobs that have more to do at once take turns with the others', async () => {
  const runs: string[] = [];
  const all: RecurringJob<WorkerContext>[] = ['a', 'b', 'c', 'd', 'e', 'z'].map((name) => ({
    name,
    every_ms: 3_600_000,
    run: async () => {
      runs.push(name);
      return !runs.includes('z');
    },
  }));
  await enqueueRecurring(context, all);
  await createWorker(context, recurringJobDefinition(all)).runDue();
  const before = runs.slice(0, runs.indexOf('z'));
  const most = Math.max(...[...Map.groupBy(before, (name) => name).values()].map(({ length }) => length));
  assert.ok(most <= 2, `before z: ${before.join(' ')}`);
});

test('a recurring job whose condition holds runs before its interval has passed, and no other does', async () => {
  const runs: string[] = [];
  const job = (name: string, due_if?: RawBuilder<boolean>): RecurringJob<WorkerContext> => ({
    name,
    every_ms: 3_600_000,
    ...(due_if ? { due_if } : {}),
    run: async () => {
      runs.push(name);
      return false;
    },
  });
  const wanted = sql<boolean>`exists (select from api_keys)`;
  const all = [job('plain'), job('needed', sql<boolean>`not ${wanted}`), job('not needed', wanted)];
  const worker = createWorker(context, recurringJobDefinition(all));
  await enqueueRecurring(context, all);
  await worker.runDue();
  assert.deepEqual(runs.splice(0).sort(), ['needed', 'not needed', 'plain']);
  clock.now += 1;
  assert.deepEqual(await findDue(context, [], all), ['recurring']);
  await worker.runDue();
  assert.deepEqual(runs, ['needed']);
});
