// How many requests in an hour. Exact up to 1,000 an hour: a log of the times of the last `limit` requests, so that in no
// 60 minutes more than the limit pass. Above that two cells an hour apart, weighted by how far the hour has gone.

export const HOUR_MS = 3_600_000;
const LARGEST_LOG = 1000;

export type Verdict = {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Until one more request passes (when refused), or until the oldest counted one is forgotten. */
  reset_ms: number;
};

export type Limits = {
  /** Counts one request of this project, unless it is one too many. */
  take(project_id: string, limit: number, now: number): Verdict;
};

type Counter = { limit: number; take(now: number): Verdict; last: number };

/** One process's counters. A project that was silent for an hour costs nothing. */
export function createLimits(): Limits {
  const counters = new Map<string, Counter>();
  let swept = 0;
  return {
    take(project_id, limit, now) {
      let counter = counters.get(project_id);
      if (counter?.limit !== limit) {
        counter = limit <= LARGEST_LOG ? slidingLog(limit, counter) : slidingWindow(limit);
        counters.set(project_id, counter);
      }
      if (now - swept > HOUR_MS) {
        swept = now;
        for (const [id, { last }] of counters) if (last > 0 && now - last > 2 * HOUR_MS) counters.delete(id);
      }
      return counter.take(now);
    },
  };
}

type Log = Counter & { times(): number[] };

/** A ring of the times of the last `limit` requests; a new one passes when the oldest is an hour old. */
function slidingLog(limit: number, before?: Counter): Log {
  const ring = new Float64Array(limit).fill(Number.NEGATIVE_INFINITY);
  let next = 0;
  // A plan that changes within the hour does not begin a new hour.
  if (before && 'times' in before) {
    for (const time of (before as Log).times().slice(-limit)) {
      ring[next] = time;
      next = (next + 1) % limit;
    }
  }
  const counter: Log = {
    limit,
    last: 0,
    times: () => [...ring.subarray(next), ...ring.subarray(0, next)].filter(Number.isFinite),
    take(given) {
      // The ring is searched by order, so time must not run backwards, not even when the clock is corrected.
      const now = Math.max(given, counter.last);
      const oldest = ring[next] as number;
      if (oldest > now - HOUR_MS) return { allowed: false, limit, remaining: 0, reset_ms: oldest + HOUR_MS - now };
      ring[next] = now;
      next = (next + 1) % limit;
      counter.last = now;
      const { used, first } = countSince(ring, next, now - HOUR_MS);
      return { allowed: true, limit, remaining: limit - used, reset_ms: first + HOUR_MS - now };
    },
  };
  return counter;
}

/** The ring is in order of time from `start` on: a binary search finds the first entry younger than an hour. */
function countSince(ring: Float64Array, start: number, since: number): { used: number; first: number } {
  const at = (i: number) => ring[(start + i) % ring.length] as number;
  let low = 0;
  let high = ring.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(middle) > since) high = middle;
    else low = middle + 1;
  }
  return { used: ring.length - low, first: at(low) };
}

/** The hour before last fades linearly: at most the limit by that estimate, in constant space. */
function slidingWindow(limit: number): Counter {
  let cell = 0;
  let current = 0;
  let previous = 0;
  const counter: Counter = {
    limit,
    last: 0,
    take(now) {
      const index = Math.floor(now / HOUR_MS);
      if (index !== cell) {
        previous = index === cell + 1 ? current : 0;
        current = 0;
        cell = index;
      }
      const gone = now - index * HOUR_MS;
      const used = current + previous * (1 - gone / HOUR_MS);
      if (used + 1 > limit)
        return { allowed: false, limit, remaining: 0, reset_ms: waitForRoom(limit, current, previous, gone) };
      current += 1;
      counter.last = now;
      return { allowed: true, limit, remaining: Math.max(0, Math.floor(limit - used - 1)), reset_ms: HOUR_MS - gone };
    },
  };
  return counter;
}

/** When the estimate has sunk so far that one more fits: still in this hour if the old one fades enough, else in the next. */
function waitForRoom(limit: number, current: number, previous: number, gone: number): number {
  const room = limit - 1 - current;
  if (room >= 0 && previous > 0) return HOUR_MS * (1 - room / previous) - gone;
  return HOUR_MS - gone + HOUR_MS * (1 - Math.min(1, (limit - 1) / current));
}
