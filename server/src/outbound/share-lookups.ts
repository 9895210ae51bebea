// Limits the DNS look-ups of one group, so that its silent name servers use up its own share and nobody else's. The same name
// is asked for once at a time.

import type { Lookup } from './connect.ts';

type Found = Awaited<ReturnType<Lookup>>;
type Waiting = PromiseWithResolvers<Found> & { expires_at: number };

export type LookupLimits = {
  max_at_once: number;
  /** Whoever waits longer has given up connecting: the name is not asked for any more. */
  max_wait_ms: number;
};

/** Call it once for each group. Nothing is cached: who asks after the answer has come, asks anew. */
export function shareLookups(lookup: Lookup, { max_at_once, max_wait_ms }: LookupLimits): Lookup {
  const under_way = new Map<string, Promise<Found>>();
  const waiting = new Map<string, Waiting>();

  function begin(hostname: string): Promise<Found> {
    const found = lookup(hostname).finally(() => {
      under_way.delete(hostname);
      beginNext();
    });
    under_way.set(hostname, found);
    return found;
  }

  function beginNext(): void {
    for (const [hostname, { expires_at, resolve, reject }] of waiting) {
      if (under_way.size >= max_at_once) return;
      waiting.delete(hostname);
      if (performance.now() < expires_at) resolve(begin(hostname));
      else reject(new Error('too many DNS look-ups at once'));
    }
  }

  return (hostname) => {
    const expires_at = performance.now() + max_wait_ms;
    const queued = waiting.get(hostname);
    if (queued) {
      queued.expires_at = expires_at;
      return queued.promise;
    }
    const shared = under_way.get(hostname);
    if (shared) return shared;
    if (under_way.size < max_at_once) return begin(hostname);
    const question = { ...Promise.withResolvers<Found>(), expires_at };
    waiting.set(hostname, question);
    return question.promise;
  };
}
