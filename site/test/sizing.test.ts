// The model behind docs/scaling.md and its calculator.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Load, sizeFor } from '../src/frame/sizing-model.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/scaling.md'), 'utf8');

/** A twentieth as many sessions and deliveries as calls, as the page says. */
const loadOf = (calls: number): Load => ({ calls, sessions: calls / 20, deliveries: calls / 20 });

test('docs/scaling.md has the table that the model computes', () => {
  const lines = [100, 1_000, 10_000, 100_000].map((calls) => {
    const { workers, replicas, postgres_cores, connections, log_gb_per_day, additions } = sizeFor(loadOf(calls));
    const gb = log_gb_per_day.toLocaleString('en', { maximumFractionDigits: 0 });
    const figures = [calls, workers, replicas, postgres_cores, connections].map((value) => value.toLocaleString('en'));
    return `| ${figures.join(' | ')} | ${gb} GB | ${additions.join('; ') || 'nothing'} |`;
  });
  assert.ok(page.includes(lines.join('\n')), lines.join('\n'));
});

test('more load never needs less, and no load needs one process', () => {
  const { workers, replicas, postgres_cores } = sizeFor({ calls: 0, sessions: 0, deliveries: 0 });
  assert.deepEqual([workers, replicas, postgres_cores], [1, 1, 1]);
  let last = sizeFor(loadOf(0));
  for (let calls = 1; calls < 1_000_000; calls *= 3) {
    const next = sizeFor(loadOf(calls));
    for (const key of ['workers', 'replicas', 'postgres_cores', 'connections', 'log_gb_per_day'] as const)
      assert.ok(next[key] >= last[key], `${key} at ${calls} calls`);
    last = next;
  }
});
