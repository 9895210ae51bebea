// The metrics of this process, for /metrics. docs/operations.md explains each of them. No label has a value that a customer chooses.

import { AggregatorRegistry, Counter, Registry } from 'prom-client';
import { type CallMetrics, createCallMetrics } from './call-metrics.ts';
import { addLogStreamMetrics, type LogStreamMetrics } from './log-stream-metrics.ts';
import { createPolicyMetrics, type PolicyMetrics } from './policy-metrics.ts';
import { addProcessMetrics } from './process-metrics.ts';
import { createRequestMetrics, type RequestMetrics } from './request-metrics.ts';
import { addServerMetrics, type MetricSources } from './server-metrics.ts';
import { createTaskMetrics, type TaskMetrics } from './task-metrics.ts';

export type Metrics = {
  requests: RequestMetrics;
  calls: CallMetrics;
  policies: PolicyMetrics;
  tasks: TaskMetrics;
  log_streams: LogStreamMetrics;
  /** The trace of a refused request was not recorded: there were too many. */
  countSkippedTrace(): void;
  /** The values of this process, for `renderAll` in another one. */
  collect(): Promise<MetricValues>;
  /** The Prometheus text format. */
  render(): Promise<RenderedMetrics>;
  close(): void;
};

export type MetricValues = { name: string; type: unknown }[];
export type RenderedMetrics = { content_type: string; text: string };

/** Renders the sum of what several processes collected; gauges say how they are combined. */
export async function renderAll(collected: MetricValues[]): Promise<RenderedMetrics> {
  const registry = AggregatorRegistry.aggregate(collected);
  return { content_type: registry.contentType, text: await registry.metrics() };
}

export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const requests = createRequestMetrics(registry);
  const calls = createCallMetrics(registry);
  const policies = createPolicyMetrics(registry);
  const tasks = createTaskMetrics(registry);
  const server = addServerMetrics(registry, sources);
  const log_streams = addLogStreamMetrics(registry);
  const own = addProcessMetrics(registry);
  const skipped = new Counter({
    name: 'toolgate_skipped_traces_total',
    help: 'Refused requests whose trace was not recorded because a project had too many with one code in a minute.',
    registers: [registry],
  });
  const collect = async (): Promise<MetricValues> => {
    await Promise.all([server.refresh(), policies.refresh(), tasks.refresh(), log_streams.refresh()]);
    own.refresh();
    const histograms = [...requests.histograms(), ...calls.histograms(), ...policies.histograms()];
    return [...(await registry.getMetricsAsJSON()), ...histograms];
  };
  return {
    requests,
    calls,
    policies,
    tasks,
    log_streams,
    countSkippedTrace: () => skipped.inc(),
    collect,
    render: async () => renderAll([await collect()]),
    close: own.close,
  };
}
