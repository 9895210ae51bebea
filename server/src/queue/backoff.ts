// The delay before a failed job is tried again: it doubles with each failure up to an hour, with jitter so that retries do not
// all come at the same moment.

const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 3_600_000;
const JITTER = 0.2;

export function backoff(failures: number, random: () => number = Math.random): number {
  return withJitter(Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), MAX_DELAY_MS), random);
}

/** The delay ±20 %. */
export function withJitter(delay_ms: number, random: () => number = Math.random): number {
  return Math.round(delay_ms * (1 - JITTER + 2 * JITTER * random()));
}
