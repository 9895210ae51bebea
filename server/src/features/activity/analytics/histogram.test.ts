import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { useSeed } from '../../../../test/support/property-seed.ts';
import { addHistogram, bucketStarts, type Histogram, newHistogram, quantiles } from './histogram.ts';

useSeed();

const SHARES = [0.5, 0.95, 0.99];

function histogramOf(durations: number[]): Histogram {
  const histogram = newHistogram();
  for (const duration of durations) {
    const bucket = bucketStarts.findLastIndex((start) => start <= duration) + 1;
    histogram[bucket] = (histogram[bucket] ?? 0) + 1;
  }
  return histogram;
}

function trueQuantiles(durations: number[]): number[] {
  const sorted = durations.toSorted((a, b) => a - b);
  return SHARES.map((share) => sorted[Math.ceil(share * sorted.length) - 1] as number);
}

/** Small and large durations equally often. */
const duration = fc
  .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(20, 1000, 120_000, 1_000_000))
  .map(([share, most]) => Math.floor(share * most));
const durations = fc.array(duration, { minLength: 1, maxLength: 300 });

test('a quantile differs from the true one by at most 5 %', () => {
  fc.assert(
    fc.property(durations, (given) => {
      const expected = trueQuantiles(given);
      for (const [i, quantile] of quantiles(histogramOf(given), SHARES).entries()) {
        const exact = expected[i] as number;
        assert.ok(Math.abs((quantile as number) - exact) <= exact * 0.05, `${quantile} instead of ${exact}`);
      }
    }),
  );
});

test('a quantile below 20 ms is exact', () => {
  for (let ms = 0; ms < 20; ms += 1) assert.deepEqual(quantiles(histogramOf([ms]), SHARES), [ms, ms, ms]);
});

test('every bucket is at most 10 % wide', () => {
  for (const [i, first] of bucketStarts.slice(1, -1).entries()) {
    const last = (bucketStarts[i + 2] as number) - 1;
    assert.ok(last <= first * 1.1, `${first} to ${last}`);
  }
});

test('a merged histogram is that of all calls, and subtracting takes a part out again', () => {
  fc.assert(
    fc.property(durations, durations, (some, others) => {
      const merged = histogramOf(some);
      addHistogram(merged, histogramOf(others));
      assert.deepEqual(quantiles(merged, SHARES), quantiles(histogramOf([...some, ...others]), SHARES));
      addHistogram(merged, histogramOf(others), -1);
      assert.deepEqual(quantiles(merged, SHARES), quantiles(histogramOf(some), SHARES));
    }),
  );
});

test('a quantile of nothing is null', () => {
  assert.deepEqual(quantiles(newHistogram(), SHARES), [null, null, null]);
});
