// What the parts of the server report when they are asked: jobs, cache, database connections, rows that were not written.

import { Counter, Gauge, type Registry } from 'prom-client';

export type MetricSources = {
  /** Connections that exist, that are idle, and requests that wait for one. */
  pools: Record<'requests' | 'background', { totalCount: number; idleCount: number; waitingCount: number }>;
  cache: { statistics(): { hits: number; misses: number; entries: number; bytes: number } };
  /** By the name of the table. */
  batch_writer: { dropped(): Record<string, number> };
  /** Jobs that are due. Rejects while the database is unavailable. */
  readQueue(): Promise<{ kind: string; jobs: number; oldest_seconds: number }[]>;
  isUp(): boolean;
  /** Null without REDIS_URL. */
  isRedisUp: (() => boolean) | null;
  /** By how many milliseconds the wall clock is ahead of the database's. */
  readClockOffset(): number;
};

/** Await `refresh` before the registry is rendered. */
export function addServerMetrics(registry: Registry, sources: MetricSources): { refresh(): Promise<void> } {
  const registers = [registry];
  new Gauge({
    name: 'toolgate_database_up',
    help: '1 while the database responds.',
    aggregator: 'min',
    registers,
    collect() {
      this.set(sources.isUp() ? 1 : 0);
    },
  });
  new Gauge({
    name: 'toolgate_clock_offset_seconds',
    help: "How far this machine's clock is ahead of the database's, in seconds.",
    aggregator: 'max',
    registers,
    collect() {
      this.set(sources.readClockOffset() / 1000);
    },
  });
  addRedisMetric(registers, sources);
  addPoolMetrics(registers, sources.pools);
  addCacheMetrics(registers, sources.cache);
  addDroppedRows(registers, sources.batch_writer);
  return addQueueMetrics(registers, sources);
}

function addRedisMetric(registers: Registry[], { isRedisUp }: MetricSources): void {
  new Gauge({
    name: 'toolgate_redis_up',
    help: '1 while Redis counts the limits, 0 while this process counts them alone. No value without REDIS_URL.',
    // With a label, so that there can be no value.
    labelNames: ['use'],
    aggregator: 'min',
    registers,
    collect() {
      if (isRedisUp !== null) this.set({ use: 'limits' }, isRedisUp() ? 1 : 0);
    },
  });
}

function addPoolMetrics(registers: Registry[], pools: MetricSources['pools']): void {
  new Gauge({
    name: 'toolgate_database_connections',
    help: 'Database connections in use and idle.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, { totalCount, idleCount }] of Object.entries(pools)) {
        this.set({ pool, state: 'used' }, totalCount - idleCount);
        this.set({ pool, state: 'idle' }, idleCount);
      }
    },
  });
  new Gauge({
    name: 'toolgate_database_waiting',
    help: 'Queries waiting for a database connection.',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, { waitingCount }] of Object.entries(pools)) this.set({ pool }, waitingCount);
    },
  });
}

function addCacheMetrics(registers: Registry[], cache: MetricSources['cache']): void {
  new Counter({
    name: 'toolgate_cache_lookups_total',
    help: 'Cache lookups of credentials, tools and keys.',
    labelNames: ['result'],
    registers,
    collect() {
      const { hits, misses } = cache.statistics();
      this.reset();
      this.inc({ result: 'hit' }, hits);
      this.inc({ result: 'miss' }, misses);
    },
  });
  new Gauge({
    name: 'toolgate_cache_entries',
    help: 'Cache entries.',
    registers,
    collect() {
      this.set(cache.statistics().entries);
    },
  });
  new Gauge({
    name: 'toolgate_cache_bytes',
    help: 'Estimated memory of the cache.',
    registers,
    collect() {
      this.set(cache.statistics().bytes);
    },
  });
}

function addDroppedRows(registers: Registry[], batch_writer: MetricSources['batch_writer']): void {
  new Counter({
    name: 'toolgate_dropped_rows_total',
    help: 'Rows that were not written because the buffer was full or the database refused them.',
    labelNames: ['table'],
    registers,
    collect() {
      this.reset();
      for (const [table, count] of Object.entries(batch_writer.dropped())) this.inc({ table }, count);
    },
  });
}

function addQueueMetrics(registers: Registry[], { readQueue }: MetricSources): { refresh(): Promise<void> } {
  const jobs = new Gauge({
    name: 'toolgate_queue_jobs',
    help: 'Background jobs that are due and not claimed, counted up to 100,000.',
    labelNames: ['kind'],
    aggregator: 'max',
    registers,
  });
  const oldest = new Gauge({
    name: 'toolgate_queue_oldest_job_seconds',
    help: 'How long the oldest of these jobs has been due.',
    labelNames: ['kind'],
    aggregator: 'max',
    registers,
  });
  return {
    // While the database is unavailable these two have no value. The other metrics show why.
    async refresh() {
      const queue = await readQueue().catch(() => []);
      jobs.reset();
      oldest.reset();
      for (const { kind, jobs: count, oldest_seconds } of queue) {
        jobs.set({ kind }, count);
        oldest.set({ kind }, oldest_seconds);
      }
    },
  };
}
