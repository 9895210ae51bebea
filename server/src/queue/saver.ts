// Saves the outcomes of jobs in batches, each in the transaction that finishes its jobs.

import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../database/connection.ts';
import { transact } from '../database/transact.ts';
import type { JobDefinition, WorkerContext } from './job-definition.ts';
import { finishJobs, type Job } from './jobs.ts';
import { failedOutcome, type Outcome } from './run-job.ts';

export type Saver<Result> = {
  /** Outcomes are gathered for some time while more are expected. */
  save(outcome: Outcome<Result>): void;
  isSaving(): boolean;
  /** What cannot be saved because the database is unavailable is not tried again. */
  stop(): void;
};

type Listener = {
  /** Whether other jobs are running. */
  expectsMore(): boolean;
  /** Nothing more happens to these jobs here, whether or not they could be saved. */
  onSaved(jobs: Job[]): void;
  /** Nothing is left to save. */
  onIdle(): void;
};

const DATABASE_RETRY_MS = 250;
const MAX_SAVED_AT_ONCE = 500;
const SAVE_AFTER_MS = 50;
const SAVE_AT = 200;

export function createSaver<C extends WorkerContext, I, R>(
  context: C,
  definition: JobDefinition<C, I, R>,
  { expectsMore, onSaved, onIdle }: Listener,
): Saver<R> {
  const outcomes: Outcome<R>[] = [];
  let timer: NodeJS.Timeout | undefined;
  let is_saving = false;
  let is_stopped = false;

  function saveWhenDue(): void {
    if (is_saving || outcomes.length === 0) return;
    if (outcomes.length >= SAVE_AT || is_stopped || !expectsMore()) saveNow();
    else timer ??= setTimeout(saveNow, SAVE_AFTER_MS);
  }

  function saveNow(): void {
    clearTimeout(timer);
    timer = undefined;
    saveNext().catch((error: unknown) =>
      context.log.error({ err: error, kind: definition.kind }, 'the outcome of a job could not be saved'),
    );
  }

  async function saveNext(): Promise<void> {
    is_saving = true;
    const batch = outcomes.splice(0, MAX_SAVED_AT_ONCE);
    try {
      await saveBatch(batch);
    } finally {
      is_saving = false;
      onSaved(batch.map(({ job }) => job));
      saveWhenDue();
      onIdle();
    }
  }

  /** If a batch cannot be saved, its outcomes are saved one by one: a single bad result must not repeat the other jobs. */
  async function saveBatch(batch: Outcome<R>[]): Promise<void> {
    for (;;) {
      try {
        return await saveInTransaction(context, definition, batch);
      } catch (error) {
        const isUnavailable = isDatabaseUnavailable(error);
        if (isUnavailable && is_stopped) return; // their leases expire
        if (isUnavailable) {
          await sleep(DATABASE_RETRY_MS);
          continue;
        }
        const [only, ...more] = batch;
        if (more.length > 0) {
          for (const outcome of batch) await saveBatch([outcome]);
        } else if (only && only.result !== null) {
          await saveBatch([failedOutcome(context, definition, only.job, error)]);
        } else {
          context.log.error({ err: error, kind: definition.kind }, 'the outcome of a job could not be saved');
        }
        return;
      }
    }
  }

  return {
    save(outcome) {
      outcomes.push(outcome);
      saveWhenDue();
    },
    isSaving: () => is_saving || outcomes.length > 0,
    stop() {
      is_stopped = true;
      saveWhenDue();
    },
  };
}

async function saveInTransaction<C extends WorkerContext, I, R>(
  context: C,
  definition: JobDefinition<C, I, R>,
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
