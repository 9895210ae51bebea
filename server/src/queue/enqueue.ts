// Inserts jobs in the caller's transaction: they exist exactly if it commits. The job notifier wakes the workers afterwards.

import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { JOBS_CHANNEL } from '../database/watch.ts';
import type { JobNotifier } from './job-notifier.ts';

type EnqueueContext = { database: Database; job_notifier: JobNotifier };

/** `fairness_key`: slots are shared fairly between keys (that of a project). `concurrency_key`: a limit inside it (a webhook). */
export type NewJob = { kind: string; subject: string; fairness_key: string; concurrency_key: string; run_at: string };

/**
 * There is one job for each kind and subject: enqueued again it gets the new time, unless it is claimed at that moment.
 * Returns the number of jobs enqueued. A transaction locks jobs before the rows they are about, here and in finishJobs;
 * otherwise two transactions could deadlock.
 */
export async function enqueue({ database, job_notifier }: EnqueueContext, jobs: NewJob[]): Promise<number> {
  if (jobs.length === 0) return 0;
  const list = (name: keyof NewJob, type: string) => sql`${jobs.map((job) => job[name])}::${sql.raw(type)}[]`;
  const { rows } = await sql<{ count: number }>`
    with ${enqueueFromSelect(
      sql`
      select * from unnest(${list('kind', 'text')}, ${list('subject', 'text')}, ${list('fairness_key', 'text')},
        ${list('concurrency_key', 'text')}, ${list('run_at', 'timestamptz')})`,
      'waiting',
    )}
    select count(*) as count from queued`.execute(database);
  for (const kind of new Set(jobs.map(({ kind }) => kind))) job_notifier.notify(kind);
  return rows[0]?.count ?? 0;
}

/** A CTE named `queued` for a larger statement, with jobs that are due now. `select` returns the columns of a NewJob. */
export function enqueueFromSelect(
  select: RawBuilder<unknown>,
  state: 'ready' | 'waiting' = 'ready',
): RawBuilder<unknown> {
  const [before, after] = enqueueParts(state);
  return sql`${sql.raw(before)}${select}${sql.raw(after)}`;
}

/** The same as text, for jobs that are due now and cannot exist yet: PostgreSQL does less for each. */
export const insertNewJobs = (select: string) => `queued as (${insertJobs('ready')}${select}${NEW} returning subject)`;

const enqueueParts = (state: 'ready' | 'waiting'): [before: string, after: string] => [
  `queued as (${insertJobs(state)}`,
  `${NEW}
    on conflict (kind, subject) do update
      set fairness_key = excluded.fairness_key, concurrency_key = excluded.concurrency_key, run_at = excluded.run_at,
        state = excluded.state, failures = 0
      where jobs.state <> 'claimed'
    returning subject
  )`,
];

const insertJobs = (state: 'ready' | 'waiting') => `
    insert into jobs (kind, subject, fairness_key, concurrency_key, run_at, state)
    select new.kind, new.subject, new.fairness_key, new.concurrency_key, new.run_at, '${state}'
    from (`;
const NEW = ') as new (kind, subject, fairness_key, concurrency_key, run_at)';

/** For statements that run outside an operation: NOTIFY at their commit. Too slow for statements that run concurrently. */
export const notifyIfQueued = (kind: string) =>
  sql`select pg_notify(${JOBS_CHANNEL}, ${kind}) from (select 1 from queued limit 1) as any_job`;

/** For recurring jobs: inserts those that are missing and does not change the others. */
export async function enqueueMissing(database: Database, jobs: NewJob[]): Promise<void> {
  await database
    .insertInto('jobs')
    .values(jobs.map((job) => ({ ...job, state: 'waiting' as const })))
    .onConflict((conflict) => conflict.columns(['kind', 'subject']).doNothing())
    .execute();
}
