// What a caller may pass to a tool: no reserved variable, then whatever the tool's input_schema allows.

import { type ApiError, refuse } from '../../errors.ts';
import { TARGET_TOO_LONG } from './path-template.ts';
import { isReserved } from './reserved-variables.ts';
import type { Validator } from './schema/instantiate.ts';
import type { Problem } from './schema/problem.ts';

export type Arguments = Record<string, unknown>;

const max_bytes = 256 * 1024;

/** `byteLength` is that of the arguments, or of the body around them, as they came. */
export function checkArguments(input: unknown, byteLength: number, validate: Validator): Arguments {
  if (byteLength > max_bytes) throw refuse.bodyTooLarge({ details: { field: 'arguments' } });
  const given = input === undefined ? {} : input;
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalid([{ field: '', message: 'must be an object' }]);
  for (const name in given) if (isReserved(name)) throw refuse.reservedVariable({ details: { field: name } });
  const changed = findChangedNumber(given);
  if (changed !== null)
    throw invalid([
      { field: changed, message: 'is a number that would not arrive as it was written: give it as a string' },
    ]);
  const problems = validate(given);
  if (problems) throw invalid(problems);
  return given as Arguments;
}

/** From here on JavaScript writes a number with an exponent, as whoever meant it most likely did. */
const EXPONENT_FROM = 1e21;

/**
 * The first number that reading has changed: an integer that a double cannot tell from the next one, so that another record
 * would be meant, or one too large for a double at all. The arguments are at most as deep as a body may be.
 */
function findChangedNumber(value: object, path = ''): string | null {
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    if (typeof member === 'number') {
      const size = Math.abs(member);
      if (size > Number.MAX_SAFE_INTEGER && (size < EXPONENT_FROM || size === Number.POSITIVE_INFINITY))
        return path + name;
    } else if (typeof member === 'object' && member !== null) {
      const found = findChangedNumber(member, `${path}${name}.`);
      if (found !== null) return found;
    }
  }
  return null;
}

/** The values are not repeated: they may be secrets. */
function invalid(problems: Problem[]): ApiError {
  return refuse.validation({ details: { field: problems[0]?.field || 'arguments', problems } });
}

const MAX_QUERY_NAME = 256;

/**
 * Arguments as the query of a GET or DELETE: a list repeats its name, an object is JSON, null is left out. At most `room`
 * characters, counted while it grows: a long list repeats a long name far beyond the size of the arguments.
 */
export function queryOf(given: Arguments, room: number): string {
  let query = '';
  for (const [name, value] of Object.entries(given)) {
    const refuseName = (message: string) => invalid([{ field: name.slice(0, MAX_QUERY_NAME).toWellFormed(), message }]);
    if (name.length > MAX_QUERY_NAME) throw refuseName(`must have a name of at most ${MAX_QUERY_NAME} characters`);
    if (!name.isWellFormed()) throw refuseName('must be well-formed text');
    const start = `${encode(name)}=`;
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === null) continue;
      const text = typeof item === 'object' ? JSON.stringify(item) : String(item);
      // Encoding makes no text shorter, so one that is too long already is not encoded at all.
      if (query.length + text.length > room) throw refuseName(TARGET_TOO_LONG);
      if (!text.isWellFormed()) throw refuseName('must be well-formed text');
      query += `${query === '' ? '' : '&'}${start}${encode(text)}`;
      if (query.length > room) throw refuseName(TARGET_TOO_LONG);
    }
  }
  return query;
}

/** A URL parser would rewrite an apostrophe in a query, and the signature is over the query as sent. */
const encode = (text: string) => encodeURIComponent(text).replaceAll("'", '%27');
