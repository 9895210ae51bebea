// Lists: newest first, by (created_at, id). The cursor is a position, so it stays correct while rows are added or deleted.

import { type SelectQueryBuilder, sql } from 'kysely';
import { invalidField } from '../errors.ts';

export type PageQuery = { limit: number; cursor?: string | undefined };

export type Page<T> = { object: 'list'; data: T[]; has_more: boolean; next_cursor: string | null };

type Position = { created_at: string; id: string };

/** Runs the query for one page; `table` has the columns created_at and id. */
export async function readPage<DB, TB extends keyof DB, O extends Position>(
  query: SelectQueryBuilder<DB, TB, O>,
  table: string,
  { limit, cursor }: PageQuery,
): Promise<Page<O>> {
  const position = sql.ref(`${table}.created_at`);
  const id = sql.ref(`${table}.id`);
  let page = query.orderBy(sql`${position} desc, ${id} desc`).limit(limit + 1);
  if (cursor !== undefined) {
    const after = readCursor(cursor);
    page = page.where(sql<boolean>`(${position}, ${id}) < (${after.created_at}::timestamptz, ${after.id})`);
  }
  const rows = (await page.execute()) as O[];
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const has_more = rows.length > limit;
  return { object: 'list', data, has_more, next_cursor: has_more && last ? writeCursor(last) : null };
}

function writeCursor({ created_at, id }: Position): string {
  return Buffer.from(`${created_at} ${id}`).toString('base64url');
}

const CURSOR = /^([12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z) (\w{1,64})$/;

function readCursor(text: string): Position {
  const [, created_at, id] = CURSOR.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (!created_at || !id || !isValidTime(created_at)) throw invalidCursor();
  return { created_at, id };
}

const invalidCursor = () => invalidField('cursor', 'is not a cursor of a list', { reason: 'invalid_cursor' });

/** PostgreSQL rejects February 30, which Date parses as March 2. */
function isValidTime(text: string): boolean {
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text.slice(0, 19));
}
