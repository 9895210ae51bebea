// The table and the goals as Markdown, for the terminal and for docs/performance.md.

import { median, ratio } from '../statistics.ts';
import type { Goal } from './goals.ts';
import type { AnyRow } from './parts.ts';
import type { Row } from './rounds.ts';

const HEAD = ['Operation', 'Server', 'CPU', 'ratio', 'stores', 'requests/s', 'p50', 'p99', 'p50 alone', 'memory'];

export const isMeasured = (row: AnyRow): row is Row => !('absent' in row);

/** The ratio is to the first row of the operation. */
export function tableOf(rows: AnyRow[]): string {
  const lines = rows.map((row) => {
    if (!isMeasured(row)) return [row.operation, row.name, row.absent, ...HEAD.slice(3).map(() => '')];
    const first = rows.filter(isMeasured).find(({ operation }) => operation === row.operation) as Row;
    return [row.operation, row.name, ...figuresOf(row, ratio(row.cpu_us, first.cpu_us))];
  });
  return markdown(HEAD, lines, 2);
}

function figuresOf(row: Row, relative: number): string[] {
  const ms = (value: number) => `${value.toFixed(2)} ms`;
  return [
    `${median(row.cpu_us).toFixed(0)} µs`,
    relative.toFixed(2),
    median(row.store_us) < 0.5 ? '' : `${median(row.store_us).toFixed(0)} µs`,
    median(row.per_second).toFixed(0),
    ms(row.p50_ms),
    ms(row.p99_ms),
    ms(row.alone_ms),
    `${row.memory_mb.toFixed(0)} MB`,
  ];
}

export function goalsOf(goals: Goal[]): string {
  const lines = goals.map(({ what, bound, measured, is_met }) => {
    const result = is_met === null ? 'not measurable here' : is_met ? 'met' : '**not met**';
    return [what, bound, measured, result];
  });
  return markdown(['Goal', 'Bound', 'Measured', 'Result'], lines, 4);
}

/** The first `texts` columns are left-aligned. */
export function markdown(head: string[], lines: string[][], texts: number): string {
  const widths = head.map((title, i) => Math.max(title.length, ...lines.map((line) => line[i]?.length ?? 0)));
  const render = (cells: string[]) =>
    `| ${cells.map((cell, i) => (i < texts ? cell.padEnd(widths[i] as number) : cell.padStart(widths[i] as number))).join(' | ')} |`;
  const rule = `|${widths.map((width, i) => (i < texts ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [render(head), rule, ...lines.map(render)].join('\n');
}
