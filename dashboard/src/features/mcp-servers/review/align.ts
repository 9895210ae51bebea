// Aligns two lists: which items stayed, and which of the old ones stand beside which of the new ones.

/** `old` or `now` is null where the other has an item of its own. */
export type Pair<T> = { old: T | null; now: T | null; isSame: boolean };

/** Comparing more would take the browser long. Such lists are all different, but for how they begin and end. */
const MOST_COMPARISONS = 400_000;

export function align<T>(old: readonly T[], now: readonly T[], keyOf: (item: T) => string): Pair<T>[] {
  const [oldKeys, nowKeys] = [old.map(keyOf), now.map(keyOf)];
  let start = 0;
  while (start < old.length && start < now.length && oldKeys[start] === nowKeys[start]) start += 1;
  let [oldEnd, nowEnd] = [old.length, now.length];
  while (oldEnd > start && nowEnd > start && oldKeys[oldEnd - 1] === nowKeys[nowEnd - 1])
    [oldEnd, nowEnd] = [oldEnd - 1, nowEnd - 1];
  const same = (from: number, to: number, shift: number) =>
    old.slice(from, to).map((item, index) => ({ old: item, now: now[from + shift + index] as T, isSame: true }));
  return [
    ...same(0, start, 0),
    ...alignMiddle({ old: old.slice(start, oldEnd), now: now.slice(start, nowEnd), keyOf }),
    ...same(oldEnd, old.length, nowEnd - oldEnd),
  ];
}

type Middle<T> = { old: readonly T[]; now: readonly T[]; keyOf: (item: T) => string };

/** By the longest common subsequence. */
function alignMiddle<T>({ old, now, keyOf }: Middle<T>): Pair<T>[] {
  const pairs: Pair<T>[] = [];
  let [removed, added]: [T[], T[]] = [[], []];
  const flush = () => {
    for (let i = 0; i < Math.max(removed.length, added.length); i += 1)
      pairs.push({ old: removed[i] ?? null, now: added[i] ?? null, isSame: false });
    [removed, added] = [[], []];
  };
  const lengths = old.length * now.length > MOST_COMPARISONS ? null : commonLengths(old.map(keyOf), now.map(keyOf));
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [left, right] = [old[i], now[j]];
    if (lengths && left !== undefined && right !== undefined && keyOf(left) === keyOf(right)) {
      flush();
      pairs.push({ old: left, now: right, isSame: true });
      [i, j] = [i + 1, j + 1];
    } else if (right === undefined || (left !== undefined && isRemovedFirst(lengths, i, j))) {
      removed.push(left as T);
      i += 1;
    } else {
      added.push(right);
      j += 1;
    }
  }
  flush();
  return pairs;
}

type Lengths = Uint32Array[];

const isRemovedFirst = (lengths: Lengths | null, i: number, j: number) =>
  lengths === null || (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0);

/** `[i][j]`: how many items the rests from i and from j have in common. */
function commonLengths(old: string[], now: string[]): Lengths {
  const lengths: Lengths = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const [row, below] = [lengths[i] as Uint32Array, lengths[i + 1] as Uint32Array];
      row[j] = old[i] === now[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  return lengths;
}
