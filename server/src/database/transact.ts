// One transaction for a verb. Whatever it says has changed is told to every replica exactly if it commits.

import { sql } from 'kysely';
import { isTransactionRetryable } from './connection.ts';
import type { Database } from './tables.ts';
import { CHANGES } from './watch.ts';

export type World = {
  database: Database;
  /** Projects this transaction changes in a way that somebody may remember. */
  changes: { add(project_id: string): void };
  cache: { invalidate(project_id: string): void };
  /** Wakes whoever does the jobs this transaction enqueues. */
  job_notifier: { notify(): void };
};

/**
 * Gives the work a world whose `database` is the transaction; joins the one that is open already. A transaction that
 * PostgreSQL gave up to end a deadlock is done once more: the work may change nothing but its transaction.
 */
export async function transact<W extends World, T>(world: W, work: (world: W) => Promise<T>): Promise<T> {
  if (world.database.isTransaction) return work(world);
  try {
    return await transactOnce(world, work);
  } catch (error) {
    if (isTransactionRetryable(error)) return transactOnce(world, work);
    throw error;
  }
}

async function transactOnce<W extends World, T>(world: W, work: (world: W) => Promise<T>): Promise<T> {
  const changes = new Set<string>();
  let hasJobs = false;
  const job_notifier = {
    ...world.job_notifier,
    notify() {
      hasJobs = true;
    },
  };
  const result = await world.database.transaction().execute(async (database) => {
    const done = await work({ ...world, database, changes, job_notifier });
    for (const project_id of changes) await sql`select pg_notify(${CHANGES}, ${project_id})`.execute(database);
    return done;
  });
  // Our own replica forgets before the caller gets its answer; the others hear of it within milliseconds.
  for (const project_id of changes) world.cache.invalidate(project_id);
  if (hasJobs) world.job_notifier.notify();
  return result;
}

/** For a world outside of any transaction: a change nobody would hear of is a bug. */
export const noChanges = {
  add(): never {
    throw new Error('app.changes is only for use inside transact()');
  },
};
