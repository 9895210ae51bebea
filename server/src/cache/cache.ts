// What may be remembered of a project, and how it is forgotten: a change to a project drops everything remembered of it.
// Nothing is trusted while the connection that brings the changes is down, and nothing is older than 30 s.

import { LRUCache } from 'lru-cache';
import { estimateSize } from './estimate-size.ts';

const MAX_AGE_MS = 30_000;
const MAX_ENTRIES = 50_000;
const MAX_BYTES = 64 * 2 ** 20;
/** What nobody asks for again would otherwise stay, opened secrets among it. */
const PURGE_EVERY_MS = 10_000;
const MAX_DROPPED = 10_000;

type Entry = { project_id: string; value: object; epoch: number };

export type Cache = {
  /** What is remembered under this key, if that is still true. */
  recall<T extends object>(key: string): T | undefined;
  /** Remembers what `load` finds, unless its project changed meanwhile. Callers at the same time share one load. */
  load<T extends object>(key: string, load: () => Promise<{ project_id: string; value: T } | null>): Promise<T | null>;
  drop(project_id: string): void;
  /** Forgets everything; `false` until the changes can be heard again. */
  trust(on: boolean): void;
};

export function createCache(): Cache {
  const entries = new LRUCache<string, Entry>({
    max: MAX_ENTRIES,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ value }, key) => estimateSize(value) + estimateSize(key),
    ttl: MAX_AGE_MS,
    ttlResolution: 1000,
  });
  setInterval(() => entries.purgeStale(), PURGE_EVERY_MS).unref();
  const loading = new Map<string, Promise<object | null>>();
  const dropped = new Map<string, number>();
  let trusted = true;
  let epoch = 1;
  let floor = 0;

  const isCurrent = (project_id: string, since: number) => since > floor && since > (dropped.get(project_id) ?? 0);

  function drop(project_id: string): void {
    // A load that began before this moment may have read what was true before it: nobody may join it any more.
    loading.clear();
    dropped.set(project_id, epoch);
    if (dropped.size > MAX_DROPPED) {
      floor = epoch;
      dropped.clear();
    }
    epoch += 1;
  }

  function recall<T extends object>(key: string): T | undefined {
    const entry = trusted ? entries.get(key) : undefined;
    return entry && isCurrent(entry.project_id, entry.epoch) ? (entry.value as T) : undefined;
  }

  async function begin(key: string, load: () => Promise<{ project_id: string; value: object } | null>) {
    const began = epoch;
    const found = await load();
    if (!found) return null;
    if (trusted && isCurrent(found.project_id, began)) entries.set(key, { ...found, epoch: began });
    return found.value;
  }

  return {
    recall,
    drop,
    async load<T extends object>(key: string, load: () => Promise<{ project_id: string; value: T } | null>) {
      const running = loading.get(key);
      if (running) return (await running) as T | null;
      const mine = begin(key, load);
      loading.set(key, mine);
      try {
        return (await mine) as T | null;
      } finally {
        if (loading.get(key) === mine) loading.delete(key);
      }
    },
    trust(on) {
      trusted = on;
      entries.clear();
      loading.clear();
      floor = epoch;
      epoch += 1;
    },
  };
}
