// How long a request waits for the database: until one moment, counted from its arrival, for everything that it waits for. Limits
// of their own would add up: a request that waits for a permit, then for a connection, then for a response.

import { AsyncLocalStorage } from 'node:async_hooks';

/** A request gets its response within 2 s of its arrival; the rest is for the response itself. */
const WAIT_MS = 1_500;
/** What a request gets that did something else until its deadline, such as a call of a customer's API. */
const WAIT_LATER_MS = 1_000;
/** So that a request near its deadline may still take what is about to be free. */
const MIN_WAIT_MS = 200;

const deadlines = new AsyncLocalStorage<number>();

/** Everything that `work` waits for in the database shares the deadline of a request that arrived then. */
export const runWithDeadline = <T>(arrived_at: number, work: () => T): T => deadlines.run(arrived_at + WAIT_MS, work);

/** For a part of a request that may come after its deadline: then it has one of its own. */
export function runPart<T>(work: () => T): T {
  const deadline = deadlines.getStore();
  const now = performance.now();
  if (deadline === undefined || deadline > now) return work();
  return deadlines.run(now + WAIT_LATER_MS, work);
}

/** How long this request may wait now, in milliseconds; null outside of a request. */
export function remainingWait(): number | null {
  const deadline = deadlines.getStore();
  return deadline === undefined ? null : Math.max(MIN_WAIT_MS, deadline - performance.now());
}
