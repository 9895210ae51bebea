// Memory, CPU and event loop of this process, under the names that prom-client gives them, so that common dashboards work. Its own
// collectDefaultMetrics() uses undocumented functions of Node, and observes every garbage collection.

import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, type Registry } from 'prom-client';

/** Each sample wakes the process, also when it is idle. */
const RESOLUTION_MS = 100;

/** Call `refresh` before the registry is rendered. */
export function addProcessMetrics(registry: Registry): { refresh(): void; close(): void } {
  const gauge = (name: string, help: string, read: () => number, aggregator: 'sum' | 'max' = 'sum') =>
    new Gauge({
      name,
      help,
      aggregator,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of the process, user and system.',
    registers: [registry],
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  gauge(
    'process_start_time_seconds',
    'Start of the process, in Unix seconds.',
    () => performance.timeOrigin / 1000,
    'max',
  );
  gauge('toolgate_worker_processes', 'Processes that these metrics cover.', () => 1);
  gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
  gauge('nodejs_heap_size_used_bytes', 'Used V8 heap.', () => process.memoryUsage().heapUsed);
  gauge('nodejs_heap_size_total_bytes', 'Size of the V8 heap.', () => process.memoryUsage().heapTotal);
  gauge('nodejs_external_memory_bytes', 'Memory of buffers outside of the heap.', () => process.memoryUsage().external);
  if (process.platform === 'linux')
    gauge(
      'process_open_fds',
      'Open file descriptors: connections and files.',
      () => readdirSync('/proc/self/fd').length,
    );
  return addEventLoopMetrics(registry);
}

/** How late timers fire: the time in which nothing else could run. Since the last scrape. */
function addEventLoopMetrics(registry: Registry): { refresh(): void; close(): void } {
  const registers = [registry];
  const lag = (name: string) =>
    new Gauge({
      name: `nodejs_eventloop_lag_${name}_seconds`,
      help: `Event loop delay since the last scrape: ${name}.`,
      aggregator: 'max',
      registers,
    });
  const [p50, p99, max] = [lag('p50'), lag('p99'), lag('max')];
  const utilization = new Gauge({
    name: 'nodejs_eventloop_utilization',
    help: 'Share of time since the last scrape in which the event loop was busy, from 0 to 1.',
    aggregator: 'max',
    registers,
  });
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  // The time between two timers is measured. Without a sample it is 0 or NaN.
  const lateness = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000) || 0;
  let last = performance.eventLoopUtilization();
  return {
    refresh() {
      const now = performance.eventLoopUtilization();
      utilization.set(performance.eventLoopUtilization(now, last).utilization);
      last = now;
      p50.set(lateness(delay.percentile(50)));
      p99.set(lateness(delay.percentile(99)));
      max.set(lateness(delay.max));
      delay.reset();
    },
    close: () => void delay.disable(),
  };
}
