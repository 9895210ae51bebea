// When a delivery is attempted: immediately, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, ±20 % (contract 8).

import { withJitter } from '../../../queue/backoff.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delay before each attempt after the first. */
export const delays_ms = [
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
const MAX_RETRY_AFTER_MS = 24 * HOUR;

export type FailedAttempt = {
  /** Attempts made in this round, with this one. */
  step: number;
  /** When it ended, in epoch milliseconds. */
  at: number;
  /** The header of the response. */
  retry_after: string | undefined;
};

/** Returns when the next attempt is due; null: that was the last one. Respects Retry-After, up to a day. */
export function nextAttemptAt({ step, at, retry_after }: FailedAttempt, random?: () => number): number | null {
  const delay = delays_ms[step - 1];
  if (delay === undefined) return null;
  return at + Math.max(withJitter(delay, random), readRetryAfter(retry_after, at));
}

const MIN_POSTPONED_MS = 15 * SECOND;
const MAX_POSTPONED_MS = 10 * MINUTE;

/**
 * When to take up a delivery again that was not attempted because its receiver is known to be down. The delay grows with the
 * time it has been down, so that a queue of 100,000 is not processed again and again.
 */
export function postponedUntil(now: number, failing_since: string | null, random?: () => number): number {
  const down_ms = failing_since === null ? 0 : now - Date.parse(failing_since);
  return now + withJitter(Math.min(Math.max(down_ms / 4, MIN_POSTPONED_MS), MAX_POSTPONED_MS), random);
}

/** Seconds, or a date (RFC 9110 §10.2.3). */
function readRetryAfter(text: string | undefined, now: number): number {
  if (text === undefined) return 0;
  // Date.parse accepts nearly anything.
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * SECOND : HTTP_DATE.test(text) ? Date.parse(text) - now : 0;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS) : 0;
}
