// Runs one claimed job: its result, or when it is tried again.

import { isDatabaseUnavailable } from '../database/connection.ts';
import { backoff } from './backoff.ts';
import type { JobDefinition, WorkerContext } from './job-definition.ts';
import type { Job } from './jobs.ts';

export type Outcome<Result> = {
  job: Job;
  next_run_at: number | null;
  failures: number;
  result: Result | null;
  is_given_up?: boolean;
};

/** About nine hours of retries. */
const MAX_FAILURES = 20;

/** `loading` has the inputs of all jobs that were claimed together. */
export async function runJob<C extends WorkerContext, I, R>(
  context: C,
  definition: JobDefinition<C, I, R>,
  job: Job,
  loading: Promise<Map<string, I>>,
): Promise<Outcome<R>> {
  try {
    const input = (await loading).get(job.subject);
    if (input === undefined) return { job, next_run_at: null, failures: 0, result: null };
    const result = await definition.run(context, input);
    return { job, next_run_at: result.next_run_at, failures: 0, result };
  } catch (error) {
    return failedOutcome(context, definition, job, error);
  }
}

/** An unavailable database is not counted as a failure of the job. */
export function failedOutcome<C extends WorkerContext, I, R>(
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
