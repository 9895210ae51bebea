// One transaction for an operation. Replicas are notified of the changed projects exactly if it commits.

import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { isTransactionRetryable } from './connection.ts';
import type { Database } from './tables.ts';
import { CHANGES_CHANNEL } from './watch.ts';

export type TransactionContext = {
  database: Database;
  /** Projects whose cached data this transaction makes invalid. */
  changes: { add(project_id: string): void };
  cache: { invalidate(project_id: string): void };
  /** Wakes the workers for the jobs this transaction enqueues. */
  job_notifier: { notify(kind: string): void };
  /** What has to follow a change of a project before its response. Called after the commit; does not throw. */
  afterChange(context: TransactionContext, project_id: string): Promise<void>;
};

const MAX_RUNS = 3;
/** At once it could take a lock before the other transaction wakes up, and end in the same deadlock. */
const MAX_PAUSE_MS = 100;

/**
 * Calls `work` with a context whose `database` is the transaction; joins a transaction that is already open. A transaction
 * that PostgreSQL aborted to end a deadlock is run again, so `work` may have no effect outside its transaction.
 */
export async function transact<C extends TransactionContext, T>(
  context: C,
  work: (context: C) => Promise<T>,
): Promise<T> {
  if (context.database.isTransaction) return work(context);
  for (let run = 1; ; run += 1) {
    try {
      return await transactOnce(context, work);
    } catch (error) {
      if (run === MAX_RUNS || !isTransactionRetryable(error)) throw error;
    }
    await sleep(MAX_PAUSE_MS * (0.5 + Math.random() / 2));
  }
}

async function transactOnce<C extends TransactionContext, T>(context: C, work: (context: C) => Promise<T>): Promise<T> {
  const changes = new Set<string>();
  const kinds = new Set<string>();
  const job_notifier = {
    ...context.job_notifier,
    notify: (kind: string) => void kinds.add(kind),
  };
  const result = await context.database.transaction().execute(async (database) => {
    const done = await work({ ...context, database, changes, job_notifier });
    for (const project_id of changes) await sql`select pg_notify(${CHANGES_CHANNEL}, ${project_id})`.execute(database);
    return done;
  });
  // This replica's cache is invalidated before the caller gets its response; the others follow within milliseconds.
  for (const project_id of changes) context.cache.invalidate(project_id);
  for (const kind of kinds) context.job_notifier.notify(kind);
  for (const project_id of changes) await context.afterChange(context, project_id);
  return result;
}

/** For use outside a transaction, where no replica would be notified of the change: adding one is a bug. */
export const noChanges = {
  add(): never {
    throw new Error('app.changes is only for use inside transact()');
  },
};
