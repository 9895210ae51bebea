// The jobs that a worker holds leases of: those that wait for their turn, those that run, and those whose outcome is being saved. At
// most a number of each concurrency key run at the same time.

import { LRUCache } from 'lru-cache';
import type { ClaimAhead, ConcurrencyKey } from './claim-jobs.ts';
import type { JobDefinition } from './job-definition.ts';
import { type Job, LEASE_MS } from './jobs.ts';

/** How many concurrency keys are known to be quick; the statement that claims gets all of them. */
const MAX_QUICK_KEYS = 200;
/** A newer lease is not renewed yet: most jobs are done before. */
const NEW_MS = 500;
/** Bounds the memory: with so many held nothing is claimed ahead. */
const MAX_HELD = 2000;

type Limits = Pick<JobDefinition<never, never, never>, 'max_concurrent' | 'max_per_concurrency_key' | 'max_ahead'>;
type Waiting = { job: Job; run(): void };
type Key = ConcurrencyKey & { held: number; running: number; waiting: Waiting[] };

export type HeldJobs = ReturnType<typeof createHeldJobs>;

/** `onExpired` gets jobs that have waited longer than their lease: another worker may have done them. */
export function createHeldJobs(
  { max_concurrent, max_per_concurrency_key, max_ahead = 0 }: Limits,
  onExpired: (jobs: Job[]) => void,
) {
  const jobs = new Map<string, Job>();
  const keys = new Map<string, Key>();
  const quick_keys = createQuickKeys();
  const started = new WeakSet<Job>();
  const leases = createLeases();
  let running = 0;
  /** As the statement that claims counts them: a concurrency key has no more than it may run. */
  let slots = 0;

  function remove(job: Job): void {
    if (!has(job)) return;
    jobs.delete(job.subject);
    const key = keys.get(job.concurrency_key) as Key;
    key.held -= 1;
    if (key.held < max_per_concurrency_key) slots -= 1;
    forgetUnused(key);
  }

  const forgetUnused = ({ concurrency_key, held, running }: Key) =>
    held === 0 && running === 0 && keys.delete(concurrency_key);

  const has = (job: Job) => jobs.get(job.subject) === job;

  function startNext(key: Key): void {
    const expired: Job[] = [];
    while (key.running < max_per_concurrency_key) {
      const next = key.waiting.shift();
      if (!next) break;
      if (has(next.job) && leases.isExpired(next.job)) expired.push(next.job);
      else if (has(next.job)) start(key, next);
    }
    for (const job of expired) remove(job);
    if (expired.length > 0) onExpired(expired);
  }

  function start(key: Key, { job, run }: Waiting): void {
    started.add(job);
    key.running += 1;
    running += 1;
    run();
  }

  return {
    /** Calls `run` when it is the turn of this job. `leased_at` is a moment of the monotonic clock. */
    add(job: Job, leased_at: number, run: () => void): void {
      const stale = jobs.get(job.subject);
      if (stale) remove(stale);
      const key = findOrAddKey(keys, job);
      if (key.held < max_per_concurrency_key) slots += 1;
      key.held += 1;
      jobs.set(job.subject, job);
      leases.set(job, leased_at);
      key.waiting.push({ job, run });
      startNext(key);
    },

    /** It does not run any more, so that the next one can. It is held until its outcome is saved. */
    end({ concurrency_key }: Job, is_quick: boolean): void {
      quick_keys.set(concurrency_key, is_quick);
      const key = keys.get(concurrency_key) as Key;
      key.running -= 1;
      running -= 1;
      startNext(key);
      forgetUnused(key);
    },

    has,
    remove,
    all: () => [...jobs.values()],
    /** Those that wait for their turn. */
    waiting: () => [...jobs.values()].filter((job) => !started.has(job)),
    leases,
    isEmpty: () => jobs.size === 0,
    isRunning: () => running > 0,
    freeSlots: () => max_concurrent - slots,

    /** What may be claimed ahead now. */
    ahead: (): ClaimAhead =>
      jobs.size >= MAX_HELD ? nothingAhead : claimAhead(keys, quick_keys, { max_per_concurrency_key, max_ahead }),
  };
}

const nothingAhead: ClaimAhead = { max_jobs: 0, quick_keys: [], wanted: [] };

/** More is wanted of a key when half of what was claimed ahead is left. */
function claimAhead(
  keys: Map<string, Key>,
  quick_keys: QuickKeys,
  { max_per_concurrency_key, max_ahead }: { max_per_concurrency_key: number; max_ahead: number },
): ClaimAhead {
  if (max_ahead === 0) return nothingAhead;
  const wanted = [...keys.values()].filter(
    ({ concurrency_key, held }) =>
      held >= max_per_concurrency_key && held <= max_ahead / 2 && quick_keys.has(concurrency_key),
  );
  return { max_jobs: max_ahead, quick_keys: quick_keys.all(), wanted };
}

function findOrAddKey(keys: Map<string, Key>, { fairness_key, concurrency_key }: Job): Key {
  const known = keys.get(concurrency_key);
  if (known) return known;
  const added = { fairness_key, concurrency_key, held: 0, running: 0, waiting: [] };
  keys.set(concurrency_key, added);
  return added;
}

type QuickKeys = ReturnType<typeof createQuickKeys>;

/** The concurrency keys whose last job was done quickly. */
function createQuickKeys() {
  const quick = new LRUCache<string, true>({ max: MAX_QUICK_KEYS });
  return {
    set(key: string, is_quick: boolean): void {
      if (is_quick) quick.set(key, true);
      else quick.delete(key);
    },
    has: (key: string) => quick.has(key),
    all: () => [...quick.keys()],
  };
}

/** When each lease began, as far as this process knows. */
function createLeases() {
  const leased_at = new WeakMap<Job, number>();
  const age = (job: Job) => performance.now() - (leased_at.get(job) ?? Number.NEGATIVE_INFINITY);
  return {
    set: (job: Job, moment: number) => void leased_at.set(job, moment),
    isExpired: (job: Job) => age(job) >= LEASE_MS,
    isNew: (job: Job) => age(job) < NEW_MS,
  };
}
