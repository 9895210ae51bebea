// Histograms of durations, counted in plain numbers. prom-client's Histogram validates and hashes the labels at every observation;
// here that is done when the metrics are read. The values have the form of prom-client's `getMetricsAsJSON()`.

export type Histogram = {
  /** The series with this value of the label. It is shown from now on, as zero until something is observed. */
  series(label: string): Observe;
  values(): HistogramValues;
};

export type Observe = (seconds: number) => void;

export type HistogramValues = {
  name: string;
  help: string;
  type: 'histogram';
  aggregator: 'sum';
  values: { metricName: string; labels: Record<string, string | number>; value: number }[];
};

/** `counts` has one number for each bucket, and the last one for what is above all of them. */
type Series = { label: string; counts: number[]; sum: number };

export function createHistogram(options: {
  name: string;
  help: string;
  label_name: string;
  /** The upper bounds of the buckets, in ascending order. */
  buckets: readonly number[];
}): Histogram {
  const { name, help, label_name, buckets } = options;
  const all: Series[] = [];

  function valuesOf({ label, counts, sum }: Series): HistogramValues['values'] {
    let count = 0;
    const bounds = [...buckets, '+Inf'].map((le, i) => {
      count += counts[i] as number;
      return { metricName: `${name}_bucket`, labels: { le, [label_name]: label }, value: count };
    });
    const labels = { [label_name]: label };
    return [
      ...bounds,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }

  return {
    series(label) {
      const series: Series = { label, counts: Array<number>(buckets.length + 1).fill(0), sum: 0 };
      all.push(series);
      return (seconds) => {
        let i = 0;
        while (i < buckets.length && seconds > (buckets[i] as number)) i += 1;
        series.counts[i] = (series.counts[i] as number) + 1;
        series.sum += seconds;
      };
    },
    values: () => ({ name, help, type: 'histogram', aggregator: 'sum', values: all.flatMap(valuesOf) }),
  };
}
