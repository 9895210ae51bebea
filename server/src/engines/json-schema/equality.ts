// When two JSON values are equal: members in any order, numbers by value.

import { spend } from './work-meter.ts';

/** Ajv's own calls `valueOf` and `toString` where a value has members of these names. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return areListsEqual(a, b);
  const names = namesOf(a);
  if (names.length !== namesOf(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && isEqual(a[name as keyof typeof a], b[name as keyof typeof b]));
}

function areListsEqual(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  spend(a.length * 4);
  return a.every((item, index) => isEqual(item, b[index]));
}

function namesOf(value: object): string[] {
  const names = Object.keys(value);
  spend(8 + names.length * (names.length > 200 ? 32 : 8));
  return names;
}

/** Ajv's own compares each item with each; this one is linear. */
export function areUnique(items: unknown[]): boolean {
  const seen = new Set(items.map(canonical));
  return seen.size === items.length;
}

function canonical(value: unknown): string {
  spend(8);
  if (typeof value === 'string') spend(value.length >> 4);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`;
}
