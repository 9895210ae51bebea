// SQL of the jobs table: jobs are claimed fairly (decision 0066), leased for some seconds, and finished only by the worker that
// holds the lease.

import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import type { NewJob } from './enqueue.ts';

/** Workers renew it every second (decision 0106): the jobs of one that is gone are claimed again within 5 s. */
export const LEASE_MS = 3_500;
const MAX_MADE_READY = 1000;
const CLAIM_LOCK = 7_406_812; // any constant: one claim of a kind at a time, so that slots are counted exactly

/** A claimed job. Each claim raises `fencing_token`; a worker whose token is older has lost its lease. */
export type Job = {
  subject: string;
  fairness_key: string;
  concurrency_key: string;
  fencing_token: number;
  failures: number;
};

export type ClaimRequest = {
  kind: string;
  max_jobs: number;
  /** How many jobs of one fairness key may be claimed at the same time, over all replicas. */
  max_per_fairness_key: number;
  /** How many jobs of one concurrency key may be claimed at the same time, over all replicas. */
  max_per_concurrency_key: number;
  /** Round robin over the fairness keys: start after this one. */
  after_key: string;
  /** Round robin over the concurrency keys of each fairness key: start after this one. */
  after_concurrency_keys: { get(fairness_key: string): string | undefined };
  /** Whether jobs with an expired lease are claimed too. */
  takes_expired: boolean;
  now: number;
};

type FreeSlots = { fairness_key: string; slots: number };

export type ClaimedJobs = {
  jobs: Job[];
  /** The next `after_key`. */
  last_key: string;
  /** More jobs may be claimable now. */
  may_have_more: boolean;
};

export async function claimJobs(database: Database, request: ClaimRequest): Promise<ClaimedJobs> {
  return database.transaction().execute(async (database) => {
    const made_ready = await makeReadyAndLock(database, request);
    const free = await selectFreeSlots(database, request);
    const fair_share = Math.max(1, Math.floor(request.max_jobs / free.length));
    const shares = free.map(({ fairness_key, slots }) => ({ fairness_key, slots: Math.min(slots, fair_share) }));
    const jobs = shares.length > 0 ? await claimShares(database, request, shares) : [];
    const was_limited = free.length === request.max_jobs || free.some(({ slots }) => slots > fair_share);
    const last_key = free.at(-1)?.fairness_key ?? '';
    return { jobs, last_key, may_have_more: (jobs.length > 0 && was_limited) || made_ready === MAX_MADE_READY };
  });
}

/** Makes due jobs and jobs with an expired lease ready. Returns how many. */
async function makeReadyAndLock(database: Database, { kind, takes_expired, now }: ClaimRequest): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with made_ready as (
      update jobs set state = 'ready' where kind = ${kind} and subject = any(array(
        select subject from jobs
        where kind = ${kind} and state <> 'ready' and run_at <= ${time(now)}::timestamptz
          and (state = 'waiting' or ${takes_expired})
        order by run_at limit ${MAX_MADE_READY} for update skip locked
      ))
      returning 1
    )
    select count(*) as count, pg_advisory_xact_lock(${CLAIM_LOCK}, hashtext(${kind})) from made_ready`.execute(
    database,
  );
  return rows[0]?.count ?? 0;
}

/**
 * The distinct values of `column` among the ready jobs of a kind, starting after `after` and wrapping around. A loose index
 * scan: one index lookup for each value, however many jobs have it, and none for values that are not read.
 */
function distinctKeys(
  column: 'fairness_key' | 'concurrency_key',
  condition: RawBuilder<unknown>,
  after: RawBuilder<unknown>,
) {
  const name = sql.ref(column);
  const next = (position: RawBuilder<unknown>) => sql`
    select ${name} from jobs where ${condition} and state = 'ready' and ${position} order by ${name} limit 1`;
  return sql`
    with recursive following as (
      (${next(sql`${name} > ${after}`)})
      union all
      select next.${name} from following, lateral (${next(sql`${name} > following.${name}`)}) as next
    ), preceding as (
      (${next(sql`${name} <= ${after}`)})
      union all
      select next.${name} from preceding,
        lateral (${next(sql`${name} > preceding.${name} and ${name} <= ${after}`)}) as next
    )
    select ${name} from following union all select ${name} from preceding`;
}

/** The fairness keys with ready jobs, and how many more jobs of each may be claimed. */
async function selectFreeSlots(database: Database, request: ClaimRequest): Promise<FreeSlots[]> {
  const { kind, max_jobs, max_per_fairness_key, after_key } = request;
  const { rows } = await sql<FreeSlots>`
    select keys.fairness_key, free.slots
    from (${distinctKeys('fairness_key', sql`kind = ${kind}`, sql`${after_key}::text`)}) as keys, lateral (
      select ${max_per_fairness_key} - count(*)::integer as slots from jobs as other
      where other.kind = ${kind} and other.state = 'claimed' and other.fairness_key = keys.fairness_key
    ) as free
    where free.slots > 0
    limit ${max_jobs}`.execute(database);
  return rows;
}

/** The selected jobs are updated by `any(array(…))`: for a join the planner would read the whole table. */
async function claimShares(database: Database, request: ClaimRequest, shares: FreeSlots[]): Promise<Job[]> {
  const { kind, max_per_concurrency_key, after_concurrency_keys, now } = request;
  const ofKey = sql`kind = ${kind} and fairness_key = shares.fairness_key`;
  const { rows } = await sql<Job>`
    with selected as (
      select job.subject
      from unnest(
        ${shares.map(({ fairness_key }) => fairness_key)}::text[],
        ${shares.map(({ slots }) => slots)}::integer[],
        ${shares.map(({ fairness_key }) => after_concurrency_keys.get(fairness_key) ?? '')}::text[]
      ) as shares (fairness_key, slots, after_concurrency_key), lateral (
        select job.subject
        from (${distinctKeys('concurrency_key', ofKey, sql`shares.after_concurrency_key`)}) as keys, lateral (
          select subject from jobs
          where ${ofKey} and state = 'ready' and concurrency_key = keys.concurrency_key
          order by run_at
          limit greatest(0, ${max_per_concurrency_key} - (
            select count(*) from jobs as other
            where other.kind = ${kind} and other.state = 'claimed'
              and other.fairness_key = shares.fairness_key and other.concurrency_key = keys.concurrency_key
          ))
          for update skip locked
        ) as job
        limit shares.slots
      ) as job
    )
    update jobs set state = 'claimed', run_at = ${time(now + LEASE_MS)}, fencing_token = fencing_token + 1
    where kind = ${kind} and subject = any(array(select subject from selected))
    returning jobs.subject, jobs.fairness_key, jobs.concurrency_key, jobs.fencing_token, jobs.failures`.execute(
    database,
  );
  return rows;
}

/** `next_run_at` null: the job is deleted. Otherwise it is due again at that time. */
export type FinishedJob = { job: Job; next_run_at: number | null; failures: number };

/** Finishes the jobs whose lease the caller still holds, and returns their subjects. The others were claimed again since. */
export async function finishJobs(database: Database, kind: string, finished: FinishedJob[]): Promise<Set<string>> {
  const { rows } = await sql<{ subject: string }>`
    with given as (
      select * from unnest(
        ${finished.map(({ job }) => job.subject)}::text[],
        ${finished.map(({ job }) => job.fencing_token)}::integer[],
        ${finished.map(({ next_run_at }) => (next_run_at === null ? null : time(next_run_at)))}::timestamptz[],
        ${finished.map(({ failures }) => failures)}::integer[]
      ) as given (subject, fencing_token, next_run_at, failures)
    ), deleted as (
      delete from jobs using given
      where jobs.kind = ${kind} and jobs.subject = given.subject and jobs.fencing_token = given.fencing_token
        and next_run_at is null
      returning jobs.subject
    ), rescheduled as (
      update jobs set state = 'waiting', run_at = next_run_at, failures = given.failures from given
      where jobs.kind = ${kind} and jobs.subject = given.subject and jobs.fencing_token = given.fencing_token
        and next_run_at is not null
      returning jobs.subject
    )
    select subject from deleted union all select subject from rescheduled`.execute(database);
  return new Set(rows.map(({ subject }) => subject));
}

/** Extends the leases that the caller still holds. Skips locked rows, which are being finished: so it cannot deadlock. */
export async function renewLeases(
  { database, kind, now }: { database: Database; kind: string; now: number },
  jobs: Job[],
): Promise<void> {
  await sql`
    update jobs set run_at = ${time(now + LEASE_MS)} where kind = ${kind} and subject = any(array(
      select held.subject from jobs join unnest(
        ${jobs.map(({ subject }) => subject)}::text[], ${jobs.map(({ fencing_token }) => fencing_token)}::integer[]
      ) as held (subject, fencing_token) on jobs.subject = held.subject and jobs.fencing_token = held.fencing_token
      where jobs.kind = ${kind} and jobs.state = 'claimed'
      for update of jobs skip locked
    ))`.execute(database);
}

/** Gives up the lease of jobs that were not done, so that another replica can claim them at once. */
export async function releaseJobs(database: Database, kind: string, jobs: Job[]): Promise<void> {
  const tokens = jobs.map(({ fencing_token }) => fencing_token);
  await sql`
    update jobs set state = 'ready', fencing_token = jobs.fencing_token + 1
    from unnest(${jobs.map(({ subject }) => subject)}::text[], ${tokens}::integer[]) as given (subject, fencing_token)
    where jobs.kind = ${kind} and jobs.subject = given.subject
      and jobs.fencing_token = given.fencing_token`.execute(database);
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

const time = (ms: number) => new Date(ms).toISOString();
