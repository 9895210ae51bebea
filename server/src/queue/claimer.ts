// Claims due jobs of one kind, as many as its worker has room for, fairly over the fairness keys.

import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { isDatabaseUnavailable } from '../database/connection.ts';
import { claimJobs } from './claim-jobs.ts';
import type { HeldJobs } from './held-jobs.ts';
import type { JobDefinition, WorkerContext } from './job-definition.ts';
import type { Job } from './jobs.ts';

export type Claimer = {
  /** One claim at a time; a request that comes meanwhile makes it claim once more. */
  claim(): Promise<void>;
  /** The same, with errors logged. While jobs are held, claims are some time apart, so that each finds more. */
  claimInBackground(): void;
  isClaiming(): boolean;
  /** No more jobs are claimed. */
  stop(): void;
};

type Listener = {
  /** `claimed_at` is a moment of the monotonic clock. */
  onJobs(jobs: Job[], claimed_at: number): void;
  /** No claim is in progress any more. */
  onIdle(): void;
};

/** Longer than the other workers need to renew their leases when the database is back. */
const TAKES_EXPIRED_AFTER_MS = 2000;
const MAX_CURSORS = 200;
const CLAIM_EVERY_MS = 50;

export function createClaimer<C extends WorkerContext, I, R>(
  context: C,
  definition: JobDefinition<C, I, R>,
  held: HeldJobs,
  { onJobs, onIdle }: Listener,
): Claimer {
  const { kind, max_per_fairness_key, max_per_concurrency_key } = definition;
  const worker = randomUUID();
  /** Cursors of the round robin: the last fairness key, and the last concurrency key of each fairness key. */
  let after_key = '';
  const after_concurrency_keys = new LRUCache<string, string>({ max: MAX_CURSORS });
  /** When the database was last unavailable, by the monotonic clock. */
  let unavailable_at = Number.NEGATIVE_INFINITY;
  let claimed_at = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let is_claiming = false;
  let claim_again = false;
  let is_stopped = false;

  async function claim(): Promise<void> {
    claim_again = true;
    if (is_claiming) return;
    is_claiming = true;
    clearTimeout(timer);
    timer = undefined;
    try {
      while (claim_again && !is_stopped) {
        claim_again = false;
        await claimAvailable();
      }
    } finally {
      is_claiming = false;
      onIdle();
    }
  }

  async function claimAvailable(): Promise<void> {
    for (;;) {
      claimed_at = performance.now();
      const [max_jobs, ahead] = [held.freeSlots(), held.ahead()];
      if ((max_jobs <= 0 && ahead.wanted.length === 0) || is_stopped) return;
      const { jobs, last_key, may_have_more } = await claimJobs(context.database, {
        kind,
        worker,
        max_jobs,
        max_per_fairness_key,
        max_per_concurrency_key,
        after_key,
        after_concurrency_keys: after_concurrency_keys.entries(),
        // While the database was unavailable nobody could renew a lease.
        takes_expired: performance.now() - unavailable_at > TAKES_EXPIRED_AFTER_MS,
        now: context.now(),
        ahead,
      });
      after_key = last_key;
      for (const { fairness_key, concurrency_key } of jobs) after_concurrency_keys.set(fairness_key, concurrency_key);
      if (jobs.length > 0) onJobs(jobs, claimed_at);
      if (!may_have_more) return;
    }
  }

  function logError(error: unknown): void {
    if (isDatabaseUnavailable(error)) unavailable_at = performance.now();
    else context.log.error({ err: error, kind }, 'jobs could not be claimed');
  }

  function claimInBackground(): void {
    const wait_ms = held.isEmpty() ? 0 : claimed_at + CLAIM_EVERY_MS - performance.now();
    const claimNow = () => void claim().catch(logError);
    if (wait_ms > 0 && !is_claiming) timer ??= setTimeout(claimNow, wait_ms);
    else claimNow();
  }

  return {
    claim,
    claimInBackground,
    isClaiming: () => is_claiming,
    stop() {
      is_stopped = true;
      clearTimeout(timer);
    },
  };
}
