// How often an address may fail to authenticate: 60 times a minute. Keeps guessing, and the look-ups it costs, bounded.

import { refuse } from '../errors.ts';

const PER_MINUTE = 60;
const MINUTE_MS = 60_000;
const MOST_ADDRESSES = 20_000;

export type Failures = Map<string, { count: number; until: number }>;

export function refuseAfterFailures(failures: Failures, ip: string, now: number): void {
  const entry = failures.get(network(ip));
  if (!entry || entry.until <= now || entry.count < PER_MINUTE) return;
  const seconds = Math.ceil((entry.until - now) / 1000);
  throw refuse.rateLimitExceeded({ headers: { 'retry-after': String(seconds) } });
}

export function countFailure(failures: Failures, ip: string, now: number): void {
  const address = network(ip);
  const entry = failures.get(address);
  if (entry && entry.until > now) {
    entry.count += 1;
    return;
  }
  if (failures.size >= MOST_ADDRESSES) for (const [old, { until }] of failures) if (until <= now) failures.delete(old);
  if (failures.size >= MOST_ADDRESSES) failures.clear();
  failures.set(address, { count: 1, until: now + MINUTE_MS });
}

/** One IPv6 customer holds a whole /64: its first four groups. */
export function network(ip: string): string {
  if (!ip.includes(':') || ip.includes('.')) return ip;
  const [head = '', tail] = ip.split('::');
  const groups = head.split(':').filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter(Boolean).length;
  const full = [...groups, ...Array<string>(Math.max(0, missing)).fill('0')];
  return full.slice(0, 4).join(':');
}
