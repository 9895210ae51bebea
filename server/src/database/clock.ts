// The database's time, carried on between two readings by this process's monotonic clock. The machine's own wall clock is
// never looked at: a correction of it changes nothing here. The time never goes back, so nothing expired becomes valid again.

/** While the time is ahead of the database's, it runs at no less than this share of its speed until the two meet. */
const SLOWEST = 0.5;
/** How soon a small lead is made up for: about the time to the next reading. */
const MEET_WITHIN_MS = 300;

export type Clock = {
  /** Whole epoch milliseconds; never less than before. */
  now(): number;
  /** A reading of the database's clock, made at some moment between `sent` and `received` of the monotonic clock. */
  sync(database_ms: number, sent: number, received: number): void;
};

export function createClock(monotonic: () => number = () => performance.now()): Clock {
  let base: number | undefined;
  let base_at = 0;
  let speed = 1;
  const at = (moment: number) => (base ?? 0) + (moment - base_at) * speed;

  return {
    now: () => Math.floor(at(monotonic())),
    sync(database_ms, sent, received) {
      // The reading is exact to within half its way: only a time outside of that is wrong.
      const uncertainty = (received - sent) / 2;
      const reading = database_ms + uncertainty;
      const shown = base === undefined ? reading : at(received);
      const right = Math.min(Math.max(shown, reading - uncertainty), reading + uncertainty);
      const ahead = Math.max(0, shown - right);
      // Forward at once: the database's clock was set, or this machine slept, which its monotonic clock does not count.
      base = Math.max(shown, right);
      base_at = received;
      speed = Math.max(SLOWEST, 1 - ahead / MEET_WITHIN_MS);
    },
  };
}
