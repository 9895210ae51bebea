// Lists that a page searches, filters or sorts itself, because the API has no parameter for it. Then all rows are read: of one
// page, it would say that nothing matches while the next page has it.

import type { List } from '@toolgate/sdk';
import { type SearchName, useFilters } from '../search.ts';

const PAGE_SIZE = 100;
/** Such lists are short. The table says so if there are more. */
export const MAX_ROWS = 10_000;

export type Listed<Row> = {
  data: Row[];
  /** Left out if the list has no pages. */
  nextCursor?: string | null;
  /** All rows are here, and the table makes the pages. */
  isWhole?: boolean;
  /** There are more than MAX_ROWS. */
  isCut?: boolean;
};

type Part = { limit: number; cursor?: string | undefined };

/** What is read of a list: one page, or all of it while one of these filters or an order is in the URL. `key` is for the query's key. */
export function useListPart(...filters: SearchName[]) {
  const { values } = useFilters();
  const isWhole = (['sort', ...filters] as const).some((name) => values[name]);
  return {
    key: isWhole ? 'all' : values.cursor,
    async read<Row>(list: (part: Part) => List<Row>): Promise<Listed<Row>> {
      if (!isWhole) return list({ limit: PAGE_SIZE, cursor: values.cursor });
      return { ...(await readWhole(list)), nextCursor: null };
    },
  };
}

/** All rows, without pages. */
export async function readWhole<Row>(list: (part: Part) => List<Row>): Promise<Listed<Row>> {
  const data: Row[] = [];
  for await (const row of list({ limit: PAGE_SIZE })) {
    if (data.length === MAX_ROWS) return { data, isWhole: true, isCut: true };
    data.push(row);
  }
  return { data, isWhole: true };
}

/** A page of rows that are all here. Its cursor is the number of rows before it. */
export function pageOf<Row>(rows: Row[], cursor = ''): { rows: Row[]; nextCursor: string | null } {
  const start = /^\d{1,6}$/.test(cursor) ? Number(cursor) : 0;
  const end = start + PAGE_SIZE;
  return { rows: rows.slice(start, end), nextCursor: end < rows.length ? String(end) : null };
}

/** For the export: the rows that the filters of the page show. */
export async function* matching<Row>(list: AsyncIterable<Row>, matches: (row: Row) => boolean): AsyncIterable<Row> {
  for await (const row of list) if (matches(row)) yield row;
}
