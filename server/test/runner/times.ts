// The table at the end of a run: where its time went, by kind of test and by file.

import { dirname } from 'node:path';
import type { FileRun } from './worker-process.ts';

const SLOWEST = 15;

type Row = { name: string; files: number; wall_s: number; cpu_s: number };

/**
 * In Markdown. `all_cpu_s` is the processor time of the whole run: PostgreSQL serves all files, and is no child of a worker. It lacks
 * what was killed together with its worker, such as a browser; where that is more than the rest, the rest is unknown.
 */
export function timesTable(runs: FileRun[], all_cpu_s: number | null): string {
  const rows = runs.map(({ file, wall_s, cpu_s }) => ({ name: file, files: 1, wall_s, cpu_s: cpu_s ?? 0 }));
  const kinds = new Map<string, Row>();
  for (const row of rows) {
    const name = kindOf(row.name);
    const { files = 0, wall_s = 0, cpu_s = 0 } = kinds.get(name) ?? {};
    kinds.set(name, { name, files: files + 1, wall_s: wall_s + row.wall_s, cpu_s: cpu_s + row.cpu_s });
  }
  const files = { cpu_s: sum(rows, 'cpu_s'), wall_s: sum(rows, 'wall_s') };
  const cpu_s = Math.max(all_cpu_s ?? 0, files.cpu_s);
  const rest = cpu_s > files.cpu_s ? (cpu_s - files.cpu_s).toFixed(1) : 'unknown';
  const sorted = (list: Row[]) => list.toSorted((a, b) => b.cpu_s - a.cpu_s || b.wall_s - a.wall_s);
  return [
    '| Kind | Files | Processor, s | Time, s |',
    '|---|---|---|---|',
    ...sorted([...kinds.values()]).map((row) => `| \`${row.name}\` | ${row.files} | ${figures(row)} |`),
    `| PostgreSQL, start and end | | ${rest} | |`,
    `| in all | ${rows.length} | ${figures({ ...files, cpu_s })} |`,
    '',
    '| File | Processor, s | Time, s |',
    '|---|---|---|',
    ...sorted(rows)
      .slice(0, SLOWEST)
      .map((row) => `| \`${row.name}\` | ${figures(row)} |`),
    '',
  ].join('\n');
}

const sum = (rows: Row[], column: 'cpu_s' | 'wall_s') => rows.reduce((total, row) => total + row[column], 0);

const figures = ({ cpu_s, wall_s }: Pick<Row, 'cpu_s' | 'wall_s'>) => `${cpu_s.toFixed(1)} | ${wall_s.toFixed(1)}`;

/** The folder of the tests, without the folders of features. */
function kindOf(file: string): string {
  const [workspace = '', folder = '', kind = ''] = dirname(file).split('/');
  return [workspace, folder, folder === 'test' ? kind : ''].filter(Boolean).join('/');
}
