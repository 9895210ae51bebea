// The times of one quota group's requests, so that no more than the limit pass in any 60 minutes (decision 0003). With a limit
// above 1,000 the requests of one second share an entry, which expires with its last request: the limit holds, in bounded space.

export const HOUR_MS = 3_600_000;
const MAX_EXACT_LIMIT = 1000;
const SECOND_MS = 1000;
const COMPACT_AT_ENTRIES = 1024;

export type RateLimitDecision = {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Until another request passes (when refused), or until the oldest counted request expires. */
  reset_ms: number;
  /** The first refusal within an hour, for which an event is emitted. */
  is_first_refusal: boolean;
};

/** How many requests passed in one second since 1970. */
export type SecondCount = { second: number; count: number };

export type SlidingLog = {
  take(limit: number, now: number): RateLimitDecision;
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

  /** Returns when the oldest `requests` requests have expired. */
  function expiryOf(requests: number): number {
    let i = first;
    for (let left = requests - (counts[i] as number); left > 0; left -= counts[i] as number) i += 1;
    return (times[i] as number) + HOUR_MS;
  }

  const lastRequestAt = () => times.at(-1) ?? 0;
  return {
    lastRequestAt,
    takeUnsaved() {
      const counted = unsaved.map((each) => ({ ...each }));
      unsaved = [];
      return counted;
    },
    take(limit, given_now) {
      // The entries are in the order of time, so time must not go back, not even when the clock is corrected.
      const now = Math.max(given_now, lastRequestAt());
      expireUntil(now - HOUR_MS);
      const allowed = used < limit;
      if (allowed) {
        add(limit, now);
        addUnsaved(now);
      }
      const is_first_refusal = !allowed && now - first_refusal_at >= HOUR_MS;
      if (is_first_refusal) first_refusal_at = now;
      return {
        allowed,
        limit,
        remaining: Math.max(0, limit - used),
        reset_ms: expiryOf(allowed ? 1 : used - limit + 1) - now,
        is_first_refusal,
      };
    },
  };
}
