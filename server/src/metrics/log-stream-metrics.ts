// How far each log stream is behind, and why it fails. Read from the database when the metrics are, so every process has the same.

import { Gauge, type Registry } from 'prom-client';

export type LogStreamSample = {
  labels: { stream_id: string; project_id: string; kind: string; source: string };
  lag_seconds: number;
  /** The code of its last error; null: its last attempt succeeded. */
  error: string | null;
};

export type LogStreamMetrics = {
  /** Without it there are no values. */
  setReader(read: () => Promise<LogStreamSample[]>): void;
};

/** Await `refresh` before the registry is rendered. */
export function addLogStreamMetrics(registry: Registry): LogStreamMetrics & { refresh(): Promise<void> } {
  const labelNames = ['stream_id', 'project_id', 'kind', 'source'];
  const lag = new Gauge({
    name: 'toolgate_log_stream_lag_seconds',
    help: "Age of the oldest entry that a log stream's receiver has not accepted; 0 if it accepted all of them.",
    labelNames,
    aggregator: 'max',
    registers: [registry],
  });
  const failing = new Gauge({
    name: 'toolgate_log_stream_failing',
    help: '1 for a log stream whose last attempt failed, by the code of its last error. No value while it succeeds.',
    labelNames: [...labelNames, 'error'],
    aggregator: 'max',
    registers: [registry],
  });
  let read: () => Promise<LogStreamSample[]> = async () => [];
  return {
    setReader(reader) {
      read = reader;
    },
    // While the database is unavailable there is no value.
    async refresh() {
      const samples = await read().catch(() => []);
      lag.reset();
      failing.reset();
      for (const { labels, lag_seconds, error } of samples) {
        lag.set(labels, lag_seconds);
        if (error !== null) failing.set({ ...labels, error }, 1);
      }
    },
  };
}
