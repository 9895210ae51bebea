// The paths of a response with what each takes of it: to offer them in the fields, and to show what is worth dropping.

import { escapeName, MAX_PATH_DEPTH } from '@toolgate/contract/custom-tools/response-paths.ts';

export type MeasuredPath = { path: string; tokens: number; isList: boolean };

const MOST_PATHS = 1_000;
const CHARACTERS_PER_TOKEN = 4;

type Found = Map<string, { characters: number; isList: boolean }>;

/** The largest first. Items of a list share one path: `items[].id`. */
export function measurePaths(value: unknown): MeasuredPath[] {
  const found: Found = new Map();
  measure(value, '', 0, found);
  return [...found]
    .map(([path, { characters, isList }]) => ({ path, tokens: Math.ceil(characters / CHARACTERS_PER_TOKEN), isList }))
    .toSorted((one, other) => other.tokens - one.tokens);
}

/** Returns the length of the value as JSON. */
function measure(value: unknown, path: string, depth: number, found: Found): number {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)?.length ?? 0;
  const names = Array.isArray(value) ? [] : Object.keys(value);
  let characters = 2;
  if (Array.isArray(value)) for (const item of value) characters += 1 + measure(item, `${path}[]`, depth + 1, found);
  for (const name of names) {
    const inner = path === '' ? escapeName(name) : `${path}.${escapeName(name)}`;
    const member = (value as Record<string, unknown>)[name];
    const taken = name.length + 4 + measure(member, inner, depth + 1, found);
    characters += taken;
    if (depth < MAX_PATH_DEPTH) add(found, inner, taken, Array.isArray(member));
  }
  return characters;
}

function add(found: Found, path: string, characters: number, isList: boolean): void {
  const before = found.get(path);
  if (!before && found.size >= MOST_PATHS) return;
  found.set(path, { characters: (before?.characters ?? 0) + characters, isList: isList || before?.isList === true });
}
