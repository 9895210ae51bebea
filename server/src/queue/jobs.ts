// SQL of the jobs table: taken fairly, leased for 45 s, finished only by whoever holds the lease.

import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';

export const LEASE_MS = 45_000;
const WOKEN_AT_ONCE = 1000;
const TAKING = 7_406_812; // any constant: one taker of a kind at a time, so that a lane's slots are counted exactly

/** A job that was taken; `takes` is its fence. */
export type Job = { subject: string; lane: string; takes: number; failures: number };

export type Wanted = {
  kind: string;
  /** How many at most. */
  room: number;
  /** How many of one lane may be taken at a time, over all replicas. */
  per_lane: number;
  /** Lanes take turns: begin behind this one. */
  after_lane: string;
  now: number;
};

export async function takeJobs(database: Database, wanted: Wanted): Promise<Job[]> {
  return database.transaction().execute(async (database) => {
    await wakeAndLock(database, wanted);
    return take(database, wanted);
  });
}

/** Jobs whose time has come, and those whose worker let its lease run out, are ready (again). */
async function wakeAndLock(database: Database, { kind, now }: Wanted): Promise<void> {
  await sql`
    with woken as (
      update jobs set state = 'ready' where kind = ${kind} and subject = any(array(
        select subject from jobs
        where kind = ${kind} and state <> 'ready' and run_at <= ${time(now)}::timestamptz
        order by run_at limit ${WOKEN_AT_ONCE} for update skip locked
      ))
    )
    select pg_advisory_xact_lock(${TAKING}, hashtext(${kind}))`.execute(database);
}

/**
 * Walks from lane to lane, not from job to job: a lane with 100,000 jobs costs the same look as a lane with one. What was
 * picked is found again by `any(array(…))`: before a join the planner would read the whole table.
 */
async function take(database: Database, { kind, room, per_lane, after_lane, now }: Wanted): Promise<Job[]> {
  const { rows } = await sql<Job>`
    with recursive lanes as (
      (select lane from jobs where kind = ${kind} and state = 'ready' and lane > ${after_lane} order by lane limit 1)
      union all
      select next.lane from lanes, lateral (
        select lane from jobs where kind = ${kind} and state = 'ready' and lane > lanes.lane order by lane limit 1
      ) as next
    ), picked as (
      select job.subject from lanes, lateral (
        select subject from jobs
        where kind = ${kind} and state = 'ready' and lane = lanes.lane
        order by run_at
        limit greatest(0, ${per_lane} - (
          select count(*) from jobs as other
          where other.kind = ${kind} and other.state = 'taken' and other.lane = lanes.lane
        ))
        for update skip locked
      ) as job
      limit ${room}
    )
    update jobs set state = 'taken', run_at = ${time(now + LEASE_MS)}, takes = takes + 1
    where kind = ${kind} and subject = any(array(select subject from picked))
    returning jobs.subject, jobs.lane, jobs.takes, jobs.failures`.execute(database);
  return rows;
}

/** What becomes of a job: gone, or due again at `again_at`. */
export type Ending = { job: Job; again_at: number | null; failures: number };

/** Ends the jobs that are still ours; answers their subjects. Somebody else has the others by now, or had them. */
export async function endJobs(database: Database, kind: string, endings: Ending[]): Promise<Set<string>> {
  const { rows } = await sql<{ subject: string }>`
    with given as (
      select * from unnest(
        ${endings.map(({ job }) => job.subject)}::text[],
        ${endings.map(({ job }) => job.takes)}::integer[],
        ${endings.map(({ again_at }) => (again_at === null ? null : time(again_at)))}::timestamptz[],
        ${endings.map(({ failures }) => failures)}::integer[]
      ) as given (subject, takes, again_at, failures)
    ), gone as (
      delete from jobs using given
      where jobs.kind = ${kind} and jobs.subject = given.subject and jobs.takes = given.takes and again_at is null
      returning jobs.subject
    ), later as (
      update jobs set state = 'waiting', run_at = again_at, failures = given.failures from given
      where jobs.kind = ${kind} and jobs.subject = given.subject and jobs.takes = given.takes and again_at is not null
      returning jobs.subject
    )
    select subject from gone union all select subject from later`.execute(database);
  return new Set(rows.map(({ subject }) => subject));
}

/** Gives back what was taken and not done, so that another replica need not wait for the lease. */
export async function releaseJobs(database: Database, kind: string, jobs: Job[]): Promise<void> {
  await sql`
    update jobs set state = 'ready', takes = jobs.takes + 1
    from unnest(${jobs.map(({ subject }) => subject)}::text[], ${jobs.map(({ takes }) => takes)}::integer[])
      as given (subject, takes)
    where jobs.kind = ${kind} and jobs.subject = given.subject and jobs.takes = given.takes`.execute(database);
}

/** Nothing of this lane is wanted any more. What waits for its time is passed over when it comes. */
export async function dropReadyJobs(database: Database, kind: string, lane: string): Promise<void> {
  await sql`delete from jobs where kind = ${kind} and state = 'ready' and lane = ${lane}`.execute(database);
}

/** For whoever knows that no other worker is alive: what a killed one had taken need not wait for its lease. */
export async function releaseAllJobs(database: Database): Promise<void> {
  await sql`update jobs set state = 'ready', takes = takes + 1 where state = 'taken'`.execute(database);
}

const time = (ms: number) => new Date(ms).toISOString();
