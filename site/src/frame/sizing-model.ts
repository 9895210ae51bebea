// What an installation needs, computed from the measured cost of each operation. docs/scaling.md explains it, and has a table that a
// test compares with this.

/** CPU time of one operation in microseconds, from docs/performance.md: two workers on PostgreSQL, with limits in Redis. */
const costs = {
  calls: { server: 531, postgres: 97, redis: 16 },
  sessions: { server: 709, postgres: 211, redis: 16 },
  deliveries: { server: 890, postgres: 665, redis: 0 },
};
/** Processors that are busier answer late when requests come in bursts. */
const BUSY = { server: 0.6, postgres: 0.5, redis: 0.5 };
const CALL_LOG_BYTES = 600;
const CONNECTIONS_PER_WORKER = 21;
const WORKERS_PER_REPLICA = 4;

/** Per second. */
export type Load = { calls: number; sessions: number; deliveries: number };

export type Size = {
  workers: number;
  replicas: number;
  postgres_cores: number;
  redis_cores: number;
  connections: number;
  log_gb_per_day: number;
  /** What it needs besides one process, in the order in which growing load asks for it. */
  additions: string[];
};

export function sizeFor(load: Load): Size {
  const cores = (part: keyof typeof BUSY) => {
    const used_us = (Object.keys(costs) as (keyof Load)[]).reduce(
      (sum, each) => sum + load[each] * costs[each][part],
      0,
    );
    return used_us / 1_000_000 / BUSY[part];
  };
  const workers = Math.max(1, Math.ceil(cores('server')));
  const postgres_cores = Math.max(1, Math.ceil(cores('postgres')));
  const size = {
    workers,
    replicas: workers === 1 ? 1 : Math.max(2, Math.ceil(workers / WORKERS_PER_REPLICA)),
    postgres_cores,
    redis_cores: cores('redis'),
    connections: workers * CONNECTIONS_PER_WORKER,
    log_gb_per_day: (load.calls * 86_400 * CALL_LOG_BYTES) / 1e9,
  };
  return { ...size, additions: additionsTo(size) };
}

function additionsTo(size: Omit<Size, 'additions'>): string[] {
  const additions: [boolean, string][] = [
    [size.workers > 1, 'workers or replicas, and Redis'],
    [size.log_gb_per_day > 100, 'a shorter call log, streamed to a column store'],
    [size.connections > 400, 'a connection pooler'],
    [size.redis_cores > 1, 'a Redis cluster'],
    [size.postgres_cores > 16, 'a distributed PostgreSQL'],
  ];
  return additions.flatMap(([is_needed, addition]) => (is_needed ? [addition] : []));
}
