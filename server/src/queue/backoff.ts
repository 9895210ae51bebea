// How long to wait before trying again what broke: twice as long each time, at most an hour, never two at the same moment.

const FIRST_MS = 1000;
const LONGEST_MS = 3_600_000;
const JITTER = 0.2;

export function backoff(failures: number, random: () => number = Math.random): number {
  return spread(Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS), random);
}

/** The delay ±20 %. */
export function spread(delay_ms: number, random: () => number = Math.random): number {
  return Math.round(delay_ms * (1 - JITTER + 2 * JITTER * random()));
}
