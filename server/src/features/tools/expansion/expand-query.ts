// The arguments as the query of a GET or DELETE.

import type { Problem } from '../../../engines/json-schema/problem.ts';
import { TARGET_TOO_LONG } from './expand-path.ts';

const MAX_NAME = 256;

/**
 * A list repeats its name, an object is JSON, null is omitted. Adds to `problems` what is wrong with the arguments; then the result
 * is of no use. At most `max_length` characters, checked while it is built: a list repeats its name and can become far longer than
 * the arguments.
 */
export function expandQuery(given: Readonly<Record<string, unknown>>, max_length: number, problems: Problem[]): string {
  let query = '';
  for (const [name, value] of Object.entries(given)) {
    const nameProblem = problemOfName(name);
    if (nameProblem !== null) {
      problems.push({ field: name.slice(0, MAX_NAME).toWellFormed(), message: nameProblem });
      continue;
    }
    const start = `${encodeQuery(name)}=`;
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === null) continue;
      const text = typeof item === 'object' ? JSON.stringify(item) : String(item);
      // Encoding never shortens a text, so a text that is too long is not encoded at all.
      const isTooLong = query.length + text.length > max_length;
      if (!isTooLong && !text.isWellFormed()) {
        problems.push({ field: name, message: 'must be well-formed text' });
        break;
      }
      if (!isTooLong) query += `${query === '' ? '' : '&'}${start}${encodeQuery(text)}`;
      if (isTooLong || query.length > max_length) {
        problems.push({ field: name, message: TARGET_TOO_LONG });
        return query;
      }
    }
  }
  return query;
}

function problemOfName(name: string): string | null {
  if (name.length > MAX_NAME) return `must have a name of at most ${MAX_NAME} characters`;
  return name.isWellFormed() ? null : 'must be well-formed text';
}

/** A URL parser would rewrite an apostrophe in a query, and the signature is over the query as sent. */
export const encodeQuery = (text: string) => encodeURIComponent(text).replaceAll("'", '%27');

export const joinQueries = (one: string, two: string) => (one === '' || two === '' ? one + two : `${one}&${two}`);
