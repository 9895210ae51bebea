// Validates the arguments of a call: no reserved variable, then the tool's input_schema.

import { type ApiError, refuse } from '../../errors.ts';
import { TARGET_TOO_LONG } from './path-template.ts';
import { isReserved } from './reserved-variables.ts';
import type { Validator } from './schema/instantiate.ts';
import type { Problem } from './schema/problem.ts';

export type Arguments = Record<string, unknown>;

const MAX_BYTES = 256 * 1024;
const MEASURED_ABOVE = 64 * 1024;

/** The size of the arguments as JSON. Up to 64 KiB the size of the body around them is used: it costs nothing. */
export function measureArguments(given: unknown, body_bytes: number): number {
  return body_bytes > MEASURED_ABOVE ? Buffer.byteLength(JSON.stringify(given)) : body_bytes;
}

/** `byteLength` is the result of measureArguments(). */
export function checkArguments(input: unknown, byteLength: number, validate: Validator): Arguments {
  if (byteLength > MAX_BYTES) throw tooLarge(byteLength);
  const given = input === undefined ? {} : input;
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalid([{ field: '', message: 'must be an object' }]);
  for (const name in given) if (isReserved(name)) throw refuse.reservedVariable({ details: { field: name } });
  const inexact = findInexactNumber(given);
  if (inexact !== null)
    throw invalid([
      { field: inexact, message: 'is a number that would not arrive as it was written: give it as a string' },
    ]);
  const problems = validate(given);
  if (problems) throw invalid(problems);
  return given as Arguments;
}

/** From here on JavaScript writes a number with an exponent, as the caller most likely did: its digits are not exact anyway. */
const EXPONENT_FROM = 1e21;

/**
 * Finds the first number that parsing has changed: an integer that a double cannot represent exactly, which could then identify
 * another record, or one too large for a double. The depth of the arguments is limited with that of the body.
 */
function findInexactNumber(value: object, path = ''): string | null {
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    if (typeof member === 'number') {
      const size = Math.abs(member);
      if (size > Number.MAX_SAFE_INTEGER && (size < EXPONENT_FROM || size === Number.POSITIVE_INFINITY))
        return path + name;
    } else if (typeof member === 'object' && member !== null) {
      const found = findInexactNumber(member, `${path}${name}.`);
      if (found !== null) return found;
    }
  }
  return null;
}

function tooLarge(size_bytes: number): ApiError {
  const remedy = `Send arguments of at most ${MAX_BYTES} bytes as JSON.`;
  const sizes = { limit_bytes: MAX_BYTES, size_bytes };
  return refuse.bodyTooLarge({ details: { field: 'arguments', ...sizes, reason: 'arguments_too_large', remedy } });
}

/** Without the values: they may be secrets. */
function invalid(problems: Problem[]): ApiError {
  return refuse.validation({
    details: { field: problems[0]?.field || 'arguments', reason: 'invalid_arguments', problems },
  });
}

const MAX_QUERY_NAME = 256;

/**
 * The arguments as the query of a GET or DELETE: a list repeats its name, an object is JSON, null is omitted. At most
 * `max_length` characters, checked while it is built: a list repeats its name and can become far longer than the arguments.
 */
export function queryOf(given: Arguments, max_length: number): string {
  let query = '';
  for (const [name, value] of Object.entries(given)) {
    const refuseName = (message: string) => invalid([{ field: name.slice(0, MAX_QUERY_NAME).toWellFormed(), message }]);
    if (name.length > MAX_QUERY_NAME) throw refuseName(`must have a name of at most ${MAX_QUERY_NAME} characters`);
    if (!name.isWellFormed()) throw refuseName('must be well-formed text');
    const start = `${encode(name)}=`;
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === null) continue;
      const text = typeof item === 'object' ? JSON.stringify(item) : String(item);
      // Encoding never shortens a text, so a text that is too long is not encoded at all.
      if (query.length + text.length > max_length) throw refuseName(TARGET_TOO_LONG);
      if (!text.isWellFormed()) throw refuseName('must be well-formed text');
      query += `${query === '' ? '' : '&'}${start}${encode(text)}`;
      if (query.length > max_length) throw refuseName(TARGET_TOO_LONG);
    }
  }
  return query;
}

/** A URL parser would rewrite an apostrophe in a query, and the signature is over the query as sent. */
const encode = (text: string) => encodeURIComponent(text).replaceAll("'", '%27');
