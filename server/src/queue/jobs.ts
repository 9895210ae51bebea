// SQL of the jobs table, except for claiming (claim-jobs.ts) and enqueueing: jobs are leased for some seconds, and finished only by
// the worker that holds the lease.

import { type RawBuilder, sql } from 'kysely';
import { prepared } from '../database/prepared-statement.ts';
import type { Database } from '../database/tables.ts';
import type { NewJob } from './enqueue.ts';

/** Workers renew it every second (docs/design/webhooks.md): the jobs of one that is gone are claimed again within 5 s. */
export const LEASE_MS = 3_500;

/**
 * A claimed job. Each claim raises `fencing_token`; a worker whose token is older has lost its lease. The name of the worker is
 * compared too: a crash of PostgreSQL can lose the newest claims, and their tokens are given again.
 */
export type Job = {
  subject: string;
  fairness_key: string;
  concurrency_key: string;
  worker: string;
  fencing_token: number;
  failures: number;
};

/** `next_run_at` null: the job is deleted. Otherwise it is due again at that time. */
export type FinishedJob = { job: Job; next_run_at: number | null; failures: number };

/** Finishes the jobs whose lease the caller still holds, and returns their subjects. The others were claimed again since. */
export async function finishJobs(database: Database, kind: string, finished: FinishedJob[]): Promise<Set<string>> {
  const [done, again] = [finished.filter((job) => job.next_run_at === null), finished.filter((job) => job.next_run_at)];
  const subjects = done.length > 0 ? await deleteJobs(database, kind, done) : [];
  if (again.length > 0) subjects.push(...(await rescheduleJobs(database, kind, again)));
  return new Set(subjects.map(({ subject }) => subject));
}

type Subject = Pick<Job, 'subject'>;

async function deleteJobs(database: Database, kind: string, finished: FinishedJob[]): Promise<Subject[]> {
  const { rows } = await sql<Subject>`
    delete from jobs using ${leasesOf(finished.map(({ job }) => job))}
    where kind = ${kind} and ${isHeld} returning jobs.subject`.execute(database);
  return rows;
}

async function rescheduleJobs(database: Database, kind: string, finished: FinishedJob[]): Promise<Subject[]> {
  const { rows } = await sql<Subject>`
    update jobs set state = 'waiting', run_at = new.run_at, failures = new.failures
    from ${leasesOf(finished.map(({ job }) => job))} join unnest(
      ${finished.map(({ job }) => job.subject)}::text[],
      ${finished.map(({ next_run_at }) => time(next_run_at as number))}::timestamptz[],
      ${finished.map(({ failures }) => failures)}::integer[]
    ) as new (subject, run_at, failures) using (subject)
    where kind = ${kind} and ${isHeld} returning jobs.subject`.execute(database);
  return rows;
}

/** The leases as a table `held`. */
const leasesOf = (jobs: Job[]) => sql`unnest(
    ${jobs.map(({ subject }) => subject)}::text[], ${jobs.map(({ worker }) => worker)}::text[],
    ${jobs.map(({ fencing_token }) => fencing_token)}::integer[]
  ) as held (subject, worker, fencing_token)`;

const isHeld = sql`jobs.subject = held.subject and jobs.worker = held.worker and jobs.fencing_token = held.fencing_token`;

/**
 * Extends the leases that the caller still holds, and returns their subjects. Skips locked rows, which are being finished: so it
 * cannot deadlock.
 */
export async function renewLeases(
  { database, kind, now }: { database: Database; kind: string; now: number },
  jobs: Job[],
): Promise<Set<string>> {
  const { rows } = await sql<Subject>`
    update jobs set run_at = ${time(now + LEASE_MS)} where kind = ${kind} and subject = any(array(
      select held.subject from jobs join ${leasesOf(jobs)} on ${isHeld}
      where jobs.kind = ${kind} and jobs.state = 'claimed'
      for update of jobs skip locked
    ))
    returning subject`.execute(database);
  return new Set(rows.map(({ subject }) => subject));
}

/** Gives up the lease of jobs that were not done, so that another replica can claim them at once. */
export async function releaseJobs(database: Database, kind: string, jobs: Job[]): Promise<void> {
  await sql`
    update jobs set state = 'ready', fencing_token = jobs.fencing_token + 1 from ${leasesOf(jobs)}
    where kind = ${kind} and ${isHeld}`.execute(database);
}

/**
 * The kinds of which a claim could find something: jobs that are ready, due, or of a worker that is gone. `expedite` is a statement
 * that makes further jobs due, and returns their kinds.
 */
export async function selectDueKinds(
  database: Database,
  kinds: string[],
  now: number,
  expedite: RawBuilder<unknown>,
): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`${prepared('due_kinds')}
    with expedited as (${expedite})
    select kind from unnest(${kinds}::text[]) as wanted (kind)
    where exists (select from jobs where jobs.kind = wanted.kind and state = 'ready')
      or exists (select from jobs where jobs.kind = wanted.kind and state <> 'ready' and run_at <= ${time(now)}::timestamptz)
    union select kind from expedited`.execute(database);
  return rows.map(({ kind }) => kind);
}

/** Deletes the ready jobs of a concurrency key. Its other jobs are deleted when they are claimed and `load` leaves them out. */
export async function deleteReadyJobs(
  database: Database,
  { kind, fairness_key, concurrency_key }: Pick<NewJob, 'kind' | 'fairness_key' | 'concurrency_key'>,
): Promise<void> {
  await sql`
    delete from jobs
    where kind = ${kind} and state = 'ready' and fairness_key = ${fairness_key}
      and concurrency_key = ${concurrency_key}`.execute(database);
}

/** Only when no other worker can be running: releases the jobs of a process that was killed, without waiting for the lease. */
export async function releaseAllJobs(database: Database): Promise<void> {
  await sql`
    update jobs set state = 'ready', fencing_token = fencing_token + 1 where state = 'claimed'`.execute(database);
}

export const time = (ms: number) => new Date(ms).toISOString();
