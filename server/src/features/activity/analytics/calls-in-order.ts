// Reads the call log in the order of commit, from a cursor: rows that are committed late are found although their times and
// transactions are lower than those of rows that were read before (docs/design/observability.md).

import { type RawBuilder, sql } from 'kysely';
import type { CallCursor, Database } from '../../../database/tables.ts';
import { type CallRow, callColumns } from './tool-call.ts';

/** A call is written at most so long after it was made, while the database is available. Bounds the partitions that are read. */
const MAX_DELAY = '1 hour';
/** An estimate of the JSON of a call, without its names. */
const ENTRY_BYTES = 760;

/** `cursor_at`: when the cursor was made. */
export type CallReader = { project_id: string; cursor: CallCursor; cursor_at: string };

type PlacedCall = CallRow & { transaction_id: string };

export type CallPage = {
  calls: CallRow[];
  /** There is nothing after them. */
  is_complete: boolean;
  /** The cursor after the first `count` calls, and whether it is one of another time than before. */
  cursorAfter(count: number): { cursor: CallCursor; is_new: boolean };
};

/** The next calls, oldest commit first. */
export async function selectCallsInOrder(database: Database, reader: CallReader, limit: number): Promise<CallPage> {
  const { cursor } = reader;
  const columns = sql.join(callColumns.map((name) => sql.ref(name)));
  const until = sql`coalesce(${cursor.until}::pg_snapshot, pg_current_snapshot())`;
  const part = (transactions: RawBuilder<unknown>) => sql`(
    select ${columns}, transaction_id from tool_calls
    where ${isUnread(reader)} and ${transactions} and pg_visible_in_snapshot(transaction_id, ${until})
    order by transaction_id, created_at, id limit ${limit})`;
  const { rows } = await sql<PlacedCall & { until: string }>`
    select calls.*, s.until from (select ${until}::text as until) as s left join (
      ${part(inProgress(reader))} union all ${part(sql`${later(reader)} and transaction_id < pg_snapshot_xmax(${until})`)}
      order by transaction_id, created_at, id limit ${limit}
    ) as calls on true
    order by calls.transaction_id, calls.created_at, calls.id`.execute(database);
  const read_until = (rows[0] as { until: string }).until;
  const placed = rows.filter(({ id }) => id !== null);
  const is_complete = placed.length < limit;
  return {
    calls: placed.map(({ transaction_id: _, until: __, ...call }) => call),
    is_complete,
    cursorAfter(count) {
      if (is_complete && count === placed.length)
        return { cursor: { seen: read_until, until: null, after: null }, is_new: true };
      const last = placed[count - 1];
      if (!last) return { cursor, is_new: false };
      const { transaction_id, created_at, id } = last;
      return {
        cursor: { seen: cursor.seen, until: read_until, after: { transaction_id, created_at, id } },
        is_new: false,
      };
    },
  };
}

/** For each cursor when the oldest call after it was made, or null, in the same order. */
export async function selectOldestUnread(database: Database, readers: CallReader[]): Promise<(string | null)[]> {
  if (readers.length === 0) return [];
  const parts = readers.map((reader, place) => {
    const oldest = (transactions: RawBuilder<unknown>) => sql`(
      select created_at from tool_calls where ${isUnread(reader)} and ${transactions} order by transaction_id limit 1)`;
    return sql`(select ${place}::int as place, min(created_at) as created_at from (
      ${oldest(inProgress(reader))} union all ${oldest(later(reader))}) as oldest)`;
  });
  const { rows } = await sql<{ created_at: string | null }>`
    select created_at from (${sql.join(parts, sql` union all `)}) as unread order by place`.execute(database);
  return rows.map(({ created_at }) => created_at);
}

/** About how many bytes of JSON the unread calls are; counts no more than `limit` calls. */
export async function estimateUnread(database: Database, reader: CallReader, limit: number): Promise<number> {
  const size = (transactions: RawBuilder<unknown>) => sql`(
    select octet_length(tool_name) + coalesce(octet_length(client_name), 0) + ${ENTRY_BYTES}::int as size
    from tool_calls where ${isUnread(reader)} and ${transactions} limit ${limit})`;
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(size), 0)::bigint as bytes from (
      ${size(inProgress(reader))} union all ${size(later(reader))} limit ${limit}) as unread`.execute(database);
  return Number(rows[0]?.bytes ?? 0);
}

/** The cursor before everything that is committed from now on. */
export async function callCursorNow(database: Database): Promise<CallCursor> {
  const { rows } = await sql<{ seen: string }>`select pg_current_snapshot()::text as seen`.execute(database);
  return { seen: (rows[0] as { seen: string }).seen, until: null, after: null };
}

/** In a restored database all calls have the same transaction: what was made since the cursor, and shortly before, is read again. */
export const cursorOfRestored: CallCursor = { seen: '3:3:', until: null, after: null };

function isUnread({ project_id, cursor, cursor_at }: CallReader): RawBuilder<unknown> {
  const { after } = cursor;
  const place = after
    ? sql`and transaction_id >= ${after.transaction_id}::xid8 and (transaction_id, created_at, id) >
        (${after.transaction_id}::xid8, ${after.created_at}::timestamptz, ${after.id})`
    : sql``;
  return sql`project_id = ${project_id} and created_at > ${cursor_at}::timestamptz - ${MAX_DELAY}::interval ${place}`;
}

/** For transactions that were in progress when the cursor was made. Few, and each is found by the index. */
const inProgress = ({ cursor }: CallReader) =>
  sql`transaction_id = any(array(select pg_snapshot_xip(${cursor.seen}::pg_snapshot)))`;

/** For transactions that began afterwards. */
const later = ({ cursor }: CallReader) => sql`transaction_id >= pg_snapshot_xmax(${cursor.seen}::pg_snapshot)`;
