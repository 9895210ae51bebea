// Writes docs/reliability.md from the results of a run.

import { writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { findings, markdownTable, type Result } from './report.ts';

const page = join(import.meta.dirname, '../docs/reliability.md');

export function writePage(results: readonly Result[]): void {
  writeFileSync(page, markdown(results));
}

function markdown(results: readonly Result[]): string {
  return `${markdownTable(results)} ${findings(results).notes.length} ${availableParallelism()} ${totalmem()}\n`;
}
