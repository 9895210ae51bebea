// The jobs of tasks, by their kinds: one asks about a job until it has ended, the other cancels it at the API.

import type { NewJob } from '../../../queue/enqueue.ts';

export const POLL = 'task_poll';
export const CANCEL = 'task_cancel';

type Scheduled = { id: string; tool_id: string };

/** `run_at` in epoch milliseconds. Tasks of one tool share a concurrency key. */
export const taskJob = (
  kind: typeof POLL | typeof CANCEL,
  { id, tool_id }: Scheduled,
  fairness_key: string,
  run_at: number,
): NewJob => ({ kind, subject: id, fairness_key, concurrency_key: tool_id, run_at: new Date(run_at).toISOString() });
