// Wakes workers for jobs that no notification reports: those whose time has come, and those of processes that have ended. One statement
// a second for all kinds: an idle server has little else to do.

import type { WorkerContext } from './job-definition.ts';
import { selectDueKinds } from './jobs.ts';
import { expediteIfDue, type RecurringJob } from './recurring.ts';
import type { Worker } from './worker.ts';

const POLL_MS = 1000;

type Conditional = Pick<RecurringJob<never>, 'name' | 'due_if'>;

/** Returns a function that ends it. */
export function startPolling(
  context: WorkerContext,
  workers: Pick<Worker, 'kind' | 'wake'>[],
  recurring: Conditional[] = [],
): () => void {
  const kinds = workers.map(({ kind }) => kind);
  const wakeDue = async () => {
    const due = await findDue(context, kinds, recurring);
    for (const { kind, wake } of workers) if (due.includes(kind)) wake();
  };
  const poll = setInterval(() => void wakeDue(), POLL_MS);
  return () => clearInterval(poll);
}

export async function findDue(context: WorkerContext, kinds: string[], recurring: Conditional[]): Promise<string[]> {
  try {
    const now = context.now();
    return await selectDueKinds(context.database, kinds, now, expediteIfDue(recurring, now));
  } catch {
    return kinds; // each worker tries, and reports why it cannot
  }
}
