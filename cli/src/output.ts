// What a command prints: data on stdout, words on stderr, tables and color only on a terminal.

import { randomBytes } from 'node:crypto';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Context, Output } from './context.ts';
import { visibleCell, visibleText } from './visible.ts';

type Color = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

const codes: Record<Color, number> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 };

/** A column of a table: its title, and its text for a row. */
export type Column<Row> = { title: string; text(row: Row): string };

/** --json is an option of the program, so that it may be written before or after the name of the command. */
export function wantsJson(command: CommandUnknownOpts): boolean {
  return command.optsWithGlobals().json === true;
}

/** Words for people, such as progress and what was done. */
export function say({ stderr }: Context, text: string): void {
  write(stderr, `${text}\n`);
}

export function printLine({ stdout }: Context, text: string): void {
  write(stdout, `${text}\n`);
}

/** A text that is data itself, such as the response of an API. A file or a program gets it as it is. */
export function printText(context: Context, text: string): void {
  if (context.stdout.isTTY) printLine(context, text);
  else context.stdout.write(`${text}\n`);
}

/** No text of others can know it, so that only `paint` changes colors. */
const COLOR_MARK = `color-${randomBytes(12).toString('hex')}-`;
const colorMark = new RegExp(`${COLOR_MARK}(\\d+);`, 'g');

/** All output goes through this, but for data in files and pipes: nothing of others is written raw. */
export function write(stream: Output, text: string): void {
  stream.write(visibleText(text).replace(colorMark, '\u001b[$1m'));
}

/** One JSON value: indented on a terminal, one line otherwise. */
export function printJson(context: Context, value: unknown): void {
  printLine(context, JSON.stringify(value, null, context.stdout.isTTY ? 2 : 0));
}

/** Aligned columns with titles on a terminal. Otherwise one line for each row, with tabs between the columns. */
export function printTable<Row>(context: Context, columns: readonly Column<Row>[], rows: readonly Row[]): void {
  const cells = rows.map((row) => columns.map((column) => visibleCell(column.text(row))));
  if (!context.stdout.isTTY) {
    for (const row of cells) printLine(context, row.join('\t'));
    return;
  }
  const titles = columns.map(({ title }) => title.toUpperCase());
  const widths = titles.map((title, at) => Math.max(...[title, ...cells.map((row) => row[at] ?? '')].map(widthOf)));
  const line = (row: string[]) =>
    row
      .map((text, at) => padded(text, widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  printLine(context, paint(context, 'bold', line(titles)));
  for (const row of cells) printLine(context, line(row));
}

/** The fields of one resource. */
export function printFields(context: Context, fields: object): void {
  const rows = Object.entries(fields);
  printTable(context, [field, value], rows);
}

const field: Column<[string, unknown]> = { title: 'field', text: ([name]) => name };
const value: Column<[string, unknown]> = { title: 'value', text: ([, content]) => textOf(content) };

/** A value of a resource as people read it. */
export function textOf(content: unknown): string {
  if (content === null || content === undefined) return '-';
  if (Array.isArray(content) && content.every((each) => typeof each === 'string')) return content.join(', ');
  return typeof content === 'object' ? JSON.stringify(content) : String(content);
}

/** Colors the text if the stream, by default stdout, is a terminal and NO_COLOR is not set. */
export function paint({ environment, stdout }: Context, color: Color, text: string, stream: Output = stdout): string {
  return stream.isTTY && !environment.NO_COLOR ? `${COLOR_MARK}${codes[color]};${text}${COLOR_MARK}0;` : text;
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** Columns that a text takes in a terminal: East Asian characters take two. */
function widthOf(text: string): number {
  return [...text].reduce(
    (width, character) =>
      width +
      (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/.test(character) ? 2 : 1),
    0,
  );
}
