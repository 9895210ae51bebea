// How often something may happen in a minute, by key. Counts in the memory of this process.

const MINUTE_MS = 60_000;
/** Further keys of the same minute are refused, so that their number does not grow without bound. */
const MAX_KEYS = 20_000;

export type MinuteLimit = {
  /** Counts one. Returns false beyond the limit. */
  allows(key: string, now: number): boolean;
};

export function createMinuteLimit(max: number): MinuteLimit {
  let counts = new Map<string, number>();
  let minute = Number.NaN;
  return {
    allows(key, now) {
      const current = Math.floor(now / MINUTE_MS);
      if (current !== minute) {
        minute = current;
        counts = new Map();
      }
      const count = counts.get(key) ?? 0;
      if (count >= max || (count === 0 && counts.size >= MAX_KEYS)) return false;
      counts.set(key, count + 1);
      return true;
    },
  };
}
