// Compares what a command printed with the JSON that a guide shows after it. `…` stands for any text; times and durations may differ.

import assert from 'node:assert/strict';

export function expectOutput(output: string, expected_text: string, where: string): void {
  const expected = JSON.parse(expected_text);
  const printed = jsonIn(output);
  const isThere = printed.some((value) => matches(value, expected, ''));
  assert.ok(isThere, `${where}: the commands do not print this:\n${expected_text}\nThey print:\n${output}`);
}

/** The objects in the output of a command, as jq prints them. */
function jsonIn(output: string): unknown[] {
  return [...output.matchAll(/^\{$[\s\S]*?^\}$/gm)].map(([text]) => JSON.parse(text));
}

/** An object may have more members than the guide shows. */
function matches(value: unknown, expected: unknown, name: string): boolean {
  if (typeof value !== typeof expected) return false;
  if (typeof expected === 'string') return name.endsWith('_at') || textMatches(value as string, expected);
  if (typeof expected === 'number') return name.endsWith('_ms') || value === expected;
  if (typeof expected !== 'object' || expected === null || value === null) return value === expected;
  return Object.entries(expected).every(([member, part]) =>
    matches((value as Record<string, unknown>)[member], part, member),
  );
}

function textMatches(value: string, expected: string): boolean {
  const [start = '', ...rest] = expected.split('…');
  return rest.length === 0 ? value === expected : value.startsWith(start) && value.endsWith(rest.at(-1) ?? '');
}
