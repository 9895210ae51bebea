// The table of a run, as text for a terminal and as Markdown.

import type { Row } from './ledger.ts';
import type { Scenario } from './scenario.ts';

/** `skipped`: why the scenario could not run here. */
export type Result = { scenario: Scenario } & ({ row: Row } | { skipped: string });

type Columns = readonly (readonly [title: string, value: (row: Row) => string])[];

const columns: Columns = [
  ['acknowledged', ({ acknowledged }) => String(acknowledged)],
  ['refused', ({ failed }) => String(failed)],
  ['unknown', ({ unknown }) => String(unknown)],
  ['lost', ({ lost }) => String(lost)],
  ['duplicated', ({ duplicated }) => String(duplicated)],
  ['wrongly accepted', ({ wrongly_accepted }) => String(wrongly_accepted)],
  ['unexplained 5xx', ({ unexplained_5xx }) => String(unexplained_5xx)],
  ['recovery', ({ recovery_ms }) => milliseconds(recovery_ms)],
  ['revoked after', ({ revoke_ms }) => milliseconds(revoke_ms)],
];

/** Of failovers of PostgreSQL. */
const failoverColumns: Columns = [
  ['acknowledged', ({ acknowledged }) => String(acknowledged)],
  ['unknown', ({ unknown }) => String(unknown)],
  ['lost', ({ lost }) => String(lost)],
  ['lost by PostgreSQL', ({ lost_by_postgres }) => String(lost_by_postgres)],
  ['duplicated', ({ duplicated }) => String(duplicated)],
  ['wrongly accepted', ({ wrongly_accepted }) => String(wrongly_accepted)],
  ['unexplained 5xx', ({ unexplained_5xx }) => String(unexplained_5xx)],
  ['no primary', ({ failover }) => rounded(failover?.without_primary_ms)],
  ['slowest 503', ({ failover }) => rounded(failover?.slowest_ms)],
  ['first write after', ({ failover }) => rounded(failover?.first_success_ms)],
  ['recovery', ({ recovery_ms }) => milliseconds(recovery_ms)],
];

const rounded = (value: number | undefined) => milliseconds(value === undefined ? null : Math.round(value));

const milliseconds = (value: number | null) => (value === null ? '' : `${value} ms`);

/** Those of a group have their own columns. */
const tables = (results: readonly Result[]) =>
  [
    { columns, results: results.filter(({ scenario }) => scenario.group !== 'failover') },
    { columns: failoverColumns, results: results.filter(({ scenario }) => scenario.group === 'failover') },
  ].filter((table) => table.results.length > 0);

type Table = { columns: Columns; results: readonly Result[] };

function cells({ columns, results }: Table): string[][] {
  const head = ['scenario', ...columns.map(([title]) => title)];
  const lines = results.map((result) => [
    result.scenario.title,
    ...('row' in result ? columns.map(([, value]) => value(result.row)) : columns.map(() => 'not run')),
  ]);
  return [head, ...lines];
}

export const printTables = (results: readonly Result[]) => tables(results).map(printTable).join('\n\n');

function printTable(table: Table): string {
  const lines = cells(table);
  const widths = (lines[0] as string[]).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] as number) : cell.padStart(widths[i] as number)))
        .join('  '),
    )
    .join('\n');
}

/** Of the scenarios in one group, or in none. */
export function markdownTable(results: readonly Result[], group?: Scenario['group']): string {
  const table = {
    columns: group === 'failover' ? failoverColumns : columns,
    results: results.filter(({ scenario }) => scenario.group === group),
  };
  const [head = [], ...lines] = cells(table).map((line) => `| ${line.join(' | ')} |`);
  return [head, `|---|${table.columns.map(() => '--:|').join('')}`, ...lines].join('\n');
}

/** What did not hold, and what could not be run, a line each. */
export function findings(results: readonly Result[]): { problems: string[]; notes: string[] } {
  const labelled = (read: (result: Result) => string[]) =>
    results.flatMap((result) => read(result).map((text) => `${result.scenario.name}: ${text}`));
  return {
    problems: labelled((result) => ('row' in result ? result.row.problems : [])),
    notes: labelled((result) => ('row' in result ? result.row.notes : [`not run: ${result.skipped}`])),
  };
}
