// Limits that several processes count in one store, PostgreSQL or Redis, by its clock. Requests that arrive together are counted
// together.

import { type Ask, createBatcher } from './batcher.ts';
import { HOUR_MS, type RateLimitDecision } from './limits.ts';

export type AskedRequests = { quota_group_id: string; limit: number; is_read: boolean };

export type CountedRequests = {
  /** How many of the wanted requests pass. */
  granted: number;
  /** With them. */
  used: number;
  /** By the clock of the store, in epoch milliseconds. */
  now: number;
  /** When the next request passes, or the oldest one expires; null when none is counted. */
  resets_at: number | null;
};

export type SharedLimits = {
  take(quota_group_id: string, limit: number, now: number): Promise<RateLimitDecision | null>;
  read(quota_group_id: string, limit: number, now: number): Promise<RateLimitDecision | null>;
};

/** `count` counts as many of the wanted requests as the limit allows, and none of a read. Null: the store is unavailable. */
export function createSharedLimits(
  count: Ask<AskedRequests, CountedRequests | null>,
  max_in_progress?: number,
): SharedLimits {
  const ask = createBatcher(count, max_in_progress);
  const isFirstRefusal = createFirstRefusals();

  async function decide(asked: AskedRequests, now: number): Promise<RateLimitDecision | null> {
    const { quota_group_id, limit, is_read } = asked;
    const { response, index } = await ask(`${is_read ? 'read' : 'take'} ${limit} ${quota_group_id}`, asked);
    if (response === null) return null;
    const { granted, used } = response;
    const allowed = is_read ? used < limit : index < granted;
    // Each of the requests that were counted together has its own number.
    const used_here = !is_read && allowed ? used - granted + index + 1 : used;
    return {
      allowed,
      limit,
      remaining: Math.max(0, limit - used_here),
      ...resetOf(response, now),
      is_first_refusal: !is_read && !allowed && isFirstRefusal(quota_group_id, now),
    };
  }

  return {
    take: (quota_group_id, limit, now) => decide({ quota_group_id, limit, is_read: false }, now),
    read: (quota_group_id, limit, now) => decide({ quota_group_id, limit, is_read: true }, now),
  };
}

/**
 * The clock of the store may differ from the database's, which `now` is. Milliseconds of difference are not corrected: the
 * responses of all replicas must agree.
 */
function resetOf({ now: store_now, resets_at }: CountedRequests, now: number): { reset_ms: number; resets_at: number } {
  const correction_ms = Math.round((now - store_now) / 1000) * 1000;
  const reset_ms = resets_at === null ? 0 : Math.max(0, resets_at - store_now);
  return { reset_ms, resets_at: store_now + reset_ms + correction_ms };
}

/** Finds the first refusal of each group within an hour. */
function createFirstRefusals(): (quota_group_id: string, now: number) => boolean {
  const refused_at = new Map<string, number>();
  let evicted_at = 0;
  return (quota_group_id, now) => {
    if (now - evicted_at >= HOUR_MS) {
      evicted_at = now;
      for (const [id, time] of refused_at) if (now - time >= HOUR_MS) refused_at.delete(id);
    }
    if (now - (refused_at.get(quota_group_id) ?? Number.NEGATIVE_INFINITY) < HOUR_MS) return false;
    refused_at.set(quota_group_id, now);
    return true;
  };
}
