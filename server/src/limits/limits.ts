// How many requests a quota group makes in an hour, counted in the memory of this process (request-log.ts). The counts are stored
// twice a second, so that a restart does not begin a new hour (decision 0062).

import { createRequestLog, HOUR_MS, type RequestLog, type SecondCount, type Verdict } from './request-log.ts';

const STORE_AFTER_MS = 500;

export type Limits = {
  /**
   * Counts one request of this group, unless it is one too many. At once, but for the first request of a group, which waits
   * for its stored counts.
   */
  take(quota_group_id: string, limit: number, now: number): Verdict | Promise<Verdict>;
  /** Hands all counts to the store. */
  flush(): void;
};

/** Where counts outlive the process. */
export type CountStore = {
  /** In the order of time, without what is older than `since`, in milliseconds. */
  load(quota_group_id: string, since: number): Promise<SecondCount[]>;
  /** All that this process counted in that second, so that storing it twice does no harm. Nobody waits for it. */
  save(quota_group_id: string, counted: SecondCount): void;
};

/** One process's counters. A group that was silent for an hour costs nothing. */
export function createLimits(store: CountStore): Limits {
  const logs = new Map<string, RequestLog>();
  const loading = new Map<string, Promise<RequestLog>>();
  const unsaved = new Map<string, RequestLog>();
  let timer: NodeJS.Timeout | undefined;
  let swept = 0;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const [id, log] of unsaved) for (const counted of log.takeUnsaved()) store.save(id, counted);
    unsaved.clear();
  }

  function count(id: string, log: RequestLog, limit: number, now: number): Verdict {
    const verdict = log.take(limit, now);
    if (verdict.allowed) {
      unsaved.set(id, log);
      timer ??= setTimeout(flush, STORE_AFTER_MS).unref();
    }
    return verdict;
  }

  async function load(id: string, now: number): Promise<RequestLog> {
    try {
      const log = createRequestLog(await store.load(id, now - HOUR_MS));
      logs.set(id, log);
      return log;
    } finally {
      loading.delete(id);
    }
  }

  return {
    flush,
    take(id, limit, now) {
      if (now - swept > HOUR_MS) {
        swept = now;
        for (const [id, log] of logs) if (log.last() <= now - HOUR_MS) logs.delete(id);
      }
      const log = logs.get(id);
      if (log) return count(id, log, limit, now);
      const underway = loading.get(id) ?? load(id, now);
      loading.set(id, underway);
      return underway.then((log) => count(id, log, limit, now));
    },
  };
}
