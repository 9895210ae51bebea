// What /metrics shows of the log streams of all projects.

import type { App } from '../../../app.ts';
import type { LogStreamSample } from '../../../metrics/log-stream-metrics.ts';
import { lagsOf } from './lag.ts';
import { selectForMetrics } from './store.ts';

/** So many have metrics, those that fail first. */
const MAX_STREAMS = 500;

export async function readForMetrics(app: App): Promise<LogStreamSample[]> {
  const { database } = app.background;
  const streams = await selectForMetrics(database, MAX_STREAMS);
  const lags = await lagsOf({ database, now: app.now }, streams);
  return streams.map(({ id, project_id, kind, source, failing_since, last_error }, i) => ({
    labels: { stream_id: id, project_id, kind, source },
    lag_seconds: lags[i] ?? 0,
    error: failing_since === null ? null : (last_error?.code ?? null),
  }));
}
