// How many requests a quota group makes in an hour. Three implementations: one process on its own database counts in memory
// (local-limits.ts); several processes count in Redis (redis-limits.ts) or in PostgreSQL (postgres-limits.ts).

export const HOUR_MS = 3_600_000;

export type RateLimitDecision = {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Until another request passes (when refused), or until the oldest counted request expires; 0 when none is counted. */
  reset_ms: number;
  /** The moment of that, in epoch milliseconds: the same number on all replicas. */
  resets_at: number;
  /** The first refusal within an hour, for which an event is emitted. */
  is_first_refusal: boolean;
};

export type Limits = {
  /**
   * Counts one request of this group if the limit allows it. `now` is for counts in the memory of this process; a shared store
   * uses its own clock, and returns a promise.
   */
  take(quota_group_id: string, limit: number, now: number): RateLimitDecision | Promise<RateLimitDecision>;
  /** Returns what `take` would decide, and counts nothing. */
  read(quota_group_id: string, limit: number, now: number): RateLimitDecision | Promise<RateLimitDecision>;
  /** Passes all counts to the store. */
  flush(): void;
};
