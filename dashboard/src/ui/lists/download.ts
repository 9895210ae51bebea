// Saves what a page shows as a file. It is made in the browser, of what the API returned.

import { showToast } from '../toasts.ts';

type Cell = string | number | boolean | null | undefined;
export type CsvColumn<Row> = [header: string, value: (row: Row) => Cell];

/** RFC 4180. */
export function toCsv<Row>(columns: CsvColumn<Row>[], rows: Row[]): string {
  const lines = [columns.map(([header]) => header), ...rows.map((row) => columns.map(([, value]) => value(row)))];
  return lines.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

function csvCell(value: Cell): string {
  const text = String(value ?? '');
  // A spreadsheet would run a text that begins so as a formula, and others choose the names that are in it.
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
  showToast({ title: `${name} is saved` });
}

/** `logs-2026-11-16.csv` */
export const datedName = (name: string, extension: string) =>
  `${name}-${new Date().toISOString().slice(0, 10)}.${extension}`;
