// Limits the DNS lookups of one group, so that name servers that do not respond delay only that group. Concurrent lookups of
// the same name share one query.

import type { Lookup } from './connect.ts';

type Found = Awaited<ReturnType<Lookup>>;
type Waiting = PromiseWithResolvers<Found> & { expires_at: number };

export type LookupLimits = {
  max_at_once: number;
  /** The connection attempt has timed out by then, so the query is not sent. */
  max_wait_ms: number;
};

/** Called once for each group. Nothing is cached: a lookup after the result has come sends a new query. */
export function shareLookups(lookup: Lookup, { max_at_once, max_wait_ms }: LookupLimits): Lookup {
  const running = new Map<string, Promise<Found>>();
  const waiting = new Map<string, Waiting>();

  function begin(hostname: string): Promise<Found> {
    const found = lookup(hostname).finally(() => {
      running.delete(hostname);
      beginNext();
    });
    running.set(hostname, found);
    return found;
  }

  function beginNext(): void {
    for (const [hostname, { expires_at, resolve, reject }] of waiting) {
      if (running.size >= max_at_once) return;
      waiting.delete(hostname);
      if (performance.now() < expires_at) resolve(begin(hostname));
      else reject(new Error('too many DNS lookups at the same time'));
    }
  }

  return (hostname) => {
    const expires_at = performance.now() + max_wait_ms;
    const queued = waiting.get(hostname);
    if (queued) {
      queued.expires_at = expires_at;
      return queued.promise;
    }
    const shared = running.get(hostname);
    if (shared) return shared;
    if (running.size < max_at_once) return begin(hostname);
    const query = { ...Promise.withResolvers<Found>(), expires_at };
    waiting.set(hostname, query);
    return query.promise;
  };
}
