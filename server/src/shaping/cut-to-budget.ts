// Cuts JSON that is too long: texts of more than 1,000 characters to that length, then the longest lists from their end, so that what
// is left is JSON. Every list is cut to the same number of items, the largest that fits: so the longest lists lose the most.

import { decodeString, encodeString } from '../engines/json-text/scan.ts';
import { addCut, type Cut, type CutMap } from './cuts.ts';

export const LONGEST_TEXT = 1_000;

type LongText = {
  kind: 'text';
  start: number;
  end: number;
  shorter: string;
  kept: number;
  total: number;
  path: () => string;
};
/** `start` and `end` are its brackets, `items` where its items begin. */
export type FoundList = {
  kind: 'list';
  start: number;
  end: number;
  items: number[];
  inside: Cuttable[];
  path: () => string;
};
/** What can be cut in a JSON text, with its places there. In their order; what is inside of a list is found there. */
export type Cuttable = LongText | FoundList;

/** `raw` is the text as JSON, from `start` to `end`. Null: it is short enough. */
export function longText(raw: string, start: number, end: number, path: () => string): LongText | null {
  // Its bytes without the quotes: a text is never longer than they are.
  if (raw.length - 2 <= LONGEST_TEXT) return null;
  const text = decodeString(raw);
  if (text.length <= LONGEST_TEXT) return null;
  // Half of a surrogate pair is no character.
  const kept = /[\ud800-\udbff]/.test(text[LONGEST_TEXT - 1] as string) ? LONGEST_TEXT - 1 : LONGEST_TEXT;
  return { kind: 'text', start, end, shorter: encodeString(text.slice(0, kept)), kept, total: text.length, path };
}

/** `json` is UTF-8 as latin1. Null: it cannot be cut that far. */
export function cutToBudget(
  json: string,
  max_bytes: number,
  found: readonly Cuttable[],
): { json: string; cuts: Cut[] } | null {
  if (json.length <= max_bytes) return { json, cuts: [] };
  const needed = json.length - max_bytes;
  const longest = longestIn(found);
  if (savedBy(found, longest, json.length) >= needed) return cut(json, found, longest);
  if (savedBy(found, 0, json.length) < needed) return null;
  let [fits, fits_not] = [0, longest];
  while (fits_not - fits > 1) {
    const middle = (fits + fits_not) >> 1;
    if (savedBy(found, middle, json.length) >= needed) fits = middle;
    else fits_not = middle;
  }
  return cut(json, found, fits);
}

function longestIn(found: readonly Cuttable[]): number {
  let longest = 0;
  for (const each of found)
    if (each.kind === 'list') longest = Math.max(longest, each.items.length, longestIn(each.inside));
  return longest;
}

/** Where a list of so many items ends. */
function endOfKept({ start, end, items }: FoundList, count: number): number {
  if (items.length <= count) return end;
  return count === 0 ? start + 1 : (items[count] as number) - 1;
}

/** Bytes. Only what begins before `until` is there at all. */
function savedBy(found: readonly Cuttable[], count: number, until: number): number {
  let saved = 0;
  for (const each of found) {
    if (each.start >= until) break;
    if (each.kind === 'text') saved += each.end - each.start - each.shorter.length;
    else {
      const end = endOfKept(each, count);
      saved += each.end - end + savedBy(each.inside, count, end);
    }
  }
  return saved;
}

function cut(json: string, found: readonly Cuttable[], count: number): { json: string; cuts: Cut[] } {
  const cuts: CutMap = new Map();
  const parts: string[] = [];
  let from = 0;
  const replace = (start: number, end: number, by: string) => {
    parts.push(json.slice(from, start), by);
    from = end;
  };
  const cutIn = (inside: readonly Cuttable[], until: number) => {
    for (const each of inside) {
      if (each.start >= until) break;
      if (each.kind === 'text') {
        replace(each.start, each.end, each.shorter);
        addCut(cuts, { path: each.path(), kept: each.kept, total: each.total, is_list: false });
        continue;
      }
      const end = endOfKept(each, count);
      cutIn(each.inside, end);
      if (end === each.end) continue;
      replace(end, each.end, '');
      addCut(cuts, { path: each.path(), kept: count, total: each.items.length, is_list: true });
    }
  };
  cutIn(found, json.length);
  return { json: parts.join('') + json.slice(from), cuts: [...cuts.values()] };
}
