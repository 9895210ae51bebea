// How often an address may fail to authenticate: 60 times a minute. Only failing requests are refused: hosted MCP clients of many
// customers share an address, and a valid credential is always served.

import { clientNetwork } from './client-network.ts';
import { createNetworkLimit } from './network-limit.ts';

export const FAILURES_PER_MINUTE = 60;
export const FAILURE_WINDOW_MS = 60_000;
const MAX_REFUSED_KEYS = 20_000;

/** A missing or malformed token is counted separately from one that is unknown, inactive, revoked or expired. */
export type FailureKind = 'malformed' | 'unknown';

export type Failures = {
  /**
   * Counts a failed credential. Returns null, or the seconds until the address may fail again when it has reached the limit.
   * A store outside of the process returns a promise.
   */
  count(kind: FailureKind, ip: string, now: number): number | null | Promise<number | null>;
};

/** `count` includes this failure. */
export type CountedFailure = { count: number; ends_in_ms: number };

/** Counts in the memory of this process. */
export function createFailures(): Failures & { size(): number } {
  const limit = createNetworkLimit({ max: FAILURES_PER_MINUTE, window_ms: FAILURE_WINDOW_MS });
  return { size: limit.size, count: (kind, ip, now) => limit.count(ip, now, kind) };
}

/** Counts in a store that several processes share. `count` returns null when the store is unavailable: then this process counts on its own. */
export function createSharedFailures(count: (key: string) => Promise<CountedFailure | null>): Failures {
  const local = createFailures();
  /** Until when the failures of a network are refused. They are not counted, so that a flood of them costs no query. */
  const refused = new Map<string, number>();

  function refuseUntil(key: string, until: number): void {
    if (refused.size >= MAX_REFUSED_KEYS) refused.clear();
    refused.set(key, until);
  }

  return {
    async count(kind, ip, now) {
      const key = `${kind} ${clientNetwork(ip)}`;
      const refused_until = refused.get(key) ?? 0;
      if (refused_until > now) return Math.ceil((refused_until - now) / 1000);
      refused.delete(key);
      const counted_here = local.count(kind, ip, now);
      const counted = await count(key);
      if (counted === null) return counted_here;
      if (counted.count <= FAILURES_PER_MINUTE) return null;
      refuseUntil(key, now + counted.ends_in_ms);
      return Math.max(1, Math.ceil(counted.ends_in_ms / 1000));
    },
  };
}
