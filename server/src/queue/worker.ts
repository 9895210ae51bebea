// Claims jobs of one kind (claimer.ts), runs them concurrently (held-jobs.ts, run-job.ts), and saves each result in the transaction
// that finishes its job (saver.ts). A worker that stalled past its lease finds its jobs claimed by another worker, and saves nothing.

import { setTimeout as sleep } from 'node:timers/promises';
import { createClaimer } from './claimer.ts';
import { createHeldJobs } from './held-jobs.ts';
import type { JobDefinition, WorkerContext } from './job-definition.ts';
import { type Job, releaseJobs } from './jobs.ts';
import { startRenewing } from './renew-leases.ts';
import { runJob } from './run-job.ts';
import { createSaver } from './saver.ts';

export type Worker = {
  kind: string;
  /** Runs all due jobs; resolves when none is due and none is running. */
  runDue(): Promise<void>;
  /** Runs jobs until stopped: on each notification, and when it is woken (poll.ts). */
  start(): void;
  /** Looks for jobs now. */
  wake(): void;
  /** Claims no more jobs, releases those that have not started, waits a few seconds for the others, and releases the rest. */
  stop(): Promise<void>;
};

const DEBOUNCE_MS = 5;
/** While the jobs of a concurrency key take less time, and succeed, more of them are claimed ahead. */
const QUICK_MS = 1000;
const STOP_TIMEOUT_MS = 5000;

export function createWorker<C extends WorkerContext, Input, Result>(
  context: C,
  definition: JobDefinition<C, Input, Result>,
  stop_timeout_ms = STOP_TIMEOUT_MS,
): Worker {
  const { runDue, claimer, held, stop } = createPipeline(context, definition);
  let stopListening = () => {};
  let stopRenewing = () => {};
  let debounce: NodeJS.Timeout | undefined;
  return {
    kind: definition.kind,
    runDue,
    wake: claimer.claimInBackground,
    start() {
      // Notifications come in bursts: one claim for all of them.
      stopListening = context.job_notifier.listen(definition.kind, () => {
        debounce ??= setTimeout(() => {
          debounce = undefined;
          claimer.claimInBackground();
        }, DEBOUNCE_MS);
      });
      stopRenewing = startRenewing(context, definition.kind, held);
      claimer.claimInBackground();
    },
    async stop() {
      stopListening();
      clearTimeout(debounce);
      await stop(stop_timeout_ms);
      stopRenewing();
    },
  };
}

/** What is claimed is run, what has run is saved, and what was saved makes room for more. */
function createPipeline<C extends WorkerContext, I, R>(context: C, definition: JobDefinition<C, I, R>) {
  const held = createHeldJobs(definition, releaseExpired);
  const idle_listeners: (() => void)[] = [];
  let is_stopping = false;
  const claimer = createClaimer(context, definition, held, { onJobs: runAll, onIdle: notifyIfIdle });
  const saver = createSaver(context, definition, {
    expectsMore: held.isRunning,
    onSaved: makeRoom,
    onIdle: notifyIfIdle,
  });

  function runAll(jobs: Job[], claimed_at: number): void {
    const loading = definition.load(context, jobs);
    loading.catch(() => {}); // each job reports it
    for (const job of jobs) {
      held.add(job, claimed_at, () => {
        runAndSave(job, loading).catch((error: unknown) =>
          context.log.error({ err: error, kind: definition.kind }, 'the outcome of a job could not be saved'),
        );
      });
    }
  }

  async function runAndSave(job: Job, loading: Promise<Map<string, I>>): Promise<void> {
    const began = performance.now();
    const outcome = await runJob(context, definition, job, loading);
    held.end(job, outcome.next_run_at === null && performance.now() - began < QUICK_MS);
    // It was released when the worker stopped: the next worker that claims it saves its result.
    if (held.has(job)) saver.save(outcome);
  }

  function makeRoom(jobs: Job[]): void {
    for (const job of jobs) held.remove(job);
    if (!is_stopping) claimer.claimInBackground();
  }

  function untilIdle(): Promise<void> {
    return new Promise((resolve) => {
      idle_listeners.push(resolve);
      notifyIfIdle();
    });
  }

  function notifyIfIdle(): void {
    if (!held.isEmpty() || claimer.isClaiming() || saver.isSaving()) return;
    for (const resolve of idle_listeners.splice(0)) resolve();
  }

  /** If it fails, the leases expire. */
  async function release(jobs: Job[]): Promise<void> {
    if (jobs.length > 0) await releaseJobs(context.database, definition.kind, jobs).catch(() => {});
  }

  function removeAndRelease(jobs: Job[]): Promise<void> {
    for (const job of jobs) held.remove(job);
    return release(jobs);
  }

  /** If nobody else has claimed them, they are run after all. */
  function releaseExpired(jobs: Job[]): void {
    release(jobs).then(claimer.claimInBackground, () => {});
  }

  return {
    held,
    claimer,
    async runDue() {
      await claimer.claim();
      await untilIdle();
    },
    async stop(timeout_ms: number): Promise<void> {
      is_stopping = true;
      claimer.stop();
      saver.stop();
      const released = removeAndRelease(held.waiting());
      await Promise.race([untilIdle(), sleep(timeout_ms, undefined, { ref: false })]);
      const left = removeAndRelease(held.all());
      notifyIfIdle();
      await Promise.all([released, left]);
    },
  };
}
