// Claims jobs of one kind, runs them concurrently, and saves each result in the transaction that finishes its job.
// A worker that stalled past its lease finds its jobs claimed by another worker, and saves nothing.

import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { isDatabaseUnavailable } from '../database/connection.ts';
import { transact } from '../database/transact.ts';
import { backoff } from './backoff.ts';
import type { JobDefinition, WorkerContext } from './job-definition.ts';
import { claimJobs, finishJobs, type Job, releaseJobs } from './jobs.ts';
import { startRenewing } from './renew-leases.ts';

export type Worker = {
  /** Runs all due jobs; resolves when none is due and none is running. */
  runDue(): Promise<void>;
  /** Runs jobs until stopped: on each notification, and once a second in case one was lost. */
  start(): void;
  /** Claims no more jobs, waits a few seconds for the running ones, and releases the rest. */
  stop(): Promise<void>;
};

const POLL_MS = 1000;
/** Longer than the other workers need to renew their leases when the database is back. */
const TAKES_EXPIRED_AFTER_MS = 2000;
const DEBOUNCE_MS = 5;
const DATABASE_RETRY_MS = 250;
const STOP_TIMEOUT_MS = 5000;
const MAX_SAVED_AT_ONCE = 500;
const MAX_CURSORS = 10_000;
/** About nine hours of retries. */
const MAX_FAILURES = 20;

type Outcome<Result> = {
  job: Job;
  next_run_at: number | null;
  failures: number;
  result: Result | null;
  is_given_up?: boolean;
};

type State<C, Input, Result> = {
  context: C;
  definition: JobDefinition<C, Input, Result>;
  running: Map<string, Job>;
  outcomes: Outcome<Result>[];
  /** Cursors of the round robin: the last fairness key, and the last concurrency key of each fairness key. */
  after_key: string;
  after_concurrency_keys: LRUCache<string, string>;
  is_claiming: boolean;
  claim_again: boolean;
  is_saving: boolean;
  is_stopping: boolean;
  /** When the database was last unavailable, by the monotonic clock. */
  unavailable_at: number;
  idle_listeners: (() => void)[];
};

export function createWorker<C extends WorkerContext, Input, Result>(
  context: C,
  definition: JobDefinition<C, Input, Result>,
  stop_timeout_ms = STOP_TIMEOUT_MS,
): Worker {
  const state: State<C, Input, Result> = {
    context,
    definition,
    running: new Map(),
    outcomes: [],
    after_key: '',
    after_concurrency_keys: new LRUCache({ max: MAX_CURSORS }),
    is_claiming: false,
    claim_again: false,
    is_saving: false,
    is_stopping: false,
    unavailable_at: Number.NEGATIVE_INFINITY,
    idle_listeners: [],
  };
  let stopListening = () => {};
  let poll: NodeJS.Timeout | undefined;
  let stopRenewing = () => {};
  let debounce: NodeJS.Timeout | undefined;
  return {
    async runDue() {
      await claim(state);
      await untilIdle(state);
    },
    start() {
      // Notifications come in bursts: one claim for all of them.
      stopListening = context.job_notifier.listen(() => {
        debounce ??= setTimeout(() => {
          debounce = undefined;
          claimInBackground(state);
        }, DEBOUNCE_MS);
      });
      poll = setInterval(() => claimInBackground(state), POLL_MS);
      stopRenewing = startRenewing(context, definition.kind, state.running);
      claimInBackground(state);
    },
    async stop() {
      state.is_stopping = true;
      stopListening();
      clearInterval(poll);
      clearTimeout(debounce);
      await Promise.race([untilIdle(state), sleep(stop_timeout_ms, undefined, { ref: false })]);
      stopRenewing();
      const left = [...state.running.values()];
      state.running.clear();
      notifyIfIdle(state);
      // If this fails, the leases expire.
      if (left.length > 0) await releaseJobs(context.database, definition.kind, left).catch(() => {});
    },
  };
}

function claimInBackground<C extends WorkerContext, I, R>(state: State<C, I, R>): void {
  claim(state).catch((error: unknown) => {
    if (isDatabaseUnavailable(error)) state.unavailable_at = performance.now();
    else state.context.log.error({ err: error, kind: state.definition.kind }, 'jobs could not be claimed');
  });
}

/** One claim at a time; a request that comes meanwhile makes it claim once more. */
async function claim<C extends WorkerContext, I, R>(state: State<C, I, R>): Promise<void> {
  state.claim_again = true;
  if (state.is_claiming) return;
  state.is_claiming = true;
  try {
    while (state.claim_again && !state.is_stopping) {
      state.claim_again = false;
      await claimAvailable(state);
    }
  } finally {
    state.is_claiming = false;
    notifyIfIdle(state);
  }
}

async function claimAvailable<C extends WorkerContext, I, R>(state: State<C, I, R>): Promise<void> {
  const { context, definition, after_concurrency_keys } = state;
  const { kind, max_concurrent, max_per_fairness_key, max_per_concurrency_key } = definition;
  for (;;) {
    const max_jobs = max_concurrent - state.running.size;
    if (max_jobs <= 0 || state.is_stopping) return;
    const { jobs, last_key, may_have_more } = await claimJobs(context.database, {
      kind,
      max_jobs,
      max_per_fairness_key,
      max_per_concurrency_key,
      after_key: state.after_key,
      after_concurrency_keys,
      // While the database was away nobody could renew a lease.
      takes_expired: performance.now() - state.unavailable_at > TAKES_EXPIRED_AFTER_MS,
      now: context.now(),
    });
    state.after_key = last_key;
    for (const { fairness_key, concurrency_key } of jobs) after_concurrency_keys.set(fairness_key, concurrency_key);
    if (jobs.length > 0) runJobs(state, jobs);
    if (!may_have_more) return;
  }
}

function runJobs<C extends WorkerContext, I, R>(state: State<C, I, R>, jobs: Job[]): void {
  const { context, definition } = state;
  for (const job of jobs) state.running.set(job.subject, job);
  const loading = definition.load(context, jobs);
  for (const job of jobs) {
    runAndSave(state, job, loading).catch((error: unknown) =>
      context.log.error({ err: error, kind: definition.kind }, 'the outcome of a job could not be saved'),
    );
  }
}

async function runAndSave<C extends WorkerContext, I, R>(
  state: State<C, I, R>,
  job: Job,
  loading: Promise<Map<string, I>>,
): Promise<void> {
  const outcome = await runOne(state, job, loading);
  // It was released when the worker stopped: the next worker that claims it saves its result.
  if (state.running.get(job.subject) !== job) return;
  state.outcomes.push(outcome);
  await saveOutcomes(state);
}

async function runOne<C extends WorkerContext, I, R>(
  { context, definition }: State<C, I, R>,
  job: Job,
  loading: Promise<Map<string, I>>,
): Promise<Outcome<R>> {
  try {
    const input = (await loading).get(job.subject);
    if (input === undefined) return { job, next_run_at: null, failures: 0, result: null };
    const result = await definition.run(context, input);
    return { job, next_run_at: result.next_run_at, failures: 0, result };
  } catch (error) {
    return failed(context, definition, job, error);
  }
}

/** An unavailable database is not counted as a failure of the job. */
function failed<C extends WorkerContext, I, R>(
  context: C,
  definition: JobDefinition<C, I, R>,
  job: Job,
  error: unknown,
): Outcome<R> {
  const failures = job.failures + (isDatabaseUnavailable(error) ? 0 : 1);
  const is_given_up = definition.giveUp !== undefined && failures >= MAX_FAILURES;
  const fields = { err: error, kind: definition.kind, subject: job.subject, failures };
  context.log.error(fields, is_given_up ? 'a job failed too often and is given up' : 'a job failed and is retried');
  const next_run_at = is_given_up ? null : context.now() + backoff(Math.max(failures, 1));
  return { job, next_run_at, failures, result: null, is_given_up };
}

/** Outcomes that arrive while a batch is saved make up the next batch. */
async function saveOutcomes<C extends WorkerContext, I, R>(state: State<C, I, R>): Promise<void> {
  if (state.is_saving) return;
  state.is_saving = true;
  try {
    while (state.outcomes.length > 0) {
      const batch = state.outcomes.splice(0, MAX_SAVED_AT_ONCE);
      await saveBatch(state, batch);
      for (const { job } of batch) {
        if (state.running.get(job.subject) === job) state.running.delete(job.subject);
      }
      if (!state.is_stopping) claimInBackground(state);
    }
  } finally {
    state.is_saving = false;
    notifyIfIdle(state);
  }
}

/** If a batch cannot be saved, its outcomes are saved one by one: a single bad result must not repeat the other jobs. */
async function saveBatch<C extends WorkerContext, I, R>(state: State<C, I, R>, batch: Outcome<R>[]): Promise<void> {
  const { context, definition } = state;
  for (;;) {
    try {
      return await saveInTransaction(state, batch);
    } catch (error) {
      const isUnavailable = isDatabaseUnavailable(error);
      if (isUnavailable && state.is_stopping) return; // their leases expire
      if (isUnavailable) {
        await sleep(DATABASE_RETRY_MS);
        continue;
      }
      const [only, ...more] = batch;
      if (more.length > 0) {
        for (const outcome of batch) await saveBatch(state, [outcome]);
      } else if (only && only.result !== null) {
        await saveBatch(state, [failed(context, definition, only.job, error)]);
      } else {
        context.log.error({ err: error, kind: definition.kind }, 'the outcome of a job could not be saved');
      }
      return;
    }
  }
}

async function saveInTransaction<C extends WorkerContext, I, R>(
  { context, definition }: State<C, I, R>,
  batch: Outcome<R>[],
): Promise<void> {
  await transact(context, async (context) => {
    const finished = await finishJobs(context.database, definition.kind, batch);
    const own = batch.filter(({ job }) => finished.has(job.subject));
    const results = own.flatMap(({ result }) => (result !== null ? [result] : []));
    if (results.length > 0) await definition.saveResults(context, results);
    const given_up = own.flatMap(({ job, is_given_up }) => (is_given_up ? [job.subject] : []));
    if (given_up.length > 0) await definition.giveUp?.(context, given_up);
  });
}

function untilIdle<C, I, R>(state: State<C, I, R>): Promise<void> {
  return new Promise((resolve) => {
    state.idle_listeners.push(resolve);
    notifyIfIdle(state);
  });
}

function notifyIfIdle<C, I, R>({ running, is_claiming, is_saving, idle_listeners }: State<C, I, R>): void {
  if (running.size > 0 || is_claiming || is_saving) return;
  for (const resolve of idle_listeners.splice(0)) resolve();
}
