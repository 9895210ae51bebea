// Counts HTTP requests by method, route template and status, and measures their durations by the kind of route.

import { Counter, type Registry } from 'prom-client';
import { createHistogram, type HistogramValues } from './histogram.ts';

/** The kinds of routes whose durations differ: an MCP request, a tool call over REST, and everything else. */
export type RouteKind = 'mcp' | 'execute' | 'api';

export type RecordRequest = (method: string, status: number, seconds: number) => void;

export type RequestMetrics = {
  /** For one route. `url` is its template, never a path that a client sent. */
  forRoute(url: string, kind: RouteKind): RecordRequest;
  histograms(): HistogramValues[];
};

type Series = { labels: { method: string; route: string; status: string }; count: number };

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Node accepts about 30 more, and a client chooses which. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function createRequestMetrics(registry: Registry): RequestMetrics {
  const all: Series[] = [];
  new Counter({
    name: 'toolgate_http_requests_total',
    help: 'HTTP requests that got a response. Those whose client disconnected first have the status 499.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels, count } of all) this.inc(labels, count);
    },
  });
  const durations = createHistogram({
    name: 'toolgate_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its response.',
    label_name: 'kind',
    buckets: BUCKETS,
  });
  const observe = { mcp: durations.series('mcp'), execute: durations.series('execute'), api: durations.series('api') };

  function forRoute(route: string, kind: RouteKind): RecordRequest {
    const observeDuration = observe[kind];
    const by_method = new Map<string, Map<number, Series>>();
    return (given, status, seconds) => {
      const method = METHODS.has(given) ? given : 'other';
      let by_status = by_method.get(method);
      if (!by_status) {
        by_status = new Map();
        by_method.set(method, by_status);
      }
      let series = by_status.get(status);
      if (!series) {
        series = { labels: { method, route, status: String(status) }, count: 0 };
        by_status.set(status, series);
        all.push(series);
      }
      series.count += 1;
      observeDuration(seconds);
    };
  }

  return { forRoute, histograms: () => [durations.values()] };
}
