// Lists. A plain table with the states of a request: skeletons, empty, failed, and pages by cursor.
// The layout is fixed by the widths of the columns, so that nothing moves when data arrives.

import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '../class-names.ts';
import { withMarks } from '../name.tsx';
import { type Search, useFilters } from '../search.ts';
import { cardClass } from '../section.tsx';
import { Skeleton } from '../skeleton.tsx';
import { ErrorState } from '../states.tsx';
import { Pagination } from './pagination.tsx';
import { nextSort, parseSort, type SortValue, sortRows } from './sort.ts';
import { type Listed, MAX_ROWS, pageOf } from './whole-list.ts';

export type Column<Row> = {
  header: string;
  cell: (row: Row) => ReactNode;
  /** In place of the header: something that acts on the rows of the page. */
  head?: (rows: Row[]) => ReactNode;
  /** A width class, such as `w-40`. Leave it out for the column that takes the rest. */
  width?: string;
  /** Hidden on screens narrower than this. */
  from?: 'sm' | 'md' | 'lg' | 'xl';
  align?: 'right';
  /** The header is read to screen readers, and not shown. */
  hideHeader?: boolean;
  /** The column can be sorted: its name in the URL, and what is compared. The list must be read with `useListPart` or `readWhole`. */
  sort?: [name: string, value: (row: Row) => SortValue];
  /** The list is always in this order: newest first. */
  isNewestFirst?: boolean;
};

/** The last column: the menu or the buttons of a row. */
export const actionsColumn = <Row,>(cell: Column<Row>['cell'], width = 'w-14'): Column<Row> => ({
  header: 'Actions',
  hideHeader: true,
  width,
  align: 'right',
  cell,
});

/** The result of useProjectQuery. */
export type ListQuery<Row> = {
  data: Listed<Row> | undefined;
  error: unknown;
  refetch: () => unknown;
  isPlaceholderData?: boolean;
};

type DataTableProps<Row> = {
  /** The accessible name: that of the page. */
  label: string;
  columns: Column<Row>[];
  query: ListQuery<Row>;
  rowKey: (row: Row) => string;
  /** Shown instead of the table when there are no rows. */
  empty: ReactNode;
  /** The number of rows that skeletons are drawn for. */
  expected?: number;
  /** The rows that are shown, if they are fewer than those of the query: a filter in the page. */
  filter?: (row: Row) => boolean;
};

const visibleFrom = {
  sm: 'hidden sm:table-cell',
  md: 'hidden md:table-cell',
  lg: 'hidden lg:table-cell',
  xl: 'hidden xl:table-cell',
};

const cellClass = <Row,>({ from, align, width }: Column<Row>) =>
  cn('truncate px-3 first:pl-4 last:pr-4', width, align === 'right' && 'text-right', from && visibleFrom[from]);

export function DataTable<Row>({ label, columns, query, rowKey, empty, expected = 6, filter }: DataTableProps<Row>) {
  const { values } = useFilters();
  const { data, error, refetch } = query;
  if (error && !data) return <ErrorState error={error} retry={() => refetch()} />;
  const { rows, nextCursor } = rowsOf({ data, columns, filter, values });
  const isEmpty = rows?.length === 0;
  // Rows of the last query are still shown: those that are being read may match.
  const isUnsure = query.isPlaceholderData === true && data?.data.length !== 0;
  // The last row of the page is gone. Pagination goes to the page before.
  const isBehindEnd = isEmpty && !query.isPlaceholderData && nextCursor !== undefined && values.cursor !== undefined;
  return (
    <div>
      {error != null && <ErrorState error={error} retry={() => refetch()} />}
      {isEmpty && !isUnsure && !isBehindEnd ? (
        <div className={cn(cardClass, 'border-dashed')}>{empty}</div>
      ) : (
        <div className={cn(cardClass, 'overflow-x-auto')}>
          <table aria-label={label} aria-busy={!data} className="w-full table-fixed">
            <TableHead columns={columns} rows={rows ?? []} />
            <tbody className={cn(query.isPlaceholderData && 'opacity-60')}>
              {rows && !isEmpty
                ? rows.map((row) => <TableRow key={rowKey(row)} columns={columns} row={row} />)
                : skeletonKeys(expected).map((key) => <SkeletonRow key={key} columns={columns} />)}
            </tbody>
          </table>
        </div>
      )}
      {data?.isCut && (
        <p className="mt-3 text-muted text-xs">
          Only the newest {MAX_ROWS.toLocaleString('en')} are searched and sorted.
        </p>
      )}
      {nextCursor !== undefined && <Pagination nextCursor={nextCursor} isBehindEnd={isBehindEnd} />}
    </div>
  );
}

type RowsOptions<Row> = Pick<DataTableProps<Row>, 'columns' | 'filter'> & {
  data: Listed<Row> | undefined;
  values: Search;
};

/** The rows of the page, and where the next page begins. */
function rowsOf<Row>({ data, columns, filter, values }: RowsOptions<Row>): {
  rows?: Row[];
  nextCursor?: string | null;
} {
  if (!data) return {};
  const found = filter ? data.data.filter(filter) : data.data;
  if (!data.isWhole) return { rows: found, nextCursor: data.nextCursor };
  const { name, isDescending } = parseSort(values.sort);
  const by = columns.find(({ sort }) => sort?.[0] === name)?.sort;
  const rows = by ? sortRows(found, by[1], isDescending) : found;
  return data.nextCursor === undefined ? { rows } : pageOf(rows, values.cursor);
}

function TableHead<Row>({ columns, rows }: { columns: Column<Row>[]; rows: Row[] }) {
  const { values, set } = useFilters();
  const sorted = parseSort(values.sort);
  const orderOf = ({ sort, isNewestFirst }: Column<Row>) => {
    if (isNewestFirst) return 'descending';
    if (sort?.[0] !== sorted.name) return undefined;
    return sorted.isDescending ? 'descending' : 'ascending';
  };
  return (
    <thead>
      <tr className="h-9 border-line border-b text-left text-muted text-xs">
        {columns.map((column) => (
          <th
            key={column.header}
            scope="col"
            aria-sort={orderOf(column)}
            title={column.isNewestFirst ? 'Newest first' : undefined}
            className={cn(cellClass(column), 'font-medium')}
          >
            {column.head ? (
              column.head(rows)
            ) : (
              <HeaderText
                column={column}
                order={orderOf(column)}
                onSort={(name) => set({ sort: nextSort(name, values.sort) })}
              />
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
}

type HeaderProps<Row> = {
  column: Column<Row>;
  order: 'ascending' | 'descending' | undefined;
  onSort: (name: string) => void;
};

const arrows = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown };

/** All arrows have one size, so that no text moves. In a column of numbers they are on the left of the text. */
function HeaderText<Row>({ column: { header, hideHeader, sort, align }, order, onSort }: HeaderProps<Row>) {
  if (hideHeader) return <span className="sr-only">{header}</span>;
  if (!sort) return header;
  const Arrow = arrows[order ?? 'none'];
  return (
    <button
      type="button"
      onClick={() => onSort(sort[0])}
      className={cn(
        'inline-flex h-6 max-w-full items-center gap-1 rounded font-medium hover:text-ink',
        align === 'right' && 'flex-row-reverse',
        order && 'text-ink',
      )}
    >
      <span className="truncate">{header}</span>
      <Arrow aria-hidden className={cn('size-3 shrink-0', !order && 'text-faint')} />
    </button>
  );
}

const skeletonKeys = (count: number) => Array.from({ length: count }, (_, index) => `skeleton-${index}`);

/** `relative`: a link in a cell may cover its row, with `coverRow`. */
const rowClass = 'relative h-12 border-line not-last:border-b';
export const coverRow = 'after:absolute after:inset-0';

function TableRow<Row>({ columns, row }: { columns: Column<Row>[]; row: Row }) {
  return (
    <tr className={cn(rowClass, 'transition-colors hover:bg-hover/50')}>
      {columns.map((column) => (
        <td key={column.header} className={cellClass(column)}>
          {withMarks(column.cell(row))}
        </td>
      ))}
    </tr>
  );
}

function SkeletonRow<Row>({ columns }: { columns: Column<Row>[] }) {
  return (
    <tr className={rowClass}>
      {columns.map((column) => (
        <td key={column.header} className={cellClass(column)}>
          {!column.hideHeader && <Skeleton className="w-3/5" />}
        </td>
      ))}
    </tr>
  );
}
