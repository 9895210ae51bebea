// Every background job. Jobs use their own database connections, so that no request waits for them.

import type { App } from './app.ts';
import { applyCallRetention, createCallPartitions } from './features/activity/analytics/partitions.ts';
import { applyRollupRetention } from './features/activity/analytics/rollup-retention.ts';
import { bindEntries, hasUnbound } from './features/activity/audit/bind.ts';
import { logHeads } from './features/activity/audit/head.ts';
import { applyAuditRetention } from './features/activity/audit/retention.ts';
import { warnOfExpiry } from './features/activity/certificates/warn.ts';
import { enqueueIdleStreams, logStreamJob } from './features/activity/log-streams/send-stream.ts';
import { deliveryJob } from './features/activity/webhooks/deliver.ts';
import { removeDeletedObjects } from './features/files/files/remove-objects.ts';
import { finishDeletions } from './features/members/members/erase.ts';
import { refreshJob } from './features/oauth/connections/refresh-job.ts';
import { recordExpiredKeys } from './features/projects/api-keys/expire.ts';
import { purgeDeletedProjects } from './features/projects/projects/purge.ts';
import { settleApprovals } from './features/tools/approvals/settle.ts';
import { cancelJob } from './features/tools/calls/tasks/cancel-job.ts';
import { pollJob } from './features/tools/calls/tasks/poll-job.ts';
import { disableRemovedTools, syncJob } from './features/tools/mcp-servers/sync-job.ts';
import { releaseAllJobs } from './queue/jobs.ts';
import { findDue, startPolling } from './queue/poll.ts';
import { enqueueRecurring, type RecurringJob, recurringJobDefinition } from './queue/recurring.ts';
import { createWorker } from './queue/worker.ts';
import { removeOldRows } from './retention.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const recurring: RecurringJob<App>[] = [
  { name: 'new audit entries', every_ms: HOUR_MS, due_if: hasUnbound, run: (app) => bindEntries(app) },
  { name: 'old rows', every_ms: 10 * MINUTE_MS, run: removeOldRows },
  { name: 'expired api keys', every_ms: MINUTE_MS, run: recordExpiredKeys },
  { name: 'expiring certificates', every_ms: MINUTE_MS, run: warnOfExpiry },
  { name: 'ended approvals', every_ms: 30_000, run: (app) => settleApprovals(app) },
  { name: 'unfinished deletions of members', every_ms: 30_000, run: finishDeletions },
  { name: 'removed tools of MCP servers', every_ms: MINUTE_MS, run: disableRemovedTools },
  { name: 'objects of deleted files', every_ms: 30_000, run: removeDeletedObjects },
  { name: 'call log partitions', every_ms: HOUR_MS, run: createCallPartitions },
  { name: 'old tool calls', every_ms: HOUR_MS, run: applyCallRetention },
  { name: 'old call rollups', every_ms: HOUR_MS, run: applyRollupRetention },
  { name: 'old audit entries', every_ms: HOUR_MS, run: applyAuditRetention },
  { name: 'audit heads', every_ms: 24 * HOUR_MS, run: logHeads },
  { name: 'idle log streams', every_ms: MINUTE_MS, run: enqueueIdleStreams },
  { name: 'deleted projects', every_ms: HOUR_MS, run: purgeDeletedProjects },
];

export type Jobs = {
  /** Creates what requests need, also in a process that runs no jobs. */
  prepare(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
  /** Runs all jobs that are due by the app's clock; resolves when none is left. */
  runDue(): Promise<void>;
};

/** When the embedded store starts, the process that held a lease has ended. */
export const releaseJobs = (app: App) => releaseAllJobs(app.background.database);

export function createJobs(app: App): Jobs {
  const background: App = { ...app, ...app.background };
  const workers = [
    createWorker(background, recurringJobDefinition(recurring)),
    createWorker(background, deliveryJob),
    createWorker(background, refreshJob),
    createWorker(background, logStreamJob),
    createWorker(background, syncJob),
    createWorker(background, pollJob),
    createWorker(background, cancelJob),
  ];
  let stopPolling = () => {};
  return {
    async prepare() {
      await createCallPartitions(background);
      await enqueueRecurring(background, recurring);
    },
    start() {
      for (const worker of workers) worker.start();
      stopPolling = startPolling(background, workers, recurring);
    },
    async stop() {
      stopPolling();
      await Promise.all(workers.map((worker) => worker.stop()));
    },
    async runDue() {
      await app.batch_writer.flush();
      await enqueueRecurring(background, recurring);
      await findDue(background, [], recurring);
      for (const worker of workers) await worker.runDue();
    },
  };
}
