// JSON in the canonical form of RFC 8785, so that equal values have equal hashes. ECMAScript's own serialization of numbers and
// strings is what the RFC prescribes; only the order of members is added.

import { createHash } from 'node:crypto';

/** For a value that JSON.parse could have returned, also with raw JSON for numbers. Members are sorted by the UTF-16 code units of their names. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isRawJson(value)) return canonicalNumber(JSON.stringify(value));
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`).join(',')}}`;
}

/** SHA-256 of the canonical form, in hex. */
export const canonicalHash = (value: unknown) => createHash('sha256').update(canonicalJson(value)).digest('hex');

const LONGEST_EXPONENT = 15;

const isRawJson = (value: object) => (JSON as typeof JSON & { isRawJSON(value: unknown): boolean }).isRawJSON(value);

/**
 * The RFC knows only numbers that a double can hold: these have its form, however they are written (`1.0` is `1`). Others keep all of
 * their digits, in a form that no double has.
 */
function canonicalNumber(source: string): string {
  const shortest = String(Number(source));
  const exact = digitsOf(source);
  return exact === digitsOf(shortest) ? shortest : exact;
}

/** A number as its digits without zeros at either end, and an exponent. In linear time, however many digits there are. */
function digitsOf(source: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const digits = whole + fraction;
  let [start, end] = [0, digits.length];
  while (digits[start] === '0') start += 1;
  while (end > start && digits[end - 1] === '0') end -= 1;
  if (start === end) return '0';
  // No double is that large or small, and no text of that many digits is worth counting with.
  if (exponent.length > LONGEST_EXPONENT) return source;
  return `${sign}${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
