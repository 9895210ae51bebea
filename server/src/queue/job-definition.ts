// What a kind of job is, and what it may use.

import type { Logger } from 'pino';
import type { Database } from '../database/tables.ts';
import type { TransactionContext } from '../database/transact.ts';
import type { JobNotifier } from './job-notifier.ts';
import type { Job } from './jobs.ts';

export type WorkerContext = TransactionContext & {
  now(): number;
  log: Logger;
  job_notifier: JobNotifier;
};

export type JobDefinition<C, Input, Result> = {
  kind: string;
  /** How many jobs this process runs at the same time. */
  max_concurrent: number;
  /** How many jobs of one fairness key run at the same time, over all replicas. */
  max_per_fairness_key: number;
  /** How many jobs of one concurrency key run at the same time, over all replicas. */
  max_per_concurrency_key: number;
  /**
   * How many jobs of a concurrency key one process claims ahead while they are done quickly; without it only what can run. They
   * are loaded when they are claimed.
   */
  max_ahead?: number;
  /** Loads the inputs in one query for all jobs. A job whose subject is left out is deleted. */
  load(context: C, jobs: Job[]): Promise<Map<string, Input>>;
  /** Does the work, outside of any transaction. If it throws, it is tried again after a growing delay. */
  run(context: C, input: Input): Promise<Result & { next_run_at: number | null }>;
  /** Saves the results in the transaction that finishes their jobs. */
  saveResults(context: C, results: Result[]): Promise<void>;
  /** Records that these jobs failed too often and are deleted. Without it they are tried for ever. */
  giveUp?(context: C, subjects: string[]): Promise<void>;
};

/** The `load` of jobs whose subjects are the ids of rows. */
export const loadRows =
  <Row extends { id: string }>(select: (database: Database, ids: string[]) => Promise<Row[]>) =>
  async ({ database }: { database: Database }, jobs: Job[]): Promise<Map<string, Row>> => {
    const rows = await select(
      database,
      jobs.map(({ subject }) => subject),
    );
    return new Map(rows.map((row) => [row.id, row]));
  };
