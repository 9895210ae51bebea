// Which failures are tried again, and after how long.

import { ConnectionError, ToolgateError } from './errors.ts';

/**
 * `idempotent`: doing it twice changes nothing, or its Idempotency-Key makes the server do it once.
 * `tool_call`: has an Idempotency-Key too, but 500 and 502 are the response of the customer's API.
 * `never`: its body is a stream, which can be read only once.
 * `once`: repeated only if the response says that the server has not done it. A broken connection does not say so.
 */
export type Repetition = 'idempotent' | 'tool_call' | 'once' | 'never';

const LONGEST_WAIT_SECONDS = 60;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;
/** Spreads clients that were refused at the same moment. */
const JITTER_MS = 250;

/** Milliseconds until the next attempt, or null if there is no next attempt. A timeout is final, and so is an abort. */
export function retryDelay(error: unknown, repetition: Repetition, retries: number): number | null {
  if (repetition === 'never') return null;
  if (error instanceof ConnectionError) return repetition === 'once' ? null : backoff(retries);
  if (!(error instanceof ToolgateError) || error.status === null) return null;
  if (!isRetried(error.status, repetition) || isTooExpensive(error)) return null;
  const seconds = error.retryAfterSeconds;
  if (seconds === null) return backoff(retries);
  return seconds > LONGEST_WAIT_SECONDS ? null : seconds * 1000 + Math.random() * JITTER_MS;
}

/** A question about analytics or a log that took too long: the same again would take as long. */
const isTooExpensive = (error: ToolgateError) => error.details.reason === 'read_took_too_long';

function isRetried(status: number, repetition: Repetition): boolean {
  if (status === 429 || status === 503) return true;
  if (status < 500 || repetition === 'once') return false;
  return repetition === 'idempotent' || (status !== 500 && status !== 502);
}

/** Doubles with every retry; a random part of up to one half is taken off. */
export function backoff(retries: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** retries, LONGEST_DELAY_MS) * (1 - Math.random() / 2);
}

/** Whole seconds, rounded up, of either form of Retry-After (RFC 9110 §10.2.3). */
export function parseRetryAfter(value: string | null): number | null {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : Math.max(0, Math.ceil((time - Date.now()) / 1000));
}
