// Reads the next entries of a log stream, in order and bounded, each with the cursor behind it.

import type { App } from '../../../app.ts';
import type { StreamCursor } from '../../../database/tables.ts';
import { estimateUnread, selectCallsInOrder } from '../analytics/calls-in-order.ts';
import { showCall } from '../analytics/tool-call.ts';
import { estimateUnreadEntries, readEntriesInOrder } from '../audit/entries-in-order.ts';
import { auditReader, callReader, type Reading } from './lag.ts';

/** An entry of a log as its API shows it, and its JSON. */
export type Entry = { id: string; created_at: string; object: string; text: string; fields: Record<string, unknown> };

export type Batch = {
  entries: Entry[];
  /** Where the stream is once they are accepted. */
  cursor: StreamCursor;
  /** Whether `cursor_at` of the stream becomes the time of this reading. */
  is_new_cursor: boolean;
  /** There was nothing after them. */
  is_complete: boolean;
};

/** `bytes`: of the entries, each with a separator. An entry that is larger is alone, or left out if `at_least` is 0. */
export type BatchLimits = { count: number; bytes: number; at_least?: 0 | 1 };

export async function readBatch(app: App, stream: Reading, limits: BatchLimits): Promise<Batch> {
  return stream.source === 'tool_calls' ? readCalls(app, stream, limits) : readAudit(app, stream, limits);
}

async function readCalls({ database }: App, stream: Reading, { count, ...limits }: BatchLimits): Promise<Batch> {
  const page = await selectCallsInOrder(database, callReader(stream), count);
  const entries = withinBytes(
    page.calls.map((row) => entryOf(showCall(row))),
    limits,
  );
  const { cursor, is_new } = page.cursorAfter(entries.length);
  return {
    entries,
    cursor,
    is_new_cursor: is_new,
    is_complete: page.is_complete && entries.length === page.calls.length,
  };
}

async function readAudit({ database }: App, stream: Reading, { count, ...limits }: BatchLimits): Promise<Batch> {
  const page = await readEntriesInOrder(database, auditReader(stream), count);
  const entries = withinBytes(page.entries.map(entryOf), limits);
  const last = page.entries[entries.length - 1];
  return {
    entries,
    cursor: last ? { seq: last.seq } : stream.cursor,
    is_new_cursor: false,
    is_complete: page.is_complete && entries.length === page.entries.length,
  };
}

function entryOf(fields: { id: string; created_at: string; object: string }): Entry {
  const { id, created_at, object } = fields;
  return { id, created_at, object, text: JSON.stringify(fields), fields };
}

function withinBytes(entries: Entry[], { bytes, at_least = 1 }: Omit<BatchLimits, 'count'>): Entry[] {
  let sum = 0;
  const end = entries.findIndex(({ text }, i) => {
    sum += Buffer.byteLength(text) + 1;
    return i >= at_least && sum > bytes;
  });
  return end === -1 ? entries : entries.slice(0, end);
}

/** Whether about so many bytes wait to be sent. */
export async function hasBytes({ database }: App, stream: Reading, bytes: number): Promise<boolean> {
  const limit = Math.ceil(bytes / 500); // no entry is shorter
  const estimate =
    stream.source === 'tool_calls'
      ? await estimateUnread(database, callReader(stream), limit)
      : await estimateUnreadEntries(database, auditReader(stream), limit);
  return estimate >= bytes;
}
