// Expands endpoint_path on every call.

import type { PathTemplate } from '@toolgate/contract/custom-tools/path-template.ts';
import type { Problem } from '../../../engines/json-schema/problem.ts';

/** For path and query together, expanded. Few servers accept as much. */
export const MAX_TARGET = 64 * 1024;
export const TARGET_TOO_LONG = `makes the path and query longer than ${MAX_TARGET} characters`;

/**
 * Adds to `problems` what is wrong with the values; then the result is of no use. `query` is that of the template, without the `?`.
 * The length is checked while it grows: a value may be used many times.
 */
export function expand(
  { texts, names, in_path }: PathTemplate,
  values: Readonly<Record<string, unknown>>,
  problems: Problem[],
): { path: string; query: string } {
  let target = texts[0] ?? '';
  for (let index = 0; index < names.length; index++) {
    const field = names[index] as string;
    const value = Object.hasOwn(values, field) ? values[field] : undefined;
    const text = typeof value === 'string' ? value : textOf(value);
    const message =
      text === null
        ? 'must be a string, number or boolean: it is part of the path'
        : valueProblem(text, index < in_path, MAX_TARGET - target.length);
    if (message !== null) problems.push({ field, message });
    else {
      target += encodeURIComponent(text as string) + texts[index + 1];
      if (target.length > MAX_TARGET) problems.push({ field, message: TARGET_TOO_LONG });
    }
    if (target.length > MAX_TARGET) break;
  }
  const mark = target.indexOf('?');
  return mark === -1 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

function textOf(value: unknown): string | null {
  return (typeof value === 'number' && Number.isFinite(value)) || typeof value === 'boolean' ? String(value) : null;
}

/** Any other text, once encoded, is neither empty nor `.` nor `..`, so it cannot remove a segment or point to a parent. */
function valueProblem(text: string, isInPath: boolean, max_length: number): string | null {
  // Encoding never shortens a text.
  if (text.length > max_length) return TARGET_TOO_LONG;
  if (!text.isWellFormed()) return 'must be well-formed text';
  if (!isInPath) return null;
  if (text === '') return 'must not be empty: it is part of the path';
  return text === '.' || text === '..' ? 'must not be . or ..: it is part of the path' : null;
}
