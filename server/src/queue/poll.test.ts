// Jobs that no notification reports.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestDatabase } from '../../test/support/database/test-database.ts';
import { makeWorkerContext } from '../../test/support/servers/make-worker-context.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { enqueueMissing } from './enqueue.ts';
import type { WorkerContext } from './job-definition.ts';
import { findDue, startPolling } from './poll.ts';

const { database, close } = await openTestDatabase();
after(close);

const { context, clock } = makeWorkerContext(database);
const at = (ms: number) => new Date(clock.now + ms).toISOString();
const enqueueAt = (kind: string, ms: number) =>
  enqueueMissing(database, [{ kind, subject: 'x', fairness_key: '', concurrency_key: 'x', run_at: at(ms) }]);

/** Workers that note when they are woken. */
function makeWorkers(...kinds: string[]) {
  const woken = new Set<string>();
  return { woken, workers: kinds.map((kind) => ({ kind, wake: () => void woken.add(kind) })) };
}

test('only the workers are woken whose jobs are due, and those of a process that has ended are', async () => {
  await enqueueAt('due', 0);
  await enqueueAt('later', 60_000);
  await enqueueAt('left', 60_000);
  await database
    .updateTable('jobs')
    .set({ state: 'claimed', run_at: at(0) })
    .where('kind', '=', 'left')
    .execute();
  const { woken, workers } = makeWorkers('none', 'due', 'later', 'left');
  const stopPolling = startPolling(context, workers);
  await waitUntil(async () => woken.size === 2, 20_000, 'two are woken');
  stopPolling();
  assert.deepEqual([...woken].sort(), ['due', 'left']);
  const later = { ...context, now: () => clock.now + 60_000 };
  const due = await findDue(later, ['none', 'due', 'later', 'left'], []);
  assert.deepEqual(due.sort(), ['due', 'later', 'left']);
});

test('if the database does not answer, every worker is woken, and reports it', async () => {
  const broken: WorkerContext = {
    ...context,
    get database(): never {
      throw new Error('terminating connection');
    },
  };
  const { woken, workers } = makeWorkers('none', 'due');
  const stopPolling = startPolling(broken, workers);
  await waitUntil(async () => woken.size === 2, 20_000, 'both are woken');
  stopPolling();
});
