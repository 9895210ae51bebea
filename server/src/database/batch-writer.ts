// Buffers rows that no request waits for, and writes them in batches and when the server stops. While the database is
// unavailable or busy the rows stay in a bounded buffer; when it is full, the oldest are dropped. A crash loses the rows of the
// last 250 ms.

import type pg from 'pg';
import type { Logger } from 'pino';
import { isCanceled, isDatabaseBusy } from './connection.ts';

const FLUSH_AFTER_MS = 250;
const MAX_BATCH_ROWS = 1_000;
const MAX_BUFFERED_ROWS = 20_000;

export type Batch<T> = {
  name: string;
  /** Must be idempotent: after an error it is unknown whether the batch was written. */
  write(pool: pg.Pool, rows: T[]): Promise<unknown>;
  /** For rows that are large: at most so many are buffered, and written at a time. */
  max_buffered_rows?: number;
  max_batch_rows?: number;
};

export type BatchWriter = {
  add<T>(batch: Batch<T>, row: T): void;
  /** Resolves when all added rows are written, or could not be. */
  flush(): Promise<void>;
  /** How many rows were dropped since the start, by the name of the batch: the buffer was full, or a row could not be written. */
  dropped(): Record<string, number>;
};

/** `first` rows at the beginning of `rows` are dropped already: removing each at once would move all others. */
type RowBuffer = { rows: unknown[]; first: number; dropped: number; dropped_in_total: number };
/** `unwritten` rows are tried again later; `rejected` rows are dropped because of `error`. */
type WriteResult = { unwritten: unknown[]; rejected: number; error?: unknown };

export function createBatchWriter(pool: pg.Pool, log: Pick<Logger, 'warn' | 'error'>): BatchWriter {
  const buffers = new Map<Batch<never>, RowBuffer>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<boolean> | undefined;

  const hasRows = () => [...buffers.values()].some((buffer) => sizeOf(buffer) > 0);

  function add<T>(batch: Batch<T>, row: T): void {
    let buffer = buffers.get(batch as Batch<never>);
    if (!buffer) {
      buffer = { rows: [], first: 0, dropped: 0, dropped_in_total: 0 };
      buffers.set(batch as Batch<never>, buffer);
    }
    buffer.rows.push(row);
    dropOldest(buffer, batch.max_buffered_rows ?? MAX_BUFFERED_ROWS);
    schedule();
  }

  function schedule(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      writeAll().catch((error: unknown) => log.error({ err: error }, 'rows could not be written'));
    }, FLUSH_AFTER_MS).unref();
  }

  /** One write at a time. Returns whether everything that was there was written. */
  function writeAll(): Promise<boolean> {
    writing ??= writeBuffers().finally(() => {
      writing = undefined;
      if (hasRows()) schedule();
    });
    return writing;
  }

  async function writeBuffers(): Promise<boolean> {
    let isDone = true;
    for (const [batch, buffer] of buffers) {
      // Rows that are added meanwhile wait for the next round: one kind of rows must not delay the others without end.
      let batches = Math.ceil(sizeOf(buffer) / (batch.max_batch_rows ?? MAX_BATCH_ROWS));
      for (; batches > 0 && sizeOf(buffer) > 0; batches -= 1) {
        if (await writeNext(batch, buffer)) continue;
        isDone = false;
        break;
      }
    }
    return isDone;
  }

  /** Writes the next rows. Returns false when the database could not take them. */
  async function writeNext(batch: Batch<never>, buffer: RowBuffer): Promise<boolean> {
    const next = takeOldest(buffer, batch.max_batch_rows ?? MAX_BATCH_ROWS);
    const { unwritten, rejected, error } = await writeOrSplit(pool, batch, next);
    putBack(buffer, unwritten);
    dropOldest(buffer, batch.max_buffered_rows ?? MAX_BUFFERED_ROWS);
    countDropped(buffer, rejected);
    if (rejected > 0) log.error({ err: error, batch: batch.name }, 'rows could not be written');
    if (buffer.dropped > 0) log.warn({ batch: batch.name, dropped: buffer.dropped }, 'rows were dropped');
    buffer.dropped = 0;
    return unwritten.length === 0;
  }

  async function flush(): Promise<void> {
    await writing;
    while (hasRows() && (await writeAll()));
    clearTimeout(timer);
    timer = undefined;
  }

  function dropped(): Record<string, number> {
    return Object.fromEntries([...buffers].map(([{ name }, { dropped_in_total }]) => [name, dropped_in_total]));
  }

  return { add, flush, dropped };
}

/** Splits a failing batch in half until the failing row is alone: the other rows belong to other projects. */
async function writeOrSplit(pool: pg.Pool, batch: Batch<never>, rows: unknown[]): Promise<WriteResult> {
  try {
    await batch.write(pool, rows as never[]);
    return { unwritten: [], rejected: 0 };
  } catch (error) {
    // A statement that timed out would time out again; half of the batch may not.
    if (isDatabaseBusy(error) && !isCanceled(error)) return { unwritten: rows, rejected: 0 };
    if (rows.length === 1) return { unwritten: [], rejected: 1, error };
    const middle = rows.length >> 1;
    const first = await writeOrSplit(pool, batch, rows.slice(0, middle));
    if (first.unwritten.length > 0) return { ...first, unwritten: [...first.unwritten, ...rows.slice(middle)] };
    const second = await writeOrSplit(pool, batch, rows.slice(middle));
    return {
      unwritten: second.unwritten,
      rejected: first.rejected + second.rejected,
      error: second.error ?? first.error,
    };
  }
}

const sizeOf = ({ rows, first }: RowBuffer) => rows.length - first;

function dropOldest(buffer: RowBuffer, limit: number): void {
  const excess = sizeOf(buffer) - limit;
  if (excess <= 0) return;
  buffer.rows.fill(undefined, buffer.first, buffer.first + excess);
  buffer.first += excess;
  countDropped(buffer, excess);
  if (buffer.first >= MAX_BATCH_ROWS) removeDropped(buffer);
}

function takeOldest(buffer: RowBuffer, count: number): unknown[] {
  removeDropped(buffer);
  return buffer.rows.splice(0, count);
}

function putBack(buffer: RowBuffer, rows: unknown[]): void {
  removeDropped(buffer);
  buffer.rows.unshift(...rows);
}

function removeDropped(buffer: RowBuffer): void {
  buffer.rows.splice(0, buffer.first);
  buffer.first = 0;
}

function countDropped(buffer: RowBuffer, count: number): void {
  buffer.dropped += count;
  buffer.dropped_in_total += count;
}
