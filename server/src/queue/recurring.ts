// Recurring jobs: each runs once in its interval, on whichever replica claims it first.

import { type RawBuilder, sql } from 'kysely';
import { enqueueMissing } from './enqueue.ts';
import type { JobDefinition, WorkerContext } from './job-definition.ts';
import { time } from './jobs.ts';

const KIND = 'recurring';
/**
 * All are due at the same time, since all were enqueued at the same time, and each may keep a connection for seconds. The other
 * connections of the background pool are for what must not wait for them: above all the renewal of leases.
 */
const MAX_CONCURRENT = 2;

export type RecurringJob<C> = {
  name: string;
  every_ms: number;
  /** A condition in SQL under which it is due before its interval has passed. Polling evaluates it, so it must be cheap. */
  due_if?: RawBuilder<boolean>;
  /** Does a part that fits well into a lease. Returns whether there is more to do at once. */
  run(context: C): Promise<boolean>;
};

export function recurringJobDefinition<C extends WorkerContext>(
  all: RecurringJob<C>[],
): JobDefinition<C, RecurringJob<C>, object> {
  const byName = new Map(all.map((recurring) => [recurring.name, recurring]));
  return {
    kind: KIND,
    max_concurrent: MAX_CONCURRENT,
    max_per_fairness_key: all.length,
    max_per_concurrency_key: 1,
    async load(_context, jobs) {
      // A name that this version does not define is left out, so its job is deleted.
      return new Map(
        jobs.flatMap(({ subject }) => {
          const recurring = byName.get(subject);
          return recurring ? [[subject, recurring] as const] : [];
        }),
      );
    },
    async run(context, { every_ms, run }) {
      const started = context.now();
      const hasMore = await run(context);
      return { next_run_at: hasMore ? started : started + every_ms };
    },
    saveResults: async () => {},
  };
}

/** At start: a recurring job that is not in the table yet is due now. */
export async function enqueueRecurring<C extends WorkerContext>(context: C, all: RecurringJob<C>[]): Promise<void> {
  const run_at = new Date(context.now()).toISOString();
  await enqueueMissing(
    context.database,
    all.map(({ name }) => ({ kind: KIND, subject: name, fairness_key: '', concurrency_key: name, run_at })),
  );
}

/** SQL that makes the jobs due whose condition holds, and returns their kind. It writes nothing while none holds. */
export function expediteIfDue(all: Pick<RecurringJob<never>, 'name' | 'due_if'>[], now: number): RawBuilder<unknown> {
  const conditions = all.flatMap(({ name, due_if }) => (due_if ? [sql`(subject = ${name} and ${due_if})`] : []));
  const holds = conditions.length > 0 ? sql.join(conditions, sql` or `) : sql`false`;
  return sql`update jobs set run_at = ${time(now)}::timestamptz
    where kind = ${KIND} and state = 'waiting' and run_at > ${time(now)}::timestamptz and (${holds}) returning kind`;
}
