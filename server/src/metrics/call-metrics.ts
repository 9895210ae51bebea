// Counts tool calls by transport, outcome and error code, and measures how long they and their stages take.

import { type Transport, transports } from '@toolgate/contract/analytics/rules.ts';
import { Counter, type Registry } from 'prom-client';
import { createHistogram, type HistogramValues } from './histogram.ts';

export type MeasuredCall = {
  transport: Transport;
  /** Of errors.ts; null when the call succeeded. */
  error_code: string | null;
  duration_ms: number;
  /** Null when no request was sent. */
  stages: { queue_ms: number; connect_ms: number; upstream_ms: number } | null;
};

export type CallMetrics = {
  record(call: MeasuredCall): void;
  histograms(): HistogramValues[];
};

type Series = { labels: { transport: Transport; outcome: 'succeeded' | 'failed'; code: string }; count: number };

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const NO_CODE = 'none';

export function createCallMetrics(registry: Registry): CallMetrics {
  const by_transport: Record<Transport, Map<string, Series>> = { rest: new Map(), mcp: new Map() };
  // A rate needs the zero before the first call.
  for (const transport of transports) seriesOf(transport, NO_CODE);
  new Counter({
    name: 'toolgate_tool_calls_total',
    help: 'Tool calls that ended.',
    labelNames: ['transport', 'outcome', 'code'],
    registers: [registry],
    collect() {
      this.reset();
      for (const transport of Object.values(by_transport))
        for (const { labels, count } of transport.values()) this.inc(labels, count);
    },
  });
  const durations = createHistogram({
    name: 'toolgate_tool_call_duration_seconds',
    help: 'Time of a tool call, from the lookup of the tool to the last byte of the response.',
    label_name: 'outcome',
    buckets: BUCKETS,
  });
  const [observeSuccess, observeFailure] = [durations.series('succeeded'), durations.series('failed')];
  const stages = createHistogram({
    name: 'toolgate_tool_call_stage_seconds',
    help: "Time of a tool call waiting for a slot, connecting, and waiting for the customer's API.",
    label_name: 'stage',
    buckets: BUCKETS,
  });
  const observeQueue = stages.series('queue');
  const observeConnect = stages.series('connect');
  const observeUpstream = stages.series('upstream');

  function seriesOf(transport: Transport, code: string): Series {
    let series = by_transport[transport].get(code);
    if (!series) {
      series = { labels: { transport, outcome: code === NO_CODE ? 'succeeded' : 'failed', code }, count: 0 };
      by_transport[transport].set(code, series);
    }
    return series;
  }

  return {
    record({ transport, error_code, duration_ms, stages: measured }) {
      seriesOf(transport, error_code ?? NO_CODE).count += 1;
      if (error_code === null) observeSuccess(duration_ms / 1000);
      else observeFailure(duration_ms / 1000);
      if (measured === null) return;
      observeQueue(measured.queue_ms / 1000);
      observeConnect(measured.connect_ms / 1000);
      observeUpstream(measured.upstream_ms / 1000);
    },
    histograms: () => [durations.values(), stages.values()],
  };
}
