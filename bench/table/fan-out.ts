// The webhook fan-out: each change of a project is delivered to 10 webhooks. All figures are for one delivery; the latency is the
// age of an event when it arrives.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Template } from '../load.ts';
import { cpuOf, postgresProcesses, residentMb, serverProcesses } from '../processes.ts';
import { median, quantile } from '../statistics.ts';
import { startEmbeddedGateway, startPeer } from './gateway.ts';
import type { Row, Server } from './rounds.ts';
import { makeWebhooks, type Project } from './seed.ts';
import type { Site } from './site.ts';

const ENDPOINTS = 10;
const CHANGES = 100;
const CONNECTIONS = 4;

type Sender = { name: string; server: Server; row: Row; ages: number[]; alone: number[] };

function changes(project_id: string, key: string): Template {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const names = Array.from({ length: 1_000 }, (_, i) => `name ${i}`);
  const body = JSON.stringify({ name: '{{name}}' });
  return {
    method: 'PATCH',
    path: `/api/v1/projects/${project_id}`,
    headers,
    body,
    values: { name: names },
    expected: 'name',
  };
}

export async function measureFanOut(site: Site): Promise<Row[]> {
  const { customer, unsigned } = site;
  const ours = await startEmbeddedGateway(site, { from: site.seeded, to: 'fan-out' });
  await addWebhooks(site, ours, unsigned.id);
  const UPSTREAM = `${customer.origin}/hook`;
  const bare = await startPeer(site, 'bare-sender.ts', { UPSTREAM, ENDPOINTS: String(ENDPOINTS) });
  const senders = { toolgate: ours, 'bare Node sender, nothing stored': bare };
  try {
    return await measureSenders(site, { operation: 'webhook fan-out', project: unsigned, senders });
  } finally {
    for (const server of [ours, bare]) await server.stop();
  }
}

export const addWebhooks = ({ customer }: Site, { url }: Server, project_id: string) =>
  makeWebhooks(url, project_id, customer.origin, ENDPOINTS);

type Senders = { operation: string; project: Project; senders: Record<string, Server> };

/** All of them have the project, with its webhooks. */
export async function measureSenders(site: Site, { operation, project, senders: servers }: Senders): Promise<Row[]> {
  const { bench } = site;
  const senders = Object.entries(servers).map(([name, server]) => makeSender(operation, name, server));
  bench.load.define('change', changes(project.id, project.keys[0] as string));
  for (const sender of senders) await deliver(site, sender, CHANGES, CONNECTIONS); // warm-up
  for (let round = 1; round <= bench.plan.rounds; round += 1) {
    bench.progress(`${operation}: round ${round} of ${bench.plan.rounds}`);
    for (const sender of senders) await measureRound(site, sender);
  }
  return senders.map(finishRow);
}

function makeSender(operation: string, name: string, server: Server): Sender {
  const rounds = { cpu_us: [], store_us: [], per_second: [], generator_us: [], customer_us: [], misses: [] };
  const latency = { p50_ms: Number.NaN, p99_ms: Number.NaN, alone_ms: Number.NaN, memory_mb: Number.NaN };
  return { name, server, row: { operation, name, ...rounds, ...latency }, ages: [], alone: [] };
}

/** Returns how long it took until all deliveries arrived, in milliseconds, and the CPU of the load generator. */
async function deliver({ bench, customer }: Site, { server }: Sender, count: number, connections: number) {
  const expected = (await customer.received()) + count * ENDPOINTS;
  const began = performance.now();
  const { generator_ms } = await bench.load.send({ id: 'change', url: server.url, connections, count, max_ms: 30_000 });
  await customer.untilReceived(expected);
  return { elapsed_ms: performance.now() - began, generator_ms };
}

async function measureRound(site: Site, sender: Sender): Promise<void> {
  const { customer } = site;
  const { server, row } = sender;
  const stores = () => [server, ...server.stores].flatMap(({ pid }) => postgresProcesses(pid));
  const read = () => [serverProcesses(server.pid), stores(), [customer.pid]].map(cpuOf) as [number, number, number];
  await customer.takeAges();
  const before = read();
  const { elapsed_ms, generator_ms } = await deliver(site, sender, CHANGES, CONNECTIONS);
  await sleep(300); // the results of the last deliveries are stored
  const after = read();
  const count = CHANGES * ENDPOINTS;
  row.cpu_us.push(((after[0] - before[0]) * 1000) / count);
  row.store_us.push(((after[1] - before[1]) * 1000) / count);
  row.customer_us.push(((after[2] - before[2]) * 1000) / count);
  row.generator_us.push((generator_ms * 1000) / count);
  row.per_second.push((count * 1000) / elapsed_ms);
  sender.ages.push(...(await customer.takeAges()));
  await deliver(site, sender, 5, 1);
  sender.alone.push(...(await customer.takeAges()));
}

function finishRow({ row, server, ages, alone }: Sender): Row {
  const memory_mb = serverProcesses(server.pid).reduce((sum, pid) => sum + residentMb(pid), 0);
  return { ...row, p50_ms: quantile(ages, 0.5), p99_ms: quantile(ages, 0.99), alone_ms: median(alone), memory_mb };
}
