// Log-scale histograms of durations in whole milliseconds: how many calls took how long, in buckets that are 10 % wide. Two
// histograms are merged by adding their counts, and a quantile differs from the true one by at most 4.8 %.

/** The number of calls in each bucket. Buckets count from 1, like those of PostgreSQL's `width_bucket`. */
export type Histogram = Float64Array;

/** Above the longest timeout of a tool with all its waiting. Longer calls share the last bucket. */
const LONGEST_MS = 1_000_000;
const GROWTH = 1.1;

/** The first duration of every bucket. Below 20 ms each duration has a bucket of its own. */
export const bucketStarts: readonly number[] = makeBucketStarts();

function makeBucketStarts(): number[] {
  const starts = [0];
  for (let start = 1; (starts.at(-1) as number) <= LONGEST_MS; start = Math.max(start + 1, Math.floor(start * GROWTH)))
    starts.push(start);
  return starts;
}

export const newHistogram = (): Histogram => new Float64Array(bucketStarts.length + 1);

export const bucketSql = (duration: string): string =>
  `width_bucket(${duration}, '{${bucketStarts.join(',')}}'::int[])`;

/** The duration that stands for a bucket: at most 4.8 % from both of its ends. */
function durationOf(bucket: number): number {
  const first = bucketStarts[bucket - 1] as number;
  const last = (bucketStarts[bucket] ?? first + 1) - 1;
  return first === last ? first : (2 * first * last) / (first + last);
}

/**
 * A bucket and its count in one number, as they are stored. The count may be negative: the difference of two histograms is
 * stored by adding it. PostgreSQL's `>>` rounds down, so half a unit is added first.
 */
export const packSql = (bucket: string, count: string): string => `((${bucket})::bigint << 40) + (${count})::bigint`;
export const unpackBucketSql = (entry: string): string => `((${entry} + ${2 ** 39}) >> 40)`;
export const unpackCountSql = (entry: string): string => `(${entry} - (${unpackBucketSql(entry)} << 40))`;

/** Reads the stored form: the text of a bigint array, which may have several entries for a bucket. */
export function parseHistogram(stored: string): Histogram {
  const histogram = newHistogram();
  if (stored === '{}') return histogram;
  for (const text of stored.slice(1, -1).split(',')) {
    const entry = Number(text);
    const bucket = Math.round(entry / 2 ** 40);
    histogram[bucket] = (histogram[bucket] ?? 0) + entry - bucket * 2 ** 40;
  }
  return histogram;
}

export function addHistogram(histogram: Histogram, other: Histogram, times: 1 | -1 = 1): void {
  for (let bucket = 1; bucket < histogram.length; bucket += 1)
    histogram[bucket] = (histogram[bucket] as number) + times * (other[bucket] as number);
}

/** Returns for each of these shares, in ascending order, the duration that this share of the calls did not exceed. */
export function quantiles(histogram: Histogram, shares: readonly number[]): (number | null)[] {
  let calls = 0;
  for (let bucket = 1; bucket < histogram.length; bucket += 1) calls += histogram[bucket] as number;
  if (calls === 0) return shares.map(() => null);
  let bucket = 0;
  let counted = 0;
  return shares.map((share) => {
    const rank = Math.ceil(share * calls);
    while (counted < rank) {
      bucket += 1;
      counted += histogram[bucket] as number;
    }
    return Math.round(durationOf(bucket) * 10) / 10;
  });
}
