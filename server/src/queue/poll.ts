// Wakes workers for jobs that no notification reports: those whose time has come, and those of processes that have ended. One statement
// a second for all kinds: an idle server has little else to do.

import type { WorkerContext } from './job-definition.ts';
import { selectDueKinds } from './jobs.ts';
import type { Worker } from './worker.ts';

const POLL_MS = 1000;

/** Returns a function that ends it. */
export function startPolling(context: WorkerContext, workers: Pick<Worker, 'kind' | 'wake'>[]): () => void {
  const kinds = workers.map(({ kind }) => kind);
  const wakeDue = async () => {
    const due = await findDue(context, kinds);
    for (const { kind, wake } of workers) if (due.includes(kind)) wake();
  };
  const poll = setInterval(() => void wakeDue(), POLL_MS);
  return () => clearInterval(poll);
}

async function findDue(context: WorkerContext, kinds: string[]): Promise<string[]> {
  try {
    return await selectDueKinds(context.database, kinds, context.now());
  } catch {
    return kinds; // each worker tries, and reports why it cannot
  }
}
