// Claims jobs of one kind (claimer.ts), runs them concurrently (run-job.ts), and saves each result in the transaction that finishes
// its job (saver.ts). A worker that stalled past its lease finds its jobs claimed by another worker, and saves nothing.

import { setTimeout as sleep } from 'node:timers/promises';
import { createClaimer } from './claimer.ts';
import type { JobDefinition, WorkerContext } from './job-definition.ts';
import { type Job, releaseJobs } from './jobs.ts';
import { startRenewing } from './renew-leases.ts';
import { runJob } from './run-job.ts';
import { createSaver } from './saver.ts';

export type Worker = {
  /** Runs all due jobs; resolves when none is due and none is running. */
  runDue(): Promise<void>;
  /** Runs jobs until stopped: on each notification, and once a second in case one was lost. */
  start(): void;
  /** Claims no more jobs, waits a few seconds for the running ones, and releases the rest. */
  stop(): Promise<void>;
};

const POLL_MS = 1000;
const DEBOUNCE_MS = 5;
const STOP_TIMEOUT_MS = 5000;

export function createWorker<C extends WorkerContext, Input, Result>(
  context: C,
  definition: JobDefinition<C, Input, Result>,
  stop_timeout_ms = STOP_TIMEOUT_MS,
): Worker {
  const { runDue, claimInBackground, running, stop } = createPipeline(context, definition);
  let stopListening = () => {};
  let poll: NodeJS.Timeout | undefined;
  let stopRenewing = () => {};
  let debounce: NodeJS.Timeout | undefined;
  return {
    runDue,
    start() {
      // Notifications come in bursts: one claim for all of them.
      stopListening = context.job_notifier.listen(() => {
        debounce ??= setTimeout(() => {
          debounce = undefined;
          claimInBackground();
        }, DEBOUNCE_MS);
      });
      poll = setInterval(claimInBackground, POLL_MS);
      stopRenewing = startRenewing(context, definition.kind, running);
      claimInBackground();
    },
    async stop() {
      stopListening();
      clearInterval(poll);
      clearTimeout(debounce);
      const left = await stop(stop_timeout_ms);
      stopRenewing();
      // If this fails, the leases expire.
      if (left.length > 0) await releaseJobs(context.database, definition.kind, left).catch(() => {});
    },
  };
}

/** What is claimed is run, what has run is saved, and what was saved makes room for more. */
function createPipeline<C extends WorkerContext, I, R>(context: C, definition: JobDefinition<C, I, R>) {
  const running = new Map<string, Job>();
  const idle_listeners: (() => void)[] = [];
  let is_stopping = false;
  const claimer = createClaimer(context, definition, running, { onJobs: runAll, onIdle: notifyIfIdle });
  const saver = createSaver(context, definition, { onSaved: makeRoom, onIdle: notifyIfIdle });

  function runAll(jobs: Job[]): void {
    for (const job of jobs) running.set(job.subject, job);
    const loading = definition.load(context, jobs);
    for (const job of jobs) {
      runAndSave(job, loading).catch((error: unknown) =>
        context.log.error({ err: error, kind: definition.kind }, 'the outcome of a job could not be saved'),
      );
    }
  }

  async function runAndSave(job: Job, loading: Promise<Map<string, I>>): Promise<void> {
    const outcome = await runJob(context, definition, job, loading);
    // It was released when the worker stopped: the next worker that claims it saves its result.
    if (running.get(job.subject) === job) await saver.save(outcome);
  }

  function makeRoom(jobs: Job[]): void {
    for (const job of jobs) if (running.get(job.subject) === job) running.delete(job.subject);
    if (!is_stopping) claimer.claimInBackground();
  }

  function untilIdle(): Promise<void> {
    return new Promise((resolve) => {
      idle_listeners.push(resolve);
      notifyIfIdle();
    });
  }

  function notifyIfIdle(): void {
    if (running.size > 0 || claimer.isClaiming() || saver.isSaving()) return;
    for (const resolve of idle_listeners.splice(0)) resolve();
  }

  return {
    running,
    claimInBackground: claimer.claimInBackground,
    async runDue() {
      await claimer.claim();
      await untilIdle();
    },
    /** Returns the jobs that are still running when the time is over. */
    async stop(timeout_ms: number): Promise<Job[]> {
      is_stopping = true;
      claimer.stop();
      saver.stop();
      await Promise.race([untilIdle(), sleep(timeout_ms, undefined, { ref: false })]);
      const left = [...running.values()];
      running.clear();
      notifyIfIdle();
      return left;
    },
  };
}
