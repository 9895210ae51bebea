// What a process knows of the counts in Redis while a response is late: the last response for each quota group, and the requests that
// it let pass since. It bridges moments in which Redis or this machine is slow, so that they do not reset the limits.

import type { RateLimitDecision } from './limits.ts';

const MAX_GROUPS = 50_000;

type Known = { used: number; resets_at: number; passed_since: number };

export type Estimates = {
  /** Takes a response of Redis. `resets_at` is null when nothing is counted. */
  learn(quota_group_id: string, counted: { used: number; resets_at: number | null }): void;
  /** Decides by the last response. Returns null if no response is still valid. */
  take(quota_group_id: string, limit: number, now: number): RateLimitDecision | null;
};

export function createEstimates(): Estimates {
  const known = new Map<string, Known>();
  return {
    learn(id, { used, resets_at }) {
      if (known.size >= MAX_GROUPS && !known.has(id)) known.clear();
      known.set(id, { used, resets_at: resets_at ?? 0, passed_since: 0 });
    },
    take(id, limit, now) {
      const last = known.get(id);
      if (last === undefined || last.resets_at <= now) return null;
      const allowed = last.used + last.passed_since < limit;
      if (allowed) last.passed_since += 1;
      const remaining = Math.max(0, limit - last.used - last.passed_since);
      const { resets_at } = last;
      return { allowed, limit, remaining, reset_ms: resets_at - now, resets_at, is_first_refusal: false };
    },
  };
}
