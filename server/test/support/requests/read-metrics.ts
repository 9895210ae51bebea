// Reads the Prometheus text format: name and labels of each series, as they are written, with its value.

import type { TestServer } from '../servers/start-server.ts';

type Metrics = Map<string, number>;

export async function readMetrics(server: Pick<TestServer, 'api'>, key: string): Promise<Metrics> {
  const { status, text } = await server.api('GET', '/metrics', { key });
  if (status !== 200) throw new Error(`/metrics: ${status} ${text}`);
  return parseMetrics(text);
}

function parseMetrics(text: string): Metrics {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const [, series = '', value = ''] = /^(\S+(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
      if (series === '') throw new Error(`not a sample: ${line}`);
      return [series, Number(value.replace('Inf', 'Infinity'))];
    }),
  );
}

/** The sum over all series of a metric that have these labels. */
export function sumOf(metrics: Metrics, name: string, labels = ''): number {
  return [...metrics]
    .filter(([series]) => series.replace(/\{.*/, '') === name && series.includes(labels))
    .reduce((sum, [, value]) => sum + value, 0);
}
