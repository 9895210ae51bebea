// The times of one quota group's requests, so that no more than the limit pass in any 60 minutes (docs/design/fair-shares.md). With a limit
// above 1,000 the requests of one second share an entry, which expires with its last request: the limit holds, in bounded space.

import { HOUR_MS, type RateLimitDecision } from './limits.ts';

const MAX_EXACT_LIMIT = 1000;
const SECOND_MS = 1000;
const COMPACT_AT_ENTRIES = 1024;

/** How many requests passed in one second since 1970. */
export type SecondCount = { second: number; count: number };

export type SlidingLog = {
  take(limit: number, now: number): RateLimitDecision;
  /** Returns what is left, and counts nothing. */
  read(limit: number, now: number): RateLimitDecision;
  /** Returns the time of the newest request, or 0. */
  lastRequestAt(): number;
  /** Returns what was counted since the previous call. */
  takeUnsaved(): SecondCount[];
};

/** The limit is an argument of `take`, because a change of plan must not restart the hour. */
export function createSlidingLog(stored: SecondCount[]): SlidingLog {
  // `counts[i]` requests, the last of them at `times[i]`. Entries before `first` have expired. The stored counts have no
  // milliseconds: each is taken as the end of its second, so that the limit is never exceeded.
  let times = stored.map(({ second }) => second * SECOND_MS + SECOND_MS - 1);
  let counts = stored.map(({ count }) => count);
  let first = 0;
  let used = counts.reduce((sum, count) => sum + count, 0);
  let unsaved: SecondCount[] = [];
  let current: SecondCount = { second: 0, count: 0 };
  let first_refusal_at = Number.NEGATIVE_INFINITY;

  function expireUntil(time: number): void {
    while (first < times.length && (times[first] as number) <= time) {
      used -= counts[first] as number;
      first += 1;
    }
    if (first < COMPACT_AT_ENTRIES) return;
    times = times.slice(first);
    counts = counts.slice(first);
    first = 0;
  }

  function add(limit: number, now: number): void {
    const end = times.length - 1;
    const step = limit <= MAX_EXACT_LIMIT ? 1 : SECOND_MS;
    if (end >= first && Math.floor((times[end] as number) / step) === Math.floor(now / step)) {
      times[end] = now;
      counts[end] = (counts[end] as number) + 1;
    } else {
      times.push(now);
      counts.push(1);
    }
    used += 1;
  }

  function addUnsaved(now: number): void {
    const second = Math.floor(now / SECOND_MS);
    if (current.second !== second) current = { second, count: 0 };
    current.count += 1;
    if (unsaved.at(-1) !== current) unsaved.push(current);
  }

  const lastRequestAt = () => times.at(-1) ?? 0;
  /** The entries are in the order of time, so time must not go back, not even when the clock is corrected. */
  function advance(given_now: number): number {
    const now = Math.max(given_now, lastRequestAt());
    expireUntil(now - HOUR_MS);
    return now;
  }

  function decision(allowed: boolean, limit: number, now: number, is_first_refusal: boolean): RateLimitDecision {
    // How many have to expire until another request passes, or until something changes.
    const requests = allowed ? Math.min(1, used) : used - limit + 1;
    const reset_ms = requests === 0 ? 0 : expiryOf(requests, times, counts, first) - now;
    const remaining = Math.max(0, limit - used);
    return { allowed, limit, remaining, reset_ms, resets_at: now + reset_ms, is_first_refusal };
  }

  return {
    lastRequestAt,
    takeUnsaved() {
      const counted = unsaved.map((each) => ({ ...each }));
      unsaved = [];
      return counted;
    },
    read(limit, given_now) {
      const now = advance(given_now);
      return decision(used < limit, limit, now, false);
    },
    take(limit, given_now) {
      const now = advance(given_now);
      if (used < limit) {
        add(limit, now);
        addUnsaved(now);
        return decision(true, limit, now, false);
      }
      const is_first_refusal = now - first_refusal_at >= HOUR_MS;
      if (is_first_refusal) first_refusal_at = now;
      return decision(false, limit, now, is_first_refusal);
    },
  };
}

/** Returns when the oldest `requests` requests have expired. */
function expiryOf(requests: number, times: number[], counts: number[], first: number): number {
  let i = first;
  for (let left = requests - (counts[i] as number); left > 0; left -= counts[i] as number) i += 1;
  return (times[i] as number) + HOUR_MS;
}
