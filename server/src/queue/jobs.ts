// SQL of the jobs table: taken fairly (decision 0066), leased for 45 s, finished only by whoever holds the lease.

import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/tables.ts';

export const LEASE_MS = 45_000;
const WOKEN_AT_ONCE = 1000;
const TAKING = 7_406_812; // any constant: one taker of a kind at a time, so that slots are counted exactly

/** A job that was taken; `takes` is its fence. */
export type Job = { subject: string; fairness_key: string; lane: string; takes: number; failures: number };

export type Wanted = {
  kind: string;
  /** How many at most. */
  room: number;
  /** How many with one fairness key may be taken at a time, over all replicas. */
  per_group: number;
  /** How many of one lane may be taken at a time, over all replicas. */
  per_lane: number;
  /** Fairness keys take turns: begin behind this one. */
  after_key: string;
  /** So do the lanes of a key: begin behind the one it has here. */
  after_lanes: { get(fairness_key: string): string | undefined };
  now: number;
};

type Share = { fairness_key: string; room: number };

export type Taken = {
  jobs: Job[];
  /** The next `after_key`. */
  last_key: string;
  /** There may be jobs that could be taken now and were not. */
  may_have_more: boolean;
};

export async function takeJobs(database: Database, wanted: Wanted): Promise<Taken> {
  return database.transaction().execute(async (database) => {
    const woken = await wakeAndLock(database, wanted);
    const free = await selectFreeSlots(database, wanted);
    const fair_room = Math.max(1, Math.floor(wanted.room / free.length));
    const shares = free.map(({ fairness_key, room }) => ({ fairness_key, room: Math.min(room, fair_room) }));
    const jobs = shares.length > 0 ? await take(database, wanted, shares) : [];
    const was_cut = jobs.length > 0 && (free.length === wanted.room || free.some(({ room }) => room > fair_room));
    const last_key = free.at(-1)?.fairness_key ?? '';
    return { jobs, last_key, may_have_more: was_cut || woken === WOKEN_AT_ONCE };
  });
}

/** Jobs whose time has come, and those whose worker let its lease run out, are ready (again). Answers how many. */
async function wakeAndLock(database: Database, { kind, now }: Wanted): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with woken as (
      update jobs set state = 'ready' where kind = ${kind} and subject = any(array(
        select subject from jobs
        where kind = ${kind} and state <> 'ready' and run_at <= ${time(now)}::timestamptz
        order by run_at limit ${WOKEN_AT_ONCE} for update skip locked
      ))
      returning 1
    )
    select count(*) as count, pg_advisory_xact_lock(${TAKING}, hashtext(${kind})) from woken`.execute(database);
  return rows[0]?.count ?? 0;
}

/**
 * Every value of `column` among the ready jobs of a kind, beginning behind `after` and going round. One look at the index for
 * each value, however many jobs have it, and no further than whoever reads this goes.
 */
function walk(column: 'fairness_key' | 'lane', isWanted: RawBuilder<unknown>, after: RawBuilder<unknown>) {
  const name = sql.ref(column);
  const next = (condition: RawBuilder<unknown>) => sql`
    select ${name} from jobs where ${isWanted} and state = 'ready' and ${condition} order by ${name} limit 1`;
  return sql`
    with recursive behind as (
      (${next(sql`${name} > ${after}`)})
      union all
      select next.${name} from behind, lateral (${next(sql`${name} > behind.${name}`)}) as next
    ), before as (
      (${next(sql`${name} <= ${after}`)})
      union all
      select next.${name} from before,
        lateral (${next(sql`${name} > before.${name} and ${name} <= ${after}`)}) as next
    )
    select ${name} from behind union all select ${name} from before`;
}

/** Whose jobs are ready, and how many of them may be taken. */
async function selectFreeSlots(database: Database, { kind, room, per_group, after_key }: Wanted): Promise<Share[]> {
  const { rows } = await sql<Share>`
    select groups.fairness_key, slots.room
    from (${walk('fairness_key', sql`kind = ${kind}`, sql`${after_key}::text`)}) as groups, lateral (
      select ${per_group} - count(*)::integer as room from jobs as other
      where other.kind = ${kind} and other.state = 'taken' and other.fairness_key = groups.fairness_key
    ) as slots
    where slots.room > 0
    limit ${room}`.execute(database);
  return rows;
}

/** What was picked is found again by `any(array(…))`: before a join the planner would read the whole table. */
async function take(database: Database, { kind, per_lane, after_lanes, now }: Wanted, shares: Share[]): Promise<Job[]> {
  const ofGroup = sql`kind = ${kind} and fairness_key = groups.fairness_key`;
  const { rows } = await sql<Job>`
    with picked as (
      select job.subject
      from unnest(
        ${shares.map(({ fairness_key }) => fairness_key)}::text[],
        ${shares.map(({ room }) => room)}::integer[],
        ${shares.map(({ fairness_key }) => after_lanes.get(fairness_key) ?? '')}::text[]
      ) as groups (fairness_key, room, after_lane), lateral (
        select job.subject
        from (${walk('lane', ofGroup, sql`groups.after_lane`)}) as lanes, lateral (
          select subject from jobs
          where ${ofGroup} and state = 'ready' and lane = lanes.lane
          order by run_at
          limit greatest(0, ${per_lane} - (
            select count(*) from jobs as other
            where other.kind = ${kind} and other.state = 'taken'
              and other.fairness_key = groups.fairness_key and other.lane = lanes.lane
          ))
          for update skip locked
        ) as job
        limit groups.room
      ) as job
    )
    update jobs set state = 'taken', run_at = ${time(now + LEASE_MS)}, takes = takes + 1
    where kind = ${kind} and subject = any(array(select subject from picked))
    returning jobs.subject, jobs.fairness_key, jobs.lane, jobs.takes, jobs.failures`.execute(database);
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

/** Nothing of this lane is wanted any more. What waits for its time, or has another key, is passed over when it is taken. */
export async function dropReadyJobs(
  database: Database,
  { kind, fairness_key, lane }: { kind: string; fairness_key: string; lane: string },
): Promise<void> {
  await sql`
    delete from jobs
    where kind = ${kind} and state = 'ready' and fairness_key = ${fairness_key} and lane = ${lane}`.execute(database);
}

/** For whoever knows that no other worker is alive: what a killed one had taken need not wait for its lease. */
export async function releaseAllJobs(database: Database): Promise<void> {
  await sql`update jobs set state = 'ready', takes = takes + 1 where state = 'taken'`.execute(database);
}

const time = (ms: number) => new Date(ms).toISOString();
