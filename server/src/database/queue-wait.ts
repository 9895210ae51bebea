// The wait in a queue for the database: until the deadline of the request, and longer only while the queue moves or the database
// responses. A burst of requests is served late rather than refused, also when each takes long, such as compiling a schema; requests
// that wait for a database that does not respond are refused in time.

import { isDatabaseUnavailable } from './connection.ts';
import { remainingWait } from './deadline.ts';

const RESPONDED_WITHIN_MS = 1_000;
const CHECK_EVERY_MS = 200;

/** When the database last responded, by the monotonic clock. */
export type RespondedAt = () => number;

export const neverResponded: RespondedAt = () => Number.NEGATIVE_INFINITY;

/** When work of a queue last succeeded, and last failed because the database was unavailable. */
export type Progress = { moved_at: number; failed_at: number; respondedAt: RespondedAt };

export const newProgress = (respondedAt: RespondedAt): Progress => ({
  respondedAt,
  moved_at: Number.NEGATIVE_INFINITY,
  failed_at: Number.NEGATIVE_INFINITY,
});

export async function trackProgress<T>(progress: Progress, work: () => Promise<T>): Promise<T> {
  try {
    const done = await work();
    progress.moved_at = performance.now();
    return done;
  } catch (error) {
    if (isDatabaseUnavailable(error)) progress.failed_at = performance.now();
    throw error;
  }
}

/** Calls `onTimeout` when the wait has to end, after `max_ms` at the latest. Returns a function that cancels it. */
export function startWait(progress: Progress, max_ms: number, onTimeout: () => void): () => void {
  const began_at = performance.now();
  const check = () => {
    const now = performance.now();
    const responded_at = Math.max(progress.moved_at, progress.respondedAt());
    const moves = now - responded_at < RESPONDED_WITHIN_MS && progress.failed_at < began_at;
    if (moves && now - began_at < max_ms) timer = setTimeout(check, CHECK_EVERY_MS);
    else onTimeout();
  };
  let timer = setTimeout(check, Math.min(remainingWait() ?? max_ms, max_ms));
  return () => clearTimeout(timer);
}
