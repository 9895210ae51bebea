// The table of a run, as text for a terminal and as Markdown.

import type { Row } from './ledger.ts';
import type { Scenario } from './scenario.ts';

/** `skipped`: why the scenario could not run here. */
export type Result = { scenario: Scenario } & ({ row: Row } | { skipped: string });

const columns: readonly (readonly [title: string, value: (row: Row) => string])[] = [
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

const milliseconds = (value: number | null) => (value === null ? '' : `${value} ms`);

function cells(results: readonly Result[]): string[][] {
  const head = ['scenario', ...columns.map(([title]) => title)];
  const lines = results.map((result) => [
    result.scenario.title,
    ...('row' in result ? columns.map(([, value]) => value(result.row)) : columns.map(() => 'not run')),
  ]);
  return [head, ...lines];
}

export function printTable(results: readonly Result[]): string {
  const lines = cells(results);
  const widths = (lines[0] as string[]).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] as number) : cell.padStart(widths[i] as number)))
        .join('  '),
    )
    .join('\n');
}

export function markdownTable(results: readonly Result[]): string {
  const [head = [], ...lines] = cells(results).map((line) => `| ${line.join(' | ')} |`);
  return [head, `|---|${columns.map(() => '--:|').join('')}`, ...lines].join('\n');
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
