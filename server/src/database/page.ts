// Lists: newest first, by (created_at, id). The cursor is a position, so it stays correct while rows are added or deleted. A page
// ends at its limit or at 1 MiB of JSON, whichever is first, and has at least one entry.

import { type SelectQueryBuilder, sql } from 'kysely';
import { invalidField } from '../errors/errors.ts';

export type PageQuery = { limit: number; cursor?: string | undefined };

export type Page<T> = { object: 'list'; data: T[]; has_more: boolean; next_cursor: string | null };

/** The rows of a page as they are stored. `makePage` makes a page of them. */
export type PageRows<O> = { rows: O[]; has_more: boolean };

type Position = { created_at: string; id: string };

const MAX_PAGE_BYTES = 2 ** 20;
/** What a page has beside its entries. */
const FRAME_BYTES = 512;

/**
 * Reads the rows of one page; `table` has the columns created_at and id. `bytes_column`, for rows that may be large, has about the
 * size of each: then only as many rows are loaded as fit into a page.
 */
export async function readPage<DB, TB extends keyof DB, O extends Position>(
  query: SelectQueryBuilder<DB, TB, O>,
  table: string,
  { limit, cursor }: PageQuery,
  bytes_column?: string,
): Promise<PageRows<O>> {
  const position = sql.ref(`${table}.created_at`);
  const id = sql.ref(`${table}.id`);
  let page = query.orderBy(sql`${position} desc, ${id} desc`);
  if (cursor !== undefined) {
    const after = readCursor(cursor);
    page = page.where(sql<boolean>`(${position}, ${id}) < (${after.created_at}::timestamptz, ${after.id})`);
  }
  let most = limit;
  if (bytes_column !== undefined && limit > 1) {
    const bytes = sql<number>`${sql.ref(`${table}.${bytes_column}`)}`.as('bytes');
    const sizes = await page.clearSelect().select(bytes).limit(limit).execute();
    most = countFitting(sizes.map((size) => (size as { bytes: number }).bytes));
  }
  const rows = (await page.limit(most + 1).execute()) as O[];
  return { rows: rows.slice(0, most), has_more: rows.length > most };
}

/** `shown`: the rows as the API shows them, in the same order. */
export function makePage<T>({ rows, has_more }: PageRows<Position>, shown: T[]): Page<T> {
  const count = countFitting(shown.map((entry) => Buffer.byteLength(JSON.stringify(entry)) + 1));
  const last = rows[count - 1];
  const isCut = has_more || count < shown.length;
  return {
    object: 'list',
    data: shown.slice(0, count),
    has_more: isCut,
    next_cursor: isCut && last ? writeCursor(last) : null,
  };
}

/** How many of the first entries fit into a page: at least one, unless the list is empty. */
function countFitting(sizes: number[]): number {
  let bytes = FRAME_BYTES;
  const end = sizes.findIndex((size, index) => {
    bytes += size;
    return index > 0 && bytes > MAX_PAGE_BYTES;
  });
  return end === -1 ? sizes.length : end;
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

const invalidCursor = () => invalidField('cursor', 'is not a cursor of this list', { reason: 'invalid_cursor' });

/** PostgreSQL rejects February 30, which Date parses as March 2. */
function isValidTime(text: string): boolean {
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text.slice(0, 19));
}
