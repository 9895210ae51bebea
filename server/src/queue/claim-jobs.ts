// SQL that claims due jobs: fairly over the fairness keys (docs/design/webhooks.md), and ahead of what runs for concurrency keys whose jobs
// are done quickly (docs/design/webhooks.md).

import { type RawBuilder, sql } from 'kysely';
import { prepared } from '../database/prepared-statement.ts';
import type { Database } from '../database/tables.ts';
import { type Job, LEASE_MS, time } from './jobs.ts';

const MAX_MADE_READY = 1000;
const CLAIM_LOCK = 7_406_812; // any constant: one claim of a kind at a time, so that slots are counted exactly

export type ConcurrencyKey = Pick<Job, 'fairness_key' | 'concurrency_key'>;

export type ClaimRequest = {
  kind: string;
  /** Who claims. */
  worker: string;
  /** How many more jobs the worker could run. */
  max_jobs: number;
  /** How many jobs of one fairness key may run at the same time, over all replicas. */
  max_per_fairness_key: number;
  /** How many jobs of one concurrency key may run at the same time, over all replicas. */
  max_per_concurrency_key: number;
  /** Round robin over the fairness keys: start after this one. */
  after_key: string;
  /** Round robin over the concurrency keys of each fairness key: start after this one. */
  after_concurrency_keys: Iterable<[fairness_key: string, concurrency_key: string]>;
  /** Whether jobs with an expired lease are claimed too. */
  takes_expired: boolean;
  now: number;
  ahead?: ClaimAhead;
};

/** One worker may hold more jobs of a concurrency key than it runs at once, unless another one holds some too. */
export type ClaimAhead = {
  /** How many jobs of a concurrency key it holds at most. */
  max_jobs: number;
  /** The concurrency keys that this is for. */
  quick_keys: string[];
  /** Those of which it runs as many as it may, and wants to hold more. They take no more slots. */
  wanted: ConcurrencyKey[];
};

export type ClaimedJobs = {
  jobs: Job[];
  /** The next `after_key`. */
  last_key: string;
  /** More jobs may be claimable now. */
  may_have_more: boolean;
};

type Claimed = { jobs: Job[]; last_key: string | null; was_limited: boolean };

export async function claimJobs(database: Database, request: ClaimRequest): Promise<ClaimedJobs> {
  return database.transaction().execute(async (database) => {
    const made_ready = (await lockClaims(database, request)) ? await makeReady(database, request) : 0;
    const { rows } = await sql<Claimed>`${prepared('claim_jobs')}${claimStatement(request)}`.execute(database);
    const { jobs = [], last_key = null, was_limited = false } = rows[0] ?? {};
    const may_have_more = (jobs.length > 0 && was_limited) || made_ready === MAX_MADE_READY;
    return { jobs, last_key: last_key ?? '', may_have_more };
  });
}

const isDue = ({ kind, takes_expired, now }: ClaimRequest) =>
  sql`kind = ${kind} and state <> 'ready' and run_at <= ${time(now)}::timestamptz
    and (state = 'waiting' or ${takes_expired}::boolean)`;

/**
 * Returns whether there are jobs to make ready. A claim that a crash of PostgreSQL loses was never made, so its commit does not wait
 * for the disk. The plan of the claim is kept while the table grows from nothing to millions of jobs: only index scans suit both.
 */
async function lockClaims(database: Database, request: ClaimRequest): Promise<boolean> {
  const { rows } = await sql<{ has_due: boolean }>`
    select exists (select from jobs where ${isDue(request)}) as has_due, set_config('synchronous_commit', 'off', true),
      set_config('enable_seqscan', 'off', true), pg_advisory_xact_lock(${CLAIM_LOCK}, hashtext(${request.kind}))`.execute(
    database,
  );
  return rows[0]?.has_due ?? false;
}

/** Makes due jobs and jobs with an expired lease ready. Returns how many. */
async function makeReady(database: Database, request: ClaimRequest): Promise<number> {
  const { numAffectedRows } = await sql`
    update jobs set state = 'ready' where kind = ${request.kind} and subject = any(array(
      select subject from jobs where ${isDue(request)} order by run_at limit ${MAX_MADE_READY} for update skip locked
    ))`.execute(database);
  return Number(numAffectedRows ?? 0n);
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

/**
 * Strategies that were tried, in one run on a busy machine, 300 events to 10 webhooks, with the requests that made the events; CPU of
 * PostgreSQL for a delivery, and deliveries a second:
 * - five of a webhook at a time, three statements that are planned for each claim: 1,541 µs, 203 a second;
 * - this statement, prepared, 50 of a webhook ahead, claims and saves every 50 ms: 761 µs, 409 a second.
 * The update of `deliveries` as a HOT update, without the partial indexes on its status, saved a tenth of the statement that stores
 * the attempts (126 to 112 µs for a delivery): not worth two indexes less.
 *
 * A concurrency key takes as many slots as jobs of it may run: those that are claimed ahead take none. `free` are the fairness keys
 * with ready jobs and free slots, `shares` what this claim takes of them. Selected jobs are updated by `any(array(…))`: for a
 * join the planner would read the whole table.
 */
function claimStatement(request: ClaimRequest) {
  const { kind, worker, max_jobs, max_per_fairness_key, max_per_concurrency_key, after_key, now } = request;
  const most = sql`${max_per_concurrency_key}::integer`;
  return sql`
    with free as materialized (
      select keys.fairness_key, ${max_per_fairness_key}::integer - taken.slots as slots, row_number() over () as position
      from (${distinctKeys('fairness_key', sql`kind = ${kind}`, sql`${after_key}::text`)}) as keys, lateral (
        select coalesce(sum(least(claimed.jobs, ${most})), 0)::integer as slots from (
          select count(*) as jobs from jobs
          where kind = ${kind} and state = 'claimed' and fairness_key = keys.fairness_key group by concurrency_key
        ) as claimed
      ) as taken
      where taken.slots < ${max_per_fairness_key}::integer
      limit ${max_jobs}
    ), shares as (
      select fairness_key, slots as free_slots,
        least(slots, greatest(1, ${max_jobs}::integer / count(*) over ()))::integer as slots
      from free
    ), selected as (${selectShares(request, most)} union all ${selectWanted(request, most)}), claimed as (
      update jobs set state = 'claimed', worker = ${worker}, run_at = ${time(now + LEASE_MS)},
        fencing_token = fencing_token + 1
      where kind = ${kind} and subject = any(array(select subject from selected))
      returning subject, fairness_key, concurrency_key, worker, fencing_token, failures
    )
    select (select coalesce(json_agg(claimed), '[]') from claimed) as jobs,
      (select fairness_key from free order by position desc limit 1) as last_key,
      (select count(*) = ${max_jobs}::integer or coalesce(bool_or(free_slots > slots), false) from shares) as was_limited`;
}

/** The jobs of the shares, from concurrency key to concurrency key, until the slots of a share are used. */
function selectShares(request: ClaimRequest, most: RawBuilder<unknown>) {
  const { kind, after_concurrency_keys } = request;
  const cursors = [...after_concurrency_keys];
  const ofKey = sql`kind = ${kind} and fairness_key = shares.fairness_key`;
  return sql`
    select job.subject
    from shares left join unnest(
      ${cursors.map(([fairness_key]) => fairness_key)}::text[], ${cursors.map(([, key]) => key)}::text[]
    ) as cursors (fairness_key, after) using (fairness_key), lateral (
      select ready.subject, sum((keys.held + ready.number <= ${most})::integer) over (order by keys.position, ready.number) as slots
      from (
        select keys.concurrency_key, holding.held, holding.more, row_number() over () as position
        from (${distinctKeys('concurrency_key', ofKey, sql`coalesce(cursors.after, '')`)}) as keys,
          lateral (${holding(request, most, sql`shares`)}) as holding
        where holding.held < ${most}
        limit shares.slots
      ) as keys, lateral (${readyJobs(kind, sql`shares`)}) as ready
    ) as job
    where job.slots <= shares.slots`;
}

/** More jobs of the keys of which the worker runs as many as it may. */
function selectWanted(request: ClaimRequest, most: RawBuilder<unknown>) {
  const wanted = request.ahead?.wanted ?? [];
  return sql`
    select ready.subject
    from (
      select wanted.fairness_key, wanted.concurrency_key, holding.more
      from unnest(
        ${wanted.map(({ fairness_key }) => fairness_key)}::text[], ${wanted.map((key) => key.concurrency_key)}::text[]
      ) as wanted (fairness_key, concurrency_key), lateral (${holding(request, most, sql`wanted`, sql`wanted`)}) as holding
      where holding.held >= ${most}
    ) as keys, lateral (${readyJobs(request.kind, sql`keys`)}) as ready`;
}

/** How many jobs of the concurrency key are held, and how many more this worker may hold. */
function holding(
  { kind, worker, ahead }: ClaimRequest,
  most: RawBuilder<unknown>,
  fairness: RawBuilder<unknown>,
  concurrency: RawBuilder<unknown> = sql`keys`,
) {
  return sql`
    select count(*)::integer as held, case
      when count(*) filter (where other.worker is distinct from ${worker}) = 0
        and ${concurrency}.concurrency_key = any(${ahead?.quick_keys ?? []}::text[])
      then greatest(${most}, ${ahead?.max_jobs ?? 0}::integer)
      else ${most}
    end - count(*)::integer as more
    from jobs as other
    where other.kind = ${kind} and other.state = 'claimed' and other.fairness_key = ${fairness}.fairness_key
      and other.concurrency_key = ${concurrency}.concurrency_key`;
}

/** The next ready jobs of a concurrency key, with a number. */
function readyJobs(kind: string, fairness: RawBuilder<unknown>) {
  return sql`
    select subject, row_number() over () as number from (
      select subject from jobs
      where kind = ${kind} and state = 'ready' and fairness_key = ${fairness}.fairness_key
        and concurrency_key = keys.concurrency_key
      order by run_at limit greatest(0, keys.more) for update skip locked
    ) as ready`;
}
