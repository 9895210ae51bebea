// Lists. A plain table with the states of a request: skeletons, empty, failed, and pages by cursor.
// The layout is fixed by the widths of the columns, so that nothing moves when data arrives.

import type { ReactNode } from 'react';
import { cn } from './class-names.ts';
import { cardClass } from './page-header.tsx';
import { Pagination } from './pagination.tsx';
import { Skeleton } from './skeleton.tsx';
import { ErrorState } from './states.tsx';

export type Column<Row> = {
  header: string;
  cell: (row: Row) => ReactNode;
  /** A width class, such as `w-40`. Leave it out for the column that takes the rest. */
  width?: string;
  /** Hidden on screens narrower than this. */
  from?: 'sm' | 'md' | 'lg' | 'xl';
  align?: 'right';
  /** The header is read to screen readers, and not shown. */
  hideHeader?: boolean;
};

type Listed<Row> = { data: Row[]; nextCursor?: string | null };

type DataTableProps<Row> = {
  /** The accessible name: that of the page. */
  label: string;
  columns: Column<Row>[];
  /** The result of useProjectQuery. */
  query: { data: Listed<Row> | undefined; error: unknown; refetch: () => unknown; isPlaceholderData?: boolean };
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
  const { data, error, refetch } = query;
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />;
  const rows = filter ? data?.data.filter(filter) : data?.data;
  if (rows?.length === 0) return <div className={cn(cardClass, 'border-dashed')}>{empty}</div>;
  return (
    <div>
      {error != null && <ErrorState error={error} retry={() => void refetch()} />}
      <div className={cn(cardClass, 'overflow-x-auto')}>
        <table aria-label={label} aria-busy={!data} className="w-full table-fixed">
          <thead>
            <tr className="h-9 border-line border-b text-left text-muted text-xs">
              {columns.map((column) => (
                <th key={column.header} scope="col" className={cn(cellClass(column), 'font-medium')}>
                  {column.hideHeader ? <span className="sr-only">{column.header}</span> : column.header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className={cn(query.isPlaceholderData && 'opacity-60')}>
            {rows
              ? rows.map((row) => <TableRow key={rowKey(row)} columns={columns} row={row} />)
              : skeletonKeys(expected).map((key) => <SkeletonRow key={key} columns={columns} />)}
          </tbody>
        </table>
      </div>
      <Pagination nextCursor={data?.nextCursor ?? null} />
    </div>
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
          {column.cell(row)}
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
