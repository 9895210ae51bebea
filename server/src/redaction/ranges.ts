// The parts of a text that are replaced.

/** `end` is behind the last character. */
export type Range = { start: number; end: number };

/** Finds what must not be seen. The ranges may be in any order, and overlap. */
export type Find = (text: string) => readonly Range[];

/** Most texts have nothing that is replaced. */
export const NOTHING: readonly Range[] = [];

export const joinRanges = (some: readonly Range[], more: readonly Range[]) =>
  some.length === 0 ? more : more.length === 0 ? some : some.concat(more);

export function replaceRanges(text: string, ranges: readonly Range[], by: string): string {
  if (ranges.length === 0) return text;
  let out = '';
  let from = 0;
  for (const { start, end } of inOrder(ranges)) {
    // A part of what the one before replaced goes with it.
    if (start >= from) out += text.slice(from, start) + by;
    from = Math.max(from, end);
  }
  return out + text.slice(from);
}

const inOrder = (ranges: readonly Range[]) =>
  ranges.length === 1 ? ranges : ranges.toSorted((one, other) => one.start - other.start);

/** Where a pattern with the flag `g` is found. */
export function findPattern(pattern: RegExp, text: string): readonly Range[] {
  pattern.lastIndex = 0;
  let found = pattern.exec(text);
  if (!found) return NOTHING;
  const ranges: Range[] = [];
  for (; found; found = pattern.exec(text)) ranges.push({ start: found.index, end: pattern.lastIndex });
  return ranges;
}
