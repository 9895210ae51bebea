// Limits for the only process on a database, counted in memory (sliding-log.ts). The counts are stored twice a second, so that a
// restart does not reset the limits (docs/design/fair-shares.md).

import { HOUR_MS, type Limits, type RateLimitDecision } from './limits.ts';
import { createSlidingLog, type SecondCount, type SlidingLog } from './sliding-log.ts';

const STORE_AFTER_MS = 500;

/** Keeps the counts when the process ends. */
export type CountStore = {
  /** Returns the counts in the order of time, without those older than `since`, in milliseconds. */
  load(quota_group_id: string, since: number): Promise<SecondCount[]>;
  /** Takes all that this process counted in that second, so saving it twice is harmless. Not awaited by requests. */
  save(quota_group_id: string, counted: SecondCount): void;
};

/** A group without requests for an hour uses no memory. Without a store nothing is loaded, and all decisions are synchronous. */
export function createLocalLimits(store: CountStore | null): Limits {
  const logs = new Map<string, SlidingLog>();
  const loading = new Map<string, Promise<SlidingLog>>();
  const unsaved = new Map<string, SlidingLog>();
  let timer: NodeJS.Timeout | undefined;
  let evicted_at = 0;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const [id, log] of unsaved) for (const counted of log.takeUnsaved()) store?.save(id, counted);
    unsaved.clear();
  }

  function count(id: string, log: SlidingLog, limit: number, now: number): RateLimitDecision {
    const decision = log.take(limit, now);
    if (decision.allowed) {
      unsaved.set(id, log);
      timer ??= setTimeout(flush, STORE_AFTER_MS).unref();
    }
    return decision;
  }

  function add(id: string, stored: SecondCount[]): SlidingLog {
    const log = createSlidingLog(stored);
    logs.set(id, log);
    return log;
  }

  async function load(from: CountStore, id: string, now: number): Promise<SlidingLog> {
    try {
      return add(id, await from.load(id, now - HOUR_MS));
    } finally {
      loading.delete(id);
    }
  }

  function evictIdleGroups(now: number): void {
    if (now - evicted_at <= HOUR_MS) return;
    evicted_at = now;
    // The stored counts are rounded up to the end of their second. A second later they have expired too, so that an eviction
    // never refuses a request that Retry-After promised.
    for (const [id, log] of logs) if (log.lastRequestAt() <= now - HOUR_MS - 1000) logs.delete(id);
  }

  /** Runs `use` with the log of the group: at once, unless its stored counts have to be loaded first. */
  function withLog<T>(id: string, now: number, use: (log: SlidingLog) => T): T | Promise<T> {
    evictIdleGroups(now);
    const log = logs.get(id);
    if (log) return use(log);
    if (!store) return use(add(id, []));
    const loaded = loading.get(id) ?? load(store, id, now);
    loading.set(id, loaded);
    return loaded.then(use);
  }

  return {
    flush,
    take: (id, limit, now) => withLog(id, now, (log) => count(id, log, limit, now)),
    read: (id, limit, now) => withLog(id, now, (log) => log.read(limit, now)),
  };
}
