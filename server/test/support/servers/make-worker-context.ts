// What a worker of the queue needs, without a server. Its time is that of `clock`, which the test moves.

import type { Database } from '../../../src/database/tables.ts';
import { noChanges } from '../../../src/database/transact.ts';
import { createLog } from '../../../src/log/log.ts';
import type { WorkerContext } from '../../../src/queue/job-definition.ts';
import { createJobNotifier } from '../../../src/queue/job-notifier.ts';

export function makeWorkerContext(database: Database): { context: WorkerContext; clock: { now: number } } {
  const clock = { now: Date.parse('2026-11-15T00:00:00Z') };
  const context = {
    database,
    changes: noChanges,
    afterChange: async () => {},
    cache: { invalidate: () => {} },
    now: () => clock.now,
    log: createLog('silent'),
    job_notifier: createJobNotifier(async () => {}).job_notifier,
  };
  return { context, clock };
}
