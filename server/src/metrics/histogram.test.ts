import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Histogram, Registry } from 'prom-client';
import { createHistogram } from './histogram.ts';
import { renderAll } from './metrics.ts';

const options = { name: 'seconds', help: 'Seconds.', buckets: [0.005, 0.1, 1, 60] };
const observed = { fast: [0, 0.001, 0.005, 0.0051], slow: [0.1, 1, 59.9, 60, 60.1, 1e9], none: [] };

test('a histogram is rendered exactly as one of prom-client, also before the first observation', async () => {
  const registry = new Registry();
  const theirs = new Histogram({ ...options, labelNames: ['kind'], registers: [registry] });
  const ours = createHistogram({ ...options, label_name: 'kind' });
  for (const [kind, values] of Object.entries(observed)) {
    theirs.zero({ kind });
    const observe = ours.series(kind);
    for (const value of values) {
      theirs.observe({ kind }, value);
      observe(value);
    }
  }
  assert.deepEqual(await renderAll([[ours.values()]]), await renderAll([await registry.getMetricsAsJSON()]));
});

test('the histograms of several processes are added up', async () => {
  const processes = [1, 2].map(() => createHistogram({ ...options, label_name: 'kind' }));
  for (const histogram of processes) histogram.series('fast')(0.01);
  const { text } = await renderAll(processes.map((histogram) => [histogram.values()]));
  assert.match(text, /^seconds_bucket\{le="0\.1",kind="fast"\} 2$/m);
  assert.match(text, /^seconds_count\{kind="fast"\} 2$/m);
});
