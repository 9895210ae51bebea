// Puts jobs into the caller's transaction: they exist exactly if it commits. Ring the job_notifier with it, and the workers
// wake up when it does.

import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { JOBS } from '../database/watch.ts';
import type { JobNotifier } from './job-notifier.ts';

type Enqueueing = { database: Database; job_notifier: JobNotifier };

/** `fairness_key` says whose job it is, such as a quota group; `lane` which of theirs. */
export type NewJob = { kind: string; subject: string; fairness_key: string; lane: string; run_at: string };

/**
 * One job a subject: enqueued again it becomes due again, unless it is being done this very moment. Answers how many were
 * enqueued. Jobs are locked before what they are about, here and where they end: else two could wait for each other.
 */
export async function enqueue({ database, job_notifier }: Enqueueing, jobs: NewJob[]): Promise<number> {
  if (jobs.length === 0) return 0;
  const list = (name: keyof NewJob, type: string) => sql`${jobs.map((job) => job[name])}::${sql.raw(type)}[]`;
  const { rows } = await sql<{ count: number }>`
    with ${enqueueFrom(
      sql`
      select * from unnest(${list('kind', 'text')}, ${list('subject', 'text')}, ${list('fairness_key', 'text')},
        ${list('lane', 'text')}, ${list('run_at', 'timestamptz')})`,
      'waiting',
    )}
    select count(*) as count from queued`.execute(database);
  job_notifier.notify();
  return rows[0]?.count ?? 0;
}

/** As a part of a larger statement, for jobs that are due now; `source` selects the columns of a NewJob. */
export function enqueueFrom(source: RawBuilder<unknown>, state: 'ready' | 'waiting' = 'ready'): RawBuilder<unknown> {
  const [head, tail] = enqueueAround(state);
  return sql`${sql.raw(head)}${source}${sql.raw(tail)}`;
}

/** The same as text, for statements that are prepared once. */
export function enqueueText(source: string): string {
  const [head, tail] = enqueueAround('ready');
  return head + source + tail;
}

const enqueueAround = (state: 'ready' | 'waiting'): [head: string, tail: string] => [
  `queued as (
    insert into jobs (kind, subject, fairness_key, lane, run_at, state)
    select new.kind, new.subject, new.fairness_key, new.lane, new.run_at, '${state}'
    from (`,
  `) as new (kind, subject, fairness_key, lane, run_at)
    on conflict (kind, subject) do update
      set fairness_key = excluded.fairness_key, lane = excluded.lane, run_at = excluded.run_at, state = excluded.state,
        failures = 0
      where jobs.state <> 'taken'
    returning subject
  )`,
];

/** For statements that are no verb's: wakes the workers when they commit. Too slow for changes that come side by side. */
export const notifyIfQueued = sql`select pg_notify(${JOBS}, '') from (select 1 from queued limit 1) as any_job`;

/** For jobs that are always there: puts in those that are missing and leaves the others alone. */
export async function enqueueMissing(database: Database, jobs: NewJob[]): Promise<void> {
  await database
    .insertInto('jobs')
    .values(jobs.map((job) => ({ ...job, state: 'waiting' as const })))
    .onConflict((conflict) => conflict.columns(['kind', 'subject']).doNothing())
    .execute();
}
