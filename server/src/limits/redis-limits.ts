// Limits in Redis: one script for the requests of a quota group that arrive together. While Redis is away each process counts on
// its own, up to the full limit.

import { type CountedFailure, FAILURE_WINDOW_MS } from './failures.ts';
import type { Limits, RateLimitDecision } from './limits.ts';
import { createLocalLimits } from './local-limits.ts';
import { defineScript, type RedisConnection } from './redis.ts';
import { COUNT_FAILURE, TAKE_REQUESTS } from './redis-scripts.ts';
import { type AskedRequests, type CountedRequests, createSharedLimits } from './shared-limits.ts';

const takeRequests = defineScript(TAKE_REQUESTS);
const countFailure = defineScript(COUNT_FAILURE);
export const redisScripts = [takeRequests, countFailure];

export function createRedisLimits(redis: RedisConnection): Limits {
  // It also counts while Redis responds, so that this process never lets more than the limit pass in an hour.
  const local = createLocalLimits(null);
  const shared = createSharedLimits((questions) =>
    Promise.all(questions.map(({ about, wanted }) => count(redis, about, wanted))),
  );

  function take(id: string, limit: number, now: number): RateLimitDecision | Promise<RateLimitDecision> {
    if (!redis.isUp()) return local.take(id, limit, now);
    return shared.take(id, limit, now).then((decision) => {
      if (decision === null || decision.allowed) {
        const counted = local.take(id, limit, now);
        return decision ?? counted;
      }
      return decision;
    });
  }

  function read(id: string, limit: number, now: number): RateLimitDecision | Promise<RateLimitDecision> {
    if (!redis.isUp()) return local.read(id, limit, now);
    return shared.read(id, limit, now).then((decision) => decision ?? local.read(id, limit, now));
  }

  return { take, read, flush() {} };
}

async function count(redis: RedisConnection, asked: AskedRequests, wanted: number): Promise<CountedRequests | null> {
  // In Redis Cluster all keys of a quota group are in one slot: the part in braces decides.
  const key = `toolgate:{${asked.quota_group_id}}:requests`;
  const counted = await redis.run(takeRequests, key, [asked.limit, asked.is_read ? 0 : wanted]);
  if (counted === null) return null;
  const [granted, used, now, resets_at] = counted as [number, number, number, number];
  return { granted, used, now, resets_at: resets_at === 0 ? null : resets_at };
}

/** For createSharedFailures(). */
export function createRedisFailures(redis: RedisConnection): (key: string) => Promise<CountedFailure | null> {
  return async (key) => {
    const counted = await redis.run(countFailure, `toolgate:failures:{${key}}`, [FAILURE_WINDOW_MS]);
    if (counted === null) return null;
    const [count, ends_in_ms] = counted as [number, number];
    return { count, ends_in_ms };
  };
}
