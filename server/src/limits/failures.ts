// How often an address may fail to authenticate: 60 times a minute. Only failing requests are refused: hosted MCP clients of many
// customers share an address, and a valid credential is always served.

import { createNetworkLimit } from './network-limit.ts';

export const FAILURES_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

/** A missing or malformed token is counted separately from one that is unknown, inactive, revoked or expired. */
export type FailureKind = 'malformed' | 'unknown';

export type Failures = {
  /**
   * Counts a failed credential. Returns null, or the seconds until the address may fail again when it has reached the limit.
   * A store outside of the process returns a promise.
   */
  count(kind: FailureKind, ip: string, now: number): number | null | Promise<number | null>;
};

/** Counts in the memory of this process. */
export function createFailures(): Failures & { size(): number } {
  const limit = createNetworkLimit({ max: FAILURES_PER_MINUTE, window_ms: MINUTE_MS });
  return { size: limit.size, count: (kind, ip, now) => limit.count(ip, now, kind) };
}
