// The database's time, advanced between two readings by this process's monotonic clock. The machine's wall clock is not used, so
// a correction of it has no effect. The time never goes back, so nothing that expired becomes valid again.

/** While the time is ahead of the database's, it runs slower, but at least at this rate, until the two are equal. */
const MIN_RATE = 0.5;
/** A small lead is corrected within this time: about the interval between readings. */
const CORRECT_WITHIN_MS = 300;

export type Clock = {
  /** Whole epoch milliseconds; never less than before. */
  now(): number;
  /** Takes a reading of the database's clock that was made between `sent` and `received` of the monotonic clock. */
  sync(database_ms: number, sent: number, received: number): void;
};

export function createClock(monotonic: () => number = () => performance.now()): Clock {
  let base: number | undefined;
  let base_at = 0;
  let rate = 1;
  const at = (moment: number) => (base ?? 0) + (moment - base_at) * rate;

  return {
    now: () => Math.floor(at(monotonic())),
    sync(database_ms, sent, received) {
      // The reading is exact to within half the round trip: only a time outside that range is corrected.
      const uncertainty = (received - sent) / 2;
      const reading = database_ms + uncertainty;
      const current = base === undefined ? reading : at(received);
      const corrected = Math.min(Math.max(current, reading - uncertainty), reading + uncertainty);
      const ahead = Math.max(0, current - corrected);
      // A jump forward takes effect at once: the database's clock was set, or this machine was suspended.
      base = Math.max(current, corrected);
      base_at = received;
      rate = Math.max(MIN_RATE, 1 - ahead / CORRECT_WITHIN_MS);
    },
  };
}

/** A larger difference between the clocks of a machine and of the database is reported. It changes nothing else. */
export const MAX_CLOCK_OFFSET_MS = 2_000;

/** Returns by how much the wall clock of this machine is ahead of the database's, which `now` is. */
export const wallClockOffset = (now: number): number => Date.now() - now;
