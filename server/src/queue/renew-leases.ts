// Renews the leases of the jobs that a worker holds, until it is stopped. A lease that cannot be renewed in time is lost: the job is
// run again, and only the result of that run is saved.

import { isDatabaseUnavailable } from '../database/connection.ts';
import type { HeldJobs } from './held-jobs.ts';
import type { WorkerContext } from './job-definition.ts';
import { renewLeases } from './jobs.ts';

const RENEW_MS = 1000;

/** Returns a function that stops it. */
export function startRenewing(context: WorkerContext, kind: string, held: HeldJobs): () => void {
  let is_renewing = false;
  async function renew(): Promise<void> {
    const jobs = held.all().filter((job) => !held.leases.isNew(job));
    if (jobs.length === 0 || is_renewing) return;
    is_renewing = true;
    const began = performance.now();
    try {
      const renewed = await renewLeases({ database: context.database, kind, now: context.now() }, jobs);
      for (const job of jobs) if (renewed.has(job.subject)) held.leases.set(job, began);
    } finally {
      is_renewing = false;
    }
  }
  const timer = setInterval(() => {
    renew().catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) context.log.error({ err: error, kind }, 'leases could not be renewed');
    });
  }, RENEW_MS);
  return () => clearInterval(timer);
}
