// Fixed headers as text in a form: one on each line.

import * as z from 'zod/mini';

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

export const headerLines = z
  .string()
  .check(
    z.refine(
      (text) => linesOf(text).every((line) => /^[^\s:]+:\s*\S/.test(line)),
      'Write one header per line: Name: value',
    ),
  );

export const headerText = (headers: Record<string, string> | undefined) =>
  Object.entries(headers ?? {})
    .map((pair) => pair.join(': '))
    .join('\n');

export const headersOf = (text: string): Record<string, string> => Object.fromEntries(linesOf(text).map(headerOf));

function headerOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}
