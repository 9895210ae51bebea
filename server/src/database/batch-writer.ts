// Rows that nobody waits for: gathered in memory, written in batches, and written out when the server stops.
// While the database is away or busy they are kept, up to a bound; a crash loses those of the last quarter of a second.

import type pg from 'pg';
import type { Logger } from 'pino';
import { isCanceled, isDatabaseBusy } from './connection.ts';

const WRITE_AFTER_MS = 250;
const LARGEST_BATCH = 1_000;
const MOST_WAITING = 20_000;

/** Writing a batch twice must do no harm: after an error nobody knows whether it was written. */
export type Batch<T> = { name: string; write(pool: pg.Pool, rows: T[]): Promise<unknown> };

export type BatchWriter = {
  add<T>(batch: Batch<T>, row: T): void;
  /** Resolves when what has been added is written, or cannot be. */
  flush(): Promise<void>;
};

type Queue = { rows: unknown[]; dropped: number };
/** `left` waits for a better time; `bad` rows were given up, for this error. */
type Written = { left: unknown[]; bad: number; error?: unknown };

export function createBatchWriter(pool: pg.Pool, log: Pick<Logger, 'warn' | 'error'>): BatchWriter {
  const queues = new Map<Batch<never>, Queue>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<boolean> | undefined;

  const isWaiting = () => [...queues.values()].some(({ rows }) => rows.length > 0);

  function add<T>(batch: Batch<T>, row: T): void {
    let queue = queues.get(batch as Batch<never>);
    if (!queue) {
      queue = { rows: [], dropped: 0 };
      queues.set(batch as Batch<never>, queue);
    }
    if (queue.rows.length >= MOST_WAITING) queue.dropped += 1;
    else queue.rows.push(row);
    schedule();
  }

  function schedule(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      writeAll().catch((error: unknown) => log.error({ err: error }, 'rows could not be written'));
    }, WRITE_AFTER_MS).unref();
  }

  /** One writer at a time; answers whether everything was written. */
  function writeAll(): Promise<boolean> {
    writing ??= writeQueues().finally(() => {
      writing = undefined;
      if (isWaiting()) schedule();
    });
    return writing;
  }

  async function writeQueues(): Promise<boolean> {
    let isDone = true;
    for (const [batch, queue] of queues) {
      while (queue.rows.length > 0 && (await writeOne(batch, queue)));
      isDone &&= queue.rows.length === 0;
    }
    return isDone;
  }

  /** The next rows of the queue; answers whether to go on. */
  async function writeOne(batch: Batch<never>, queue: Queue): Promise<boolean> {
    const { left, bad, error } = await writeOrSplit(batch, queue.rows.splice(0, LARGEST_BATCH));
    queue.rows.unshift(...left);
    queue.dropped += bad;
    if (bad > 0) log.error({ err: error, batch: batch.name }, 'rows could not be written');
    if (queue.dropped > 0) log.warn({ batch: batch.name, dropped: queue.dropped }, 'rows were dropped');
    queue.dropped = 0;
    return left.length === 0;
  }

  /** Halves a batch that cannot be written until the bad row is alone: the others belong to other projects. */
  async function writeOrSplit(batch: Batch<never>, rows: unknown[]): Promise<Written> {
    try {
      await batch.write(pool, rows as never[]);
      return { left: [], bad: 0 };
    } catch (error) {
      // A statement that took too long would do so for ever: half of it may not.
      if (isDatabaseBusy(error) && !isCanceled(error)) return { left: rows, bad: 0 };
      if (rows.length === 1) return { left: [], bad: 1, error };
      const middle = rows.length >> 1;
      const first = await writeOrSplit(batch, rows.slice(0, middle));
      if (first.left.length > 0) return { ...first, left: [...first.left, ...rows.slice(middle)] };
      const second = await writeOrSplit(batch, rows.slice(middle));
      return { left: second.left, bad: first.bad + second.bad, error: second.error ?? first.error };
    }
  }

  async function flush(): Promise<void> {
    await writing;
    while (isWaiting() && (await writeAll()));
    clearTimeout(timer);
    timer = undefined;
  }

  return { add, flush };
}
