// Buffers rows that no request waits for, and writes them in batches and when the server stops. While the database is
// unavailable or busy the rows stay in a bounded buffer; a crash loses those of the last 250 ms.

import type pg from 'pg';
import type { Logger } from 'pino';
import { isCanceled, isDatabaseBusy } from './connection.ts';

const FLUSH_AFTER_MS = 250;
const MAX_BATCH_ROWS = 1_000;
const MAX_BUFFERED_ROWS = 20_000;

/** `write` must be idempotent: after an error it is unknown whether the batch was written. */
export type Batch<T> = { name: string; write(pool: pg.Pool, rows: T[]): Promise<unknown> };

export type BatchWriter = {
  add<T>(batch: Batch<T>, row: T): void;
  /** Resolves when all added rows are written, or could not be. */
  flush(): Promise<void>;
};

type RowBuffer = { rows: unknown[]; dropped: number };
/** `unwritten` rows are tried again later; `rejected` rows are dropped because of `error`. */
type WriteResult = { unwritten: unknown[]; rejected: number; error?: unknown };

export function createBatchWriter(pool: pg.Pool, log: Pick<Logger, 'warn' | 'error'>): BatchWriter {
  const buffers = new Map<Batch<never>, RowBuffer>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<boolean> | undefined;

  const hasRows = () => [...buffers.values()].some(({ rows }) => rows.length > 0);

  function add<T>(batch: Batch<T>, row: T): void {
    let buffer = buffers.get(batch as Batch<never>);
    if (!buffer) {
      buffer = { rows: [], dropped: 0 };
      buffers.set(batch as Batch<never>, buffer);
    }
    if (buffer.rows.length >= MAX_BUFFERED_ROWS) buffer.dropped += 1;
    else buffer.rows.push(row);
    schedule();
  }

  function schedule(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      writeAll().catch((error: unknown) => log.error({ err: error }, 'rows could not be written'));
    }, FLUSH_AFTER_MS).unref();
  }

  /** One write at a time. Returns whether everything was written. */
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
      while (buffer.rows.length > 0 && (await writeNext(batch, buffer)));
      isDone &&= buffer.rows.length === 0;
    }
    return isDone;
  }

  /** Writes the next rows. Returns false when the database could not take them. */
  async function writeNext(batch: Batch<never>, buffer: RowBuffer): Promise<boolean> {
    const { unwritten, rejected, error } = await writeOrSplit(batch, buffer.rows.splice(0, MAX_BATCH_ROWS));
    buffer.rows.unshift(...unwritten);
    buffer.dropped += rejected;
    if (rejected > 0) log.error({ err: error, batch: batch.name }, 'rows could not be written');
    if (buffer.dropped > 0) log.warn({ batch: batch.name, dropped: buffer.dropped }, 'rows were dropped');
    buffer.dropped = 0;
    return unwritten.length === 0;
  }

  /** Splits a failing batch in half until the failing row is alone: the other rows belong to other projects. */
  async function writeOrSplit(batch: Batch<never>, rows: unknown[]): Promise<WriteResult> {
    try {
      await batch.write(pool, rows as never[]);
      return { unwritten: [], rejected: 0 };
    } catch (error) {
      // A statement that timed out would time out again; half of the batch may not.
      if (isDatabaseBusy(error) && !isCanceled(error)) return { unwritten: rows, rejected: 0 };
      if (rows.length === 1) return { unwritten: [], rejected: 1, error };
      const middle = rows.length >> 1;
      const first = await writeOrSplit(batch, rows.slice(0, middle));
      if (first.unwritten.length > 0) return { ...first, unwritten: [...first.unwritten, ...rows.slice(middle)] };
      const second = await writeOrSplit(batch, rows.slice(middle));
      return {
        unwritten: second.unwritten,
        rejected: first.rejected + second.rejected,
        error: second.error ?? first.error,
      };
    }
  }

  async function flush(): Promise<void> {
    await writing;
    while (hasRows() && (await writeAll()));
    clearTimeout(timer);
    timer = undefined;
  }

  return { add, flush };
}
