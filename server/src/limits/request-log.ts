// When the requests of one quota group came, so that in no 60 minutes more than the limit pass. Above 1,000 an hour the
// requests of one second share an entry, forgotten with the last of them: still never one too many, in bounded space.

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
  is_first_refusal: boolean;
};

/** How many requests passed in one second since 1970. */
export type SecondCount = { second: number; count: number };

export type RequestLog = {
  take(limit: number, now: number): Verdict;
  last(): number;
  /** What was counted since the last time. */
  takeUnsaved(): SecondCount[];
};

/** The limit is not the log's: a plan that changes within the hour does not begin a new hour. */
export function createRequestLog(stored: SecondCount[]): RequestLog {
  // Two plain lists of numbers: `counts[i]` requests, the last of them at `times[i]`; those before `first` are forgotten.
  // When in its second a stored request came is not known: as late as possible, so that never one too many passes.
  let times = stored.map(({ second }) => second * SECOND_MS + SECOND_MS - 1);
  let counts = stored.map(({ count }) => count);
  let first = 0;
  let used = counts.reduce((sum, count) => sum + count, 0);
  let unsaved: SecondCount[] = [];
  let current: SecondCount = { second: 0, count: 0 };
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

  function note(now: number): void {
    const second = Math.floor(now / SECOND_MS);
    if (current.second !== second) current = { second, count: 0 };
    current.count += 1;
    if (unsaved.at(-1) !== current) unsaved.push(current);
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
    takeUnsaved() {
      const counted = unsaved.map((each) => ({ ...each }));
      unsaved = [];
      return counted;
    },
    take(limit, given) {
      // The log is in order of time, so time must not run backwards, not even when the clock is corrected.
      const now = Math.max(given, last());
      forget(now - HOUR_MS);
      const allowed = used < limit;
      if (allowed) {
        add(limit, now);
        note(now);
      }
      const is_first_refusal = !allowed && now - told_at >= HOUR_MS;
      if (is_first_refusal) told_at = now;
      return {
        allowed,
        limit,
        remaining: Math.max(0, limit - used),
        reset_ms: forgottenAt(allowed ? 1 : used - limit + 1) - now,
        is_first_refusal,
      };
    },
  };
}
