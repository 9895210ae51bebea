// What may be remembered of a project, and how it is forgotten: a change to a project drops everything remembered of it.
// Nothing is trusted while the connection that brings the changes is down, and nothing is older than 30 s.

import { LRUCache } from 'lru-cache';
import { estimateSize } from './estimate-size.ts';

const MAX_IDS = 50_000;
const MAX_BYTES = 64 * 2 ** 20;
const MAX_DROPPED = 10_000;
/** Everything grows older in steps, so that no look-up has to look at the clock. */
const STEP_MS = 10_000;
const MAX_STEPS = 3;

type Entry = { project_id: string; value: object; epoch: number; bytes: number };
/** Kind and id in one key would be a string to put together and to hash for every look-up. */
type Kinds = { readonly [kind: string]: Entry };
type Load<T> = () => Promise<{ project_id: string; value: T } | null>;

export type Cache = {
  /** What is remembered under this id, if that is still true. */
  get<T extends object>(kind: string, id: string): T | undefined;
  /** Remembers what `load` finds, unless its project changed meanwhile. Callers at the same time share one load. */
  getOrLoad<T extends object>(kind: string, id: string, load: Load<T>): Promise<T | null>;
  invalidate(project_id: string): void;
  /** Forgets everything; `false` until the changes can be heard again. */
  setTrusted(on: boolean): void;
};

export function createCache(): Cache {
  const ids = new LRUCache<string, Kinds>({
    max: MAX_IDS,
    maxSize: MAX_BYTES,
    sizeCalculation: (kinds, id) => Object.values(kinds).reduce((sum, { bytes }) => sum + bytes, estimateSize(id)),
  });
  const loading = new Map<string, Promise<object | null>>();
  const dropped = new Map<string, number>();
  let trusted = true;
  let epoch = 1;
  let floor = 0;
  /** The epochs of the last steps. */
  const steps = Array<number>(MAX_STEPS - 1).fill(0);
  setInterval(expireOldEntries, STEP_MS).unref();

  const isCurrent = (entry: Entry) => entry.epoch > floor && entry.epoch > (dropped.get(entry.project_id) ?? 0);

  function expireOldEntries(): void {
    steps.push(epoch);
    floor = Math.max(floor, steps.shift() ?? 0);
    epoch += 1;
    // What nobody asks for again would otherwise stay, opened secrets among it. All kinds of an id go with the first.
    const hasOld = (id: string) => !Object.values(ids.peek(id) ?? {}).every(isCurrent);
    for (const id of [...ids.keys()].filter(hasOld)) ids.delete(id);
  }

  function invalidate(project_id: string): void {
    // A load that began before this moment may have read what was true before it: nobody may join it any more.
    loading.clear();
    dropped.set(project_id, epoch);
    if (dropped.size > MAX_DROPPED) {
      floor = epoch;
      dropped.clear();
    }
    epoch += 1;
  }

  function get<T extends object>(kind: string, id: string): T | undefined {
    const entry = trusted ? ids.get(id)?.[kind] : undefined;
    return entry && isCurrent(entry) ? (entry.value as T) : undefined;
  }

  async function begin(kind: string, id: string, load: Load<object>) {
    const began = epoch;
    const found = await load();
    if (!found) return null;
    const entry = { ...found, epoch: began, bytes: estimateSize(found.value) };
    if (trusted && isCurrent(entry)) ids.set(id, { ...ids.get(id), [kind]: entry });
    return found.value;
  }

  return {
    get,
    invalidate,
    async getOrLoad<T extends object>(kind: string, id: string, load: Load<T>) {
      const key = `${kind} ${id}`;
      const running = loading.get(key);
      if (running) return (await running) as T | null;
      const mine = begin(kind, id, load);
      loading.set(key, mine);
      try {
        return (await mine) as T | null;
      } finally {
        if (loading.get(key) === mine) loading.delete(key);
      }
    },
    setTrusted(on) {
      trusted = on;
      ids.clear();
      loading.clear();
      floor = epoch;
      epoch += 1;
    },
  };
}
