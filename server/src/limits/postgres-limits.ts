// Limits in PostgreSQL: one statement for the requests that arrive together. Without the database no request is served, so there
// is nothing to fall back to.

import { type Ask, createBatcher } from './batcher.ts';
import type { CountedFailure } from './failures.ts';
import type { Limits, RateLimitDecision } from './limits.ts';
import { type AskedRequests, type CountedRequests, createSharedLimits } from './shared-limits.ts';

export function createPostgresLimits(count: Ask<AskedRequests, CountedRequests>, max_statements: number): Limits {
  const { take, read } = createSharedLimits(count, max_statements);
  return {
    take: (id, limit, now) => take(id, limit, now) as Promise<RateLimitDecision>,
    read: (id, limit, now) => read(id, limit, now) as Promise<RateLimitDecision>,
    flush() {},
  };
}

/** For createSharedFailures(). `count` adds the failures of each key, and returns how many there are in its window. */
export function createPostgresFailures(
  count: Ask<string, CountedFailure>,
): (key: string) => Promise<CountedFailure | null> {
  const ask = createBatcher(count, 1);
  return async (key) => {
    try {
      const { response, index, wanted } = await ask(key, key);
      return { ...response, count: response.count - wanted + index + 1 };
    } catch {
      return null; // the database is unavailable
    }
  };
}
