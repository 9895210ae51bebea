// How often an address may fail to authenticate: 60 times a minute. Only the failures are refused: hosted MCP clients of
// many customers share an address, and a valid credential is served whatever others send from there.

import { network } from './network.ts';

const PER_MINUTE = 60;
const MINUTE_MS = 60_000;
const MOST_ENTRIES = 20_000;

/** A token that cannot exist, or none, is counted apart from one that is unknown, inactive, revoked or expired. */
export type FailureKind = 'malformed' | 'unknown';
export type Failures = Map<string, { count: number; until: number }>;

/** Counts a failed credential; answers for how many seconds the address has used up its failures, or null. */
export function countFailure(failures: Failures, kind: FailureKind, ip: string, now: number): number | null {
  const key = `${kind} ${network(ip)}`;
  const entry = failures.get(key);
  if (entry && entry.until > now) {
    if (entry.count >= PER_MINUTE) return Math.ceil((entry.until - now) / 1000);
    entry.count += 1;
    return null;
  }
  if (failures.size >= MOST_ENTRIES) for (const [old, { until }] of failures) if (until <= now) failures.delete(old);
  if (failures.size >= MOST_ENTRIES) failures.clear();
  failures.set(key, { count: 1, until: now + MINUTE_MS });
  return null;
}
