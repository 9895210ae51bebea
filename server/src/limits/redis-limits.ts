// Limits in Redis: one script for the requests of a quota group that arrive together. While Redis is unavailable, each process counts on
// its own, up to the full limit. While a response is only late, the last one is used.

import { createEstimates, type Estimates } from './estimates.ts';
import { type CountedFailure, FAILURE_WINDOW_MS } from './failures.ts';
import type { Limits, RateLimitDecision } from './limits.ts';
import { createLocalLimits } from './local-limits.ts';
import { defineScript, type RedisConnection } from './redis.ts';
import { COUNT_FAILURE, TAKE_REQUESTS } from './redis-scripts.ts';
import { type AskedRequests, type CountedRequests, createSharedLimits } from './shared-limits.ts';

const takeRequests = defineScript(TAKE_REQUESTS);
const countFailure = defineScript(COUNT_FAILURE);
/** For connectRedis(). The probe counts a failure of no network, for a second. */
export const redisScripts = {
  scripts: [takeRequests, countFailure],
  probe: { script: countFailure, key: 'toolgate:failures:{probe}', values: [1_000] },
};

export function createRedisLimits(redis: RedisConnection): Limits {
  // It also counts while Redis responds, so that in an outage this process goes on from what it let pass before. While Redis
  // responds, only Redis decides: when it has lost its counts, a new hour starts for all processes.
  const local = createLocalLimits(null);
  const estimates = createEstimates();
  const shared = createSharedLimits((questions) =>
    Promise.all(questions.map(({ about, wanted }) => count(redis, estimates, about, wanted))),
  );

  /** Both must allow it: the own count, and while the connection is open what Redis returned last. */
  function takeWithout(id: string, limit: number, now: number): RateLimitDecision | Promise<RateLimitDecision> {
    const estimate = redis.isUp() ? estimates.take(id, limit, now) : null;
    if (estimate?.allowed === false) return estimate;
    const counted = local.take(id, limit, now);
    return estimate ?? counted;
  }

  async function takeShared(id: string, limit: number, now: number): Promise<RateLimitDecision> {
    const decision = await shared.take(id, limit, now);
    if (decision === null) return takeWithout(id, limit, now);
    if (decision.allowed) await local.take(id, limit, now);
    return decision;
  }

  function take(id: string, limit: number, now: number): RateLimitDecision | Promise<RateLimitDecision> {
    if (!redis.isUp()) return takeWithout(id, limit, now);
    return takeShared(id, limit, now);
  }

  function read(id: string, limit: number, now: number): RateLimitDecision | Promise<RateLimitDecision> {
    if (!redis.isUp()) return local.read(id, limit, now);
    return shared.read(id, limit, now).then((decision) => decision ?? local.read(id, limit, now));
  }

  return { take, read, flush() {} };
}

async function count(
  redis: RedisConnection,
  estimates: Estimates,
  { quota_group_id, limit, is_read }: AskedRequests,
  wanted: number,
): Promise<CountedRequests | null> {
  // In Redis Cluster all keys of a quota group are in one slot: the part in braces decides.
  const key = `toolgate:{${quota_group_id}}:requests`;
  const counted = await redis.run(takeRequests, key, [limit, is_read ? 0 : wanted], (response) =>
    estimates.learn(quota_group_id, toCounted(response)),
  );
  return counted === null ? null : toCounted(counted);
}

function toCounted(response: number[]): CountedRequests {
  const [granted, used, now, resets_at] = response as [number, number, number, number];
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
