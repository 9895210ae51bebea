// When a delivery is tried: at once, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, ±20 % (contract 8).

import { spread } from '../../queue/backoff.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The pause before each attempt after the first. */
export const pauses_ms = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
const LONGEST_RETRY_AFTER_MS = 24 * HOUR;

export type FailedAttempt = {
  /** Attempts made in this round, with this one. */
  step: number;
  /** When it ended, in epoch milliseconds. */
  at: number;
  /** As the receiver wrote it. */
  retry_after: string | undefined;
};

/** When to try again; null: that was the last attempt. Never before the time the receiver asked for, up to a day. */
export function nextAttemptAt({ step, at, retry_after }: FailedAttempt, random?: () => number): number | null {
  const pause = pauses_ms[step - 1];
  if (pause === undefined) return null;
  return at + Math.max(spread(pause, random), readRetryAfter(retry_after, at));
}

const SHORTEST_PAUSE_MS = 15 * SECOND;
const LONGEST_PAUSE_MS = 10 * MINUTE;

/**
 * When to look again at what could not even be tried, because its receiver is known to be down: soon, and less often the
 * longer it has been down, so that a queue of 100,000 does not turn round and round.
 */
export function postponedUntil(now: number, failing_since: string | null, random?: () => number): number {
  const down_ms = failing_since === null ? 0 : now - Date.parse(failing_since);
  return now + spread(Math.min(Math.max(down_ms / 4, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS), random);
}

/** Seconds, or a date (RFC 9110 §10.2.3). */
function readRetryAfter(text: string | undefined, now: number): number {
  if (text === undefined) return 0;
  // Date.parse would make a date of nearly anything.
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * SECOND : HTTP_DATE.test(text) ? Date.parse(text) - now : 0;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS) : 0;
}
