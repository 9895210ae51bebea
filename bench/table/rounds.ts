// Measures all targets of a part in turn, round after round, so that other load on the machine affects each of them alike.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Load, Template } from '../load.ts';
import { cpuOf, postgresProcesses, residentMb, serverProcesses } from '../processes.ts';
import { median, quantile } from '../statistics.ts';
import type { Store } from './stores.ts';

export type Server = {
  url: string;
  pid: number;
  /** An external PostgreSQL or Redis; the embedded PostgreSQL is found by itself. */
  stores: Store[];
  stop(): Promise<void>;
};

export type Target = {
  operation: string;
  name: string;
  server: Server;
  template: Template;
  /** New values before each burst, for requests that are accepted once. A burst has as many requests as values. */
  fresh?: () => Record<string, string[]>;
  /** Requests that the warm-up has at least, 15,000 if it is not stated: the JIT compiler needs them, however slow the machine is. */
  warm_up?: number;
  /** How often the server had to load what its cache did not have. */
  readMisses?: () => Promise<number>;
};

/** One figure for each round. */
type Rounds = {
  cpu_us: number[];
  store_us: number[];
  per_second: number[];
  generator_us: number[];
  customer_us: number[];
  /** Loads of the cache for one request. Empty where they are not read. */
  misses: number[];
};

/** One line of the table. */
export type Row = Rounds & {
  operation: string;
  name: string;
  p50_ms: number;
  p99_ms: number;
  /** The median of requests that were sent one after the other. */
  alone_ms: number;
  memory_mb: number;
};
export type AbsentRow = { operation: string; name: string; absent: string };

export type Plan = {
  warm_up_ms: number;
  /** At most so many requests are demanded of a warm-up. */
  least: number;
  rounds: number;
  round_ms: number;
  /** Requests of a round that are sent one after the other. */
  alone: number;
};
export const fullPlan: Plan = { warm_up_ms: 3_000, least: 100_000, rounds: 7, round_ms: 500, alone: 40 };
/** Shows that everything works. Its figures mean nothing. */
export const quickPlan: Plan = { warm_up_ms: 100, least: 0, rounds: 1, round_ms: 100, alone: 5 };

const CONNECTIONS = 16;
const MAX_COUNT = 50_000;
const MAX_WARM_UP_MS = 120_000;
const LEAST_WARM_UP = 15_000;
/** Before each round, unmeasured: a server that paused for seconds opens connections again, and collects its garbage. */
const LEAD_MS = 200;
/** Longer than the batch writer waits, so that the rows of a burst are written in the time that is measured. */
const FLUSHED_AFTER_MS = 300;

export type Bench = { load: Load; plan: Plan; customer_pid: number; progress(line: string): void };

type Entry = Target & { id: string; rounds: Rounds; latencies: number[]; alone: number[] };

export async function measure(bench: Bench, targets: Target[]): Promise<Row[]> {
  const { load, plan, progress } = bench;
  const entries = targets.map((target, i): Entry => {
    const rounds = { cpu_us: [], store_us: [], per_second: [], generator_us: [], customer_us: [], misses: [] };
    return { ...target, id: String(i), rounds, latencies: [], alone: [] };
  });
  for (const entry of entries) {
    progress(`${entry.operation}, ${entry.name}: warm-up`);
    load.define(entry.id, entry.template);
    await warmUp(bench, entry);
  }
  for (let round = 1; round <= plan.rounds; round += 1) {
    progress(`${targets[0]?.operation}: round ${round} of ${plan.rounds}, ${targets.length} servers in turn`);
    for (const entry of entries) await measureRound(bench, entry);
  }
  return entries.map(rowOf);
}

async function warmUp(bench: Bench, entry: Entry): Promise<void> {
  const [began, { warm_up_ms, least }] = [performance.now(), bench.plan];
  for (let sent = 0; ; ) {
    sent += (await sendBurst(bench, entry, CONNECTIONS, warm_up_ms)).latencies.length;
    const elapsed_ms = performance.now() - began;
    if (
      elapsed_ms > MAX_WARM_UP_MS ||
      (elapsed_ms >= warm_up_ms && sent >= Math.min(entry.warm_up ?? LEAST_WARM_UP, least))
    )
      return;
  }
}

async function sendBurst({ load }: Bench, entry: Entry, connections: number, max_ms: number, most = MAX_COUNT) {
  const { id, template, fresh, server } = entry;
  const values = fresh?.();
  if (values) load.define(id, { ...template, values });
  const available = values ? Math.min(...Object.values(values).map((list) => list.length)) : most;
  return load.send({ id, url: server.url, connections, count: Math.min(available, most), max_ms });
}

async function measureRound(bench: Bench, entry: Entry): Promise<void> {
  const { plan, customer_pid } = bench;
  const { server, rounds } = entry;
  const storeProcesses = () => [server, ...server.stores].flatMap(({ pid }) => postgresProcesses(pid));
  const redis = server.stores.filter(({ url }) => url.startsWith('redis:')).map(({ pid }) => pid);
  const read = () =>
    [serverProcesses(server.pid), [...storeProcesses(), ...redis], [customer_pid]].map(cpuOf) as [
      number,
      number,
      number,
    ];
  await sendBurst(bench, entry, CONNECTIONS, Math.min(LEAD_MS, plan.round_ms));
  await sleep(FLUSHED_AFTER_MS);
  const misses_before = await entry.readMisses?.();
  const before = read();
  const { latencies, elapsed_ms, generator_ms } = await sendBurst(bench, entry, CONNECTIONS, plan.round_ms);
  await sleep(FLUSHED_AFTER_MS);
  const after = read();
  const perRequest = (ms: number) => (ms * 1000) / latencies.length;
  rounds.cpu_us.push(perRequest(after[0] - before[0]));
  rounds.store_us.push(perRequest(after[1] - before[1]));
  rounds.customer_us.push(perRequest(after[2] - before[2]));
  rounds.generator_us.push(perRequest(generator_ms));
  rounds.per_second.push((latencies.length * 1000) / elapsed_ms);
  if (entry.readMisses && misses_before !== undefined)
    rounds.misses.push(((await entry.readMisses()) - misses_before) / latencies.length);
  entry.latencies.push(...latencies);
  const alone = await sendBurst(bench, entry, 1, plan.round_ms, plan.alone);
  entry.alone.push(...alone.latencies);
}

function rowOf({ operation, name, server, rounds, latencies, alone }: Entry): Row {
  return {
    operation,
    name,
    ...rounds,
    p50_ms: quantile(latencies, 0.5),
    p99_ms: quantile(latencies, 0.99),
    alone_ms: median(alone),
    memory_mb: serverProcesses(server.pid).reduce((sum, pid) => sum + residentMb(pid), 0),
  };
}
