// How many requests in an hour: a log of when they came, so that in no 60 minutes more than the limit pass. Above 1,000 an
// hour the requests of one second share an entry, forgotten with the last of them: still never one too many, in bounded space.

export const HOUR_MS = 3_600_000;
const LARGEST_EXACT = 1000;
const SECOND_MS = 1000;
const FORGOTTEN_AT_ONCE = 1024;

export type Verdict = {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Until one more request passes (when refused), or until the oldest counted one is forgotten. */
  reset_ms: number;
  /** The first refusal in an hour: worth telling somebody. */
  is_news: boolean;
};

export type Limits = {
  /** Counts one request of this project, unless it is one too many. */
  take(quota_group_id: string, limit: number, now: number): Verdict;
};

/** One process's counters. A project that was silent for an hour costs nothing. */
export function createLimits(): Limits {
  const logs = new Map<string, Log>();
  let swept = 0;
  return {
    take(quota_group_id, limit, now) {
      if (now - swept > HOUR_MS) {
        swept = now;
        for (const [id, log] of logs) if (log.last() <= now - HOUR_MS) logs.delete(id);
      }
      let log = logs.get(quota_group_id);
      if (!log) {
        log = createLog();
        logs.set(quota_group_id, log);
      }
      return log.take(limit, now);
    },
  };
}

type Log = { take(limit: number, now: number): Verdict; last(): number };

/** The limit is not the log's: a plan that changes within the hour does not begin a new hour. */
function createLog(): Log {
  // Two plain lists of numbers: `counts[i]` requests, the last of them at `times[i]`; those before `first` are forgotten.
  let times: number[] = [];
  let counts: number[] = [];
  let first = 0;
  let used = 0;
  let told_at = Number.NEGATIVE_INFINITY;

  function forget(until: number): void {
    while (first < times.length && (times[first] as number) <= until) {
      used -= counts[first] as number;
      first += 1;
    }
    if (first < FORGOTTEN_AT_ONCE) return;
    times = times.slice(first);
    counts = counts.slice(first);
    first = 0;
  }

  function add(limit: number, now: number): void {
    const end = times.length - 1;
    const step = limit <= LARGEST_EXACT ? 1 : SECOND_MS;
    if (end >= first && Math.floor((times[end] as number) / step) === Math.floor(now / step)) {
      times[end] = now;
      counts[end] = (counts[end] as number) + 1;
    } else {
      times.push(now);
      counts.push(1);
    }
    used += 1;
  }

  /** When so many of the oldest are forgotten. */
  function forgottenAt(many: number): number {
    let at = first;
    for (let left = many - (counts[at] as number); left > 0; left -= counts[at] as number) at += 1;
    return (times[at] as number) + HOUR_MS;
  }

  const last = () => times.at(-1) ?? 0;
  return {
    last,
    take(limit, given) {
      // The log is in order of time, so time must not run backwards, not even when the clock is corrected.
      const now = Math.max(given, last());
      forget(now - HOUR_MS);
      const allowed = used < limit;
      if (allowed) add(limit, now);
      const is_news = !allowed && now - told_at >= HOUR_MS;
      if (is_news) told_at = now;
      return {
        allowed,
        limit,
        remaining: Math.max(0, limit - used),
        reset_ms: forgottenAt(allowed ? 1 : used - limit + 1) - now,
        is_news,
      };
    },
  };
}
