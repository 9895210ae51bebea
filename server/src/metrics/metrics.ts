// The metrics of this process, for /metrics. docs/operations.md explains each of them. No label has a value that a customer chooses.

import { Counter, Registry } from 'prom-client';
import { type CallMetrics, createCallMetrics } from './call-metrics.ts';
import { addProcessMetrics } from './process-metrics.ts';
import { createRequestMetrics, type RequestMetrics } from './request-metrics.ts';
import { addServerMetrics, type MetricSources } from './server-metrics.ts';

export type Metrics = {
  requests: RequestMetrics;
  calls: CallMetrics;
  /** The trace of a refused request was not recorded: there were too many. */
  countSkippedTrace(): void;
  /** The Prometheus text format. */
  render(): Promise<{ content_type: string; text: string }>;
  close(): void;
};

export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const requests = createRequestMetrics(registry);
  const calls = createCallMetrics(registry);
  const server = addServerMetrics(registry, sources);
  const own = addProcessMetrics(registry);
  const skipped = new Counter({
    name: 'toolgate_skipped_traces_total',
    help: 'Refused requests whose trace was not recorded, because a project had too many with one code in a minute.',
    registers: [registry],
  });
  return {
    requests,
    calls,
    countSkippedTrace: () => skipped.inc(),
    async render() {
      await server.refresh();
      own.refresh();
      return { content_type: registry.contentType, text: await registry.metrics() };
    },
    close: own.close,
  };
}
