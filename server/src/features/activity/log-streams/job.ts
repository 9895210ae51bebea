// The job of a log stream: there is one for each, and only one worker over all replicas runs it at a time.

import type { NewJob } from '../../../queue/enqueue.ts';

export const LOG_STREAM = 'log_stream';

/** The streams of an organization share its slots; each is a limit of its own. */
export function jobOf({ id }: { id: string }, fairness_key: string, run_at: string): NewJob {
  return { kind: LOG_STREAM, subject: id, fairness_key, concurrency_key: id, run_at };
}
