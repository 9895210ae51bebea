// Counts in memory what happens often, by minute, hour or day. The batch writer stores the counts, so that counting costs no query.
// A feature declares its table with `countedTable`.

import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Batch, BatchWriter } from './batch-writer.ts';

const intervalMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

export type Interval = keyof typeof intervalMs;

/** What is counted, and since when: `start` in epoch milliseconds. `count` grows until the interval is over. */
export type Count<Key> = Key & { interval: Interval; start: number; process_id: string; count: number };

type Counter<Key> = Count<Key> & { is_buffered: boolean };

export type CountedTable<Key> = { intervals: readonly Interval[]; batch: Batch<Counter<Key>> };

/** `save` stores the larger of two counts: counts only grow, so that it is the latest, and saving one twice is harmless. */
export function countedTable<Key>(
  name: string,
  intervals: readonly Interval[],
  save: (pool: pg.Pool, counts: Count<Key>[]) => Promise<unknown>,
): CountedTable<Key> {
  return {
    intervals,
    batch: {
      name,
      write(pool, buffered) {
        const counters = [...new Set(buffered)];
        // What is counted from now on buffers its counter again.
        for (const counter of counters) counter.is_buffered = false;
        return save(pool, counters);
      },
    },
  };
}

export type IntervalCounts = {
  /** Counts one. `now` in epoch milliseconds. */
  add<Key extends Readonly<Record<string, string>>>(table: CountedTable<Key>, key: Key, now: number): void;
};

/** Of one table. */
type Counters = { latest: number; by_key: Map<string, Counter<Record<string, string>>> };

export function createIntervalCounts(batch_writer: BatchWriter): IntervalCounts {
  // Each process has rows of its own, so that it does not overwrite the counts of another.
  const process_id = randomUUID();
  const tables = new Map<object, Counters>();

  return {
    add(table, key, now) {
      const counters = tables.get(table) ?? { latest: 0, by_key: new Map() };
      tables.set(table, counters);
      // A new day resets all counters: what is not counted any more must not stay in memory.
      if (now >= (Math.floor(counters.latest / intervalMs.day) + 1) * intervalMs.day) counters.by_key.clear();
      // An interval that is over must not start again, not even when the clock is corrected.
      counters.latest = Math.max(counters.latest, now);
      for (const interval of table.intervals) {
        const start = Math.floor(counters.latest / intervalMs[interval]) * intervalMs[interval];
        const name = [interval, ...Object.values(key)].join(' ');
        let counter = counters.by_key.get(name);
        if (counter?.start !== start) {
          counter = { ...key, interval, start, process_id, count: 0, is_buffered: false };
          counters.by_key.set(name, counter);
        }
        counter.count += 1;
        if (counter.is_buffered) continue;
        counter.is_buffered = true;
        batch_writer.add(table.batch, counter as never);
      }
    },
  };
}
