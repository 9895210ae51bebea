// The metrics of all workers, in the primary process. A counter must not fall when a worker ends, so the last values of ended
// workers are kept.

import { AggregatorRegistry } from 'prom-client';
import type { MetricValues } from '../metrics/metrics.ts';

const RESPONSE_WITHIN_MS = 1_000;
const GROWING = ['counter', 'histogram'];

export type CollectedMetrics = {
  /** Asks these workers with `ask`. Resolves when all have responded, or after a second with what came until then. */
  collect(workers: number[], ask: (worker: number, id: number) => void): Promise<MetricValues[]>;
  /** Takes the values of a worker, as a response to a question or without one. */
  take(worker: number, values: MetricValues, id?: number): void;
  /** The worker has ended. */
  retire(worker: number): void;
};

export function createCollectedMetrics(): CollectedMetrics {
  const latest = new Map<number, MetricValues>();
  const questions = new Map<number, { missing: Set<number>; finish(): void }>();
  let retired: Promise<MetricValues> = Promise.resolve([]);
  let last_id = 0;

  return {
    async collect(workers, ask) {
      last_id += 1;
      const id = last_id;
      await new Promise<void>((finish) => {
        questions.set(id, { missing: new Set(workers), finish });
        setTimeout(finish, RESPONSE_WITHIN_MS).unref();
        for (const worker of workers) ask(worker, id);
        if (workers.length === 0) finish();
      });
      questions.delete(id);
      return [...latest.values(), await retired];
    },
    take(worker, values, id = 0) {
      latest.set(worker, values);
      const question = questions.get(id);
      question?.missing.delete(worker);
      if (question?.missing.size === 0) question.finish();
    },
    retire(worker) {
      const growing = (latest.get(worker) ?? []).filter(({ type }) => GROWING.includes(String(type)));
      latest.delete(worker);
      retired = retired.then(async (before) => (await sumOf([before, growing])) as MetricValues);
      for (const { missing, finish } of questions.values()) if (missing.delete(worker) && missing.size === 0) finish();
    },
  };
}

const sumOf = (all: MetricValues[]) => AggregatorRegistry.aggregate(all).getMetricsAsJSON();
