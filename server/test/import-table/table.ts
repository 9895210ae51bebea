// Where the table is in the guide.

import { join } from 'node:path';
import { root } from '../support/markdown.ts';

export const guideFile = join(root, 'docs/guides/import-openapi.md');

const HEAD = [
  '| API | Package | Operations | Imported | of these `form`, `multipart`, `raw` | Skipped, and why |',
  '|---|---|--:|--:|--:|---|',
];

const PLACE = /\| API \| Package \|.*\n(?:\|.*\n)+/;

export const withTable = (guide: string, rows: string[]): string =>
  guide.replace(PLACE, () => `${[...HEAD, ...rows].join('\n')}\n`);

/** The rows of the guide, without the head. */
export const tableIn = (guide: string): string[] => (PLACE.exec(guide)?.[0] ?? '').trim().split('\n').slice(2);

export const rowFor = (rows: readonly string[], name: string) =>
  rows.find((row) => row.startsWith(`| ${name} |`)) ?? '';
