// How often one client network may do something that needs no credential, in a fixed window. Counts in the memory of this process.

import { clientNetwork } from './client-network.ts';

const MAX_ENTRIES = 20_000;

export type NetworkLimit = {
  /** Counts one use. Returns null, or the seconds until the next window when the limit is reached. */
  count(ip: string, now: number, kind?: string): number | null;
  /** The same without counting. */
  wait(ip: string, now: number, kind?: string): number | null;
  size(): number;
};

export function createNetworkLimit({ max, window_ms }: { max: number; window_ms: number }): NetworkLimit {
  const entries = new Map<string, { count: number; expires_at: number }>();

  function makeRoom(now: number): void {
    if (entries.size < MAX_ENTRIES) return;
    for (const [key, { expires_at }] of entries) if (expires_at <= now) entries.delete(key);
    if (entries.size >= MAX_ENTRIES) entries.clear();
  }

  return {
    size: () => entries.size,
    wait(ip, now, kind = '') {
      const entry = entries.get(`${kind} ${clientNetwork(ip)}`);
      if (!entry || entry.expires_at <= now || entry.count < max) return null;
      return Math.ceil((entry.expires_at - now) / 1000);
    },
    count(ip, now, kind = '') {
      const key = `${kind} ${clientNetwork(ip)}`;
      const entry = entries.get(key);
      if (entry && entry.expires_at > now) {
        if (entry.count >= max) return Math.ceil((entry.expires_at - now) / 1000);
        entry.count += 1;
        return null;
      }
      makeRoom(now);
      entries.set(key, { count: 1, expires_at: now + window_ms });
      return null;
    },
  };
}
