// Counts tool calls by transport, outcome and error code, and measures how long they and their stages take.

import { type Transport, transports } from '@toolgate/contract/analytics/rules.ts';
import { Counter, type Registry } from 'prom-client';
import { createHistogram, type HistogramValues } from './histogram.ts';

export type MeasuredCall = {
  transport: Transport;
  /** From errors.ts; null when the call succeeded. */
  error_code: string | null;
  /** It only asked a person to confirm it. */
  is_waiting: boolean;
  duration_ms: number;
  /** How long a person took to confirm it; null when nobody was asked. */
  waiting_ms: number | null;
  /** Null when no request was sent. */
  stages: { queue_ms: number; connect_ms: number; upstream_ms: number } | null;
};

export type CallMetrics = {
  record(call: MeasuredCall): void;
  histograms(): HistogramValues[];
};

type Outcome = 'succeeded' | 'failed' | 'waiting';

type Series = { labels: { transport: Transport; outcome: Outcome; code: string }; count: number };

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** People take seconds to hours. */
const WAITING_BUCKETS = [1, 5, 15, 30, 60, 300, 900, 3_600, 14_400, 43_200, 86_400];
const NO_CODE = 'none';

export function createCallMetrics(registry: Registry): CallMetrics {
  const by_transport: Record<Transport, Map<string, Series>> = { rest: new Map(), mcp: new Map() };
  // A rate needs the zero before the first call.
  for (const transport of transports) seriesOf(transport, 'succeeded', NO_CODE);
  new Counter({
    name: 'toolgate_tool_calls_total',
    help: 'Finished tool calls.',
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
    help: 'Duration of a tool call, from the lookup of the tool to the last byte of the response.',
    label_name: 'outcome',
    buckets: BUCKETS,
  });
  const observe: Record<Outcome, (seconds: number) => void> = {
    succeeded: durations.series('succeeded'),
    failed: durations.series('failed'),
    waiting: durations.series('waiting'),
  };
  const stages = createHistogram({
    name: 'toolgate_tool_call_stage_seconds',
    help: "Time a tool call spends waiting for a slot, connecting, and waiting for the customer's API.",
    label_name: 'stage',
    buckets: BUCKETS,
  });
  const waits = createHistogram({
    name: 'toolgate_tool_call_waiting_seconds',
    help: 'Time until a person approved a tool call that then ran.',
    label_name: 'transport',
    buckets: WAITING_BUCKETS,
  });
  const observeWait: Record<Transport, (seconds: number) => void> = {
    rest: waits.series('rest'),
    mcp: waits.series('mcp'),
  };
  const observeQueue = stages.series('queue');
  const observeConnect = stages.series('connect');
  const observeUpstream = stages.series('upstream');

  /** All calls that wait have the same code, which a failed one can have, too. */
  function seriesOf(transport: Transport, outcome: Outcome, code: string): Series {
    const key = outcome === 'waiting' ? outcome : code;
    let series = by_transport[transport].get(key);
    if (!series) {
      series = { labels: { transport, outcome, code }, count: 0 };
      by_transport[transport].set(key, series);
    }
    return series;
  }

  return {
    record({ transport, error_code, is_waiting, duration_ms, waiting_ms, stages: measured }) {
      const outcome = error_code === null ? 'succeeded' : is_waiting ? 'waiting' : 'failed';
      seriesOf(transport, outcome, error_code ?? NO_CODE).count += 1;
      observe[outcome](duration_ms / 1000);
      if (waiting_ms !== null) observeWait[transport](waiting_ms / 1000);
      if (measured === null) return;
      observeQueue(measured.queue_ms / 1000);
      observeConnect(measured.connect_ms / 1000);
      observeUpstream(measured.upstream_ms / 1000);
    },
    histograms: () => [durations.values(), stages.values(), waits.values()],
  };
}
