// A chart over time, with the exact numbers below it in a table that is read, copied and saved as CSV.

import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { cn } from '../class-names.ts';
import { type CsvColumn, datedName, saveFile, toCsv } from '../lists/download.ts';
import { cardClass, Section } from '../section.tsx';
import { type Series, TimeChart } from './time-chart.tsx';

type Props = {
  title: string;
  kind: 'bars' | 'lines';
  starts: string[];
  series: Series[];
  format?: (value: number) => string;
  formatStart: (iso: string) => string;
  /** The first cell of a row: a link to what happened then. */
  startCell: (iso: string) => ReactNode;
  onSelect?: (start: string) => void;
  onZoom?: (first: string, last: string) => void;
  /** The columns of the table, if they are others than the series. */
  columns?: Series[];
  /** Said over a chart without values. */
  nothing: string;
  height?: number;
  /** A link beside the title. */
  aside?: ReactNode;
};

export function ChartWithTable({ title, columns, startCell, nothing, height = 240, aside, ...chart }: Props) {
  const { series, starts, formatStart } = chart;
  const csv = <CsvButton title={title} starts={starts} columns={columns ?? series} />;
  const isEmpty = series.every(({ values }) => values.every((value) => !value));
  return (
    <Section
      title={title}
      aside={
        <div className="flex items-center gap-2 whitespace-nowrap">
          {aside}
          {csv}
        </div>
      }
    >
      <div className={cn(cardClass, 'grid grid-cols-1')}>
        <div className="min-w-0 p-4">
          <Legend series={series} />
          <div className="relative">
            <TimeChart label={title} height={height} {...chart} />
            {isEmpty && <p className="absolute inset-x-0 top-2/5 text-center text-muted">{nothing}</p>}
          </div>
        </div>
        <ExactTable title={title} columns={columns ?? series} {...{ starts, formatStart, startCell }} />
      </div>
    </Section>
  );
}

const dots = {
  accent: 'bg-accent',
  danger: 'bg-danger',
  warning: 'bg-warning',
  success: 'bg-success',
  faint: 'bg-faint',
};

function Legend({ series }: { series: Series[] }) {
  return (
    <ul className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-muted text-xs">
      {series.map(({ name, tone, isLine }) => (
        <li key={name} className="flex items-center gap-1.5">
          <span aria-hidden className={cn('rounded-sm', isLine ? 'h-0.5 w-3' : 'size-2', dots[tone])} />
          {name}
        </li>
      ))}
    </ul>
  );
}

type TableProps = Pick<Props, 'title' | 'starts' | 'formatStart' | 'startCell'> & { columns: Series[] };

const exact = (value: number | null | undefined) => (value == null ? '–' : value.toLocaleString('en'));

/** Newest first: that is what people look for. */
function ExactTable({ title, starts, columns, startCell }: TableProps) {
  const cell = 'h-7 px-2 text-right first:pl-4 last:pr-4';
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard
      tabIndex={0}
      aria-label={`${title}: exact numbers`}
      className="max-h-52 overflow-auto rounded-b-lg border-line border-t"
    >
      <table aria-label={title} className="w-full text-xs">
        <thead className="sticky top-0 z-10 bg-surface">
          <tr className="text-muted">
            <th scope="col" className={cn(cell, 'h-9 text-left font-medium')}>
              Time
            </th>
            {columns.map(({ name }) => (
              <th key={name} scope="col" className={cn(cell, 'h-9 font-medium')}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {starts
            .map((start, index) => (
              <tr key={start} className="border-line border-t">
                <th scope="row" className={cn(cell, 'whitespace-nowrap text-left font-normal')}>
                  {startCell(start)}
                </th>
                {columns.map(({ name, values }) => (
                  <td key={name} className={cn(cell, !values[index] && 'text-faint')}>
                    {exact(values[index])}
                  </td>
                ))}
              </tr>
            ))
            .reverse()}
        </tbody>
      </table>
    </section>
  );
}

function CsvButton({ title, starts, columns }: { title: string; starts: string[]; columns: Series[] }) {
  const save = () => {
    const rows = starts.map((start, index) => ({ start, index }));
    const cells: CsvColumn<(typeof rows)[number]>[] = columns.map(({ name, values }) => [
      name,
      ({ index }) => values[index],
    ]);
    const csv = toCsv([['start', ({ start }) => start], ...cells], rows);
    saveFile(datedName(title.toLowerCase().replaceAll(' ', '-'), 'csv'), 'text/csv', csv);
  };
  return (
    <Button size="sm" look="ghost" aria-label={`${title} as CSV`} onClick={save}>
      <Download /> CSV
    </Button>
  );
}
