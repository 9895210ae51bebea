// JSON in the canonical form of RFC 8785, so that equal values have equal hashes. ECMAScript's own serialization of numbers and
// strings is what the RFC prescribes; only the order of members is added.

import { createHash } from 'node:crypto';

/** For a value that JSON.parse could have returned. Members are sorted by the UTF-16 code units of their names. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`).join(',')}}`;
}

/** SHA-256 of the canonical form, in hex. */
export const canonicalHash = (value: unknown) => createHash('sha256').update(canonicalJson(value)).digest('hex');
