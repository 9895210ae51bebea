// How often an address may fail to authenticate: 60 times a minute. Only failing requests are refused: hosted MCP clients of many
// customers share an address, and a valid credential is always served.

import { clientNetwork } from './client-network.ts';

export const FAILURES_PER_MINUTE = 60;
const MINUTE_MS = 60_000;
const MAX_ENTRIES = 20_000;

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
  const entries = new Map<string, { count: number; expires_at: number }>();

  function makeRoom(now: number): void {
    if (entries.size < MAX_ENTRIES) return;
    for (const [key, { expires_at }] of entries) if (expires_at <= now) entries.delete(key);
    if (entries.size >= MAX_ENTRIES) entries.clear();
  }

  return {
    size: () => entries.size,
    count(kind, ip, now) {
      const key = `${kind} ${clientNetwork(ip)}`;
      const entry = entries.get(key);
      if (entry && entry.expires_at > now) {
        if (entry.count >= FAILURES_PER_MINUTE) return Math.ceil((entry.expires_at - now) / 1000);
        entry.count += 1;
        return null;
      }
      makeRoom(now);
      entries.set(key, { count: 1, expires_at: now + MINUTE_MS });
      return null;
    },
  };
}
