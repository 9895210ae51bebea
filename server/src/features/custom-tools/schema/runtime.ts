// What a compiled schema calls while it checks a value: formats, linear-time patterns, and the meter that ends a check
// which would block the process. The meter counts work instead of time, so the same value always gets the same answer.

import formatsModule from 'ajv-formats/dist/formats.js';
import { RE2JS } from 're2js';

/** One unit is some 20 ns, so the most hostile check ends after about 50 ms. */
const budget_units = 1_500_000;

/** Thrown out of a check whose budget is used up. */
export const workSpent = new Error('The value is too large for this schema to be checked');

// Checks are synchronous, so one meter serves them all.
const work = { left: 0 };

export function startWork(): void {
  work.left = budget_units;
}

function spend(units: number): void {
  work.left -= units;
  if (work.left < 0) throw workSpent;
}

/** For keywords that go through all of a value: its length, items or names count too. */
function spendSized(units: number, value: unknown): void {
  spend(units + sizeOf(value));
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length >> 2;
  if (Array.isArray(value)) return value.length * 4;
  if (typeof value !== 'object' || value === null) return 0;
  let names = 0;
  let letters = 0;
  for (const name in value) {
    names++;
    letters += name.length;
  }
  // An object with many names is a hash table, and listing them costs ten times as much for each.
  return letters + names * (names > 200 ? 32 : 1);
}

/** Ajv's own uniqueItems compares each item with each; this one is linear. */
function areUnique(items: unknown[]): boolean {
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

export type Pattern = { test(text: string): boolean; toString(): string };

/** Takes the place of RegExp. RE2 takes linear time whatever the pattern, at a price for each character that grows with the pattern. */
export function regExp(source: string): Pattern {
  let compiled: RE2JS | undefined;
  return {
    test(text) {
      compiled ??= compilePattern(source);
      spend(text.length * (4 + (compiled.programSize() >> 1)));
      return compiled.test(text);
    },
    // Ajv takes two patterns for the same one when their text is the same.
    toString: () => source,
  };
}
regExp.code = 'runtime.regExp';

/** Throws where RE2 has no such thing: look-around, back-references, repeats over 1,000. */
export function compilePattern(source: string): RE2JS {
  return RE2JS.compile(RE2JS.translateRegExp(source));
}

const { url: _quadratic, ...linearFormats } = formatsModule.fullFormats;

/** Formats that are checked; any other is only a remark. */
export const formats = { ...linearFormats, url: formatsModule.fullFormats.uri };

export const runtime = { work, spend, spendSized, areUnique, regExp, formats, workSpent };
