// What the limits cost for a request when they are counted in Redis or in PostgreSQL, compared with counts in memory. The request
// itself needs no query: its credential is cached.

import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'undici';
import { startEmbedded } from '../server/src/database/embedded.ts';
import { type Child, compare, finish, freePort, median, report, startChild } from './measure.ts';

const ROOT_KEY = 'root-key-of-the-bench-0123456789-abcdefghijk';
const MASTER_KEYS = `b1:${Buffer.alloc(32, 7).toString('base64')}`;
const main = join(import.meta.dirname, '../server/src/main.ts');
const data = mkdtempSync(join(tmpdir(), 'toolgate-bench-'));
chmodSync(data, 0o755);

const WARM_UP = 10_000;
const LATENCY_ROUNDS = 40;
const LATENCY_ROUND = 50;

type Server = Child & { path: string; headers: Record<string, string> };

async function start(environment: Record<string, string>): Promise<Server> {
  const child = await startChild(main, { TOOLGATE_ROOT_KEY: ROOT_KEY, TOOLGATE_WORKERS: '1', ...environment });
  const api = async (path: string, body: object): Promise<any> => {
    const headers = { authorization: `Bearer ${ROOT_KEY}`, 'content-type': 'application/json' };
    return (await fetch(`${child.url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  };
  const project = await api('/projects', { name: 'bench', plan: 'enterprise', requests_per_hour: 1_000_000_000 });
  const { key } = await api(`/projects/${project.id}/api-keys`, { name: 'bench', permissions: ['read'] });
  return { ...child, path: `/api/v1/projects/${project.id}/usage`, headers: { authorization: `Bearer ${key}` } };
}

/** Milliseconds of one request after another, for each server. */
async function latencies(servers: Server[]): Promise<number[][]> {
  const clients = servers.map(({ url }) => new Client(url));
  const times = servers.map(() => [] as number[]);
  for (let round = 0; round < LATENCY_ROUNDS; round += 1)
    for (const [i, { path, headers }] of servers.entries())
      for (let n = 0; n < LATENCY_ROUND; n += 1) {
        const began = performance.now();
        const { body } = await (clients[i] as Client).request({ path, method: 'GET', headers });
        await body.dump();
        times[i]?.push(performance.now() - began);
      }
  for (const client of clients) await client.close();
  return times;
}

async function run(redis_url: string, database_url: string): Promise<void> {
  const local = await start({ TOOLGATE_DATA_DIR: join(data, 'local') });
  const external = { DATABASE_URL: database_url, TOOLGATE_MASTER_KEYS: MASTER_KEYS };
  const redis = await start({ ...external, REDIS_URL: redis_url });
  const postgres = await start(external);
  const servers = [local, redis, postgres];
  const contenders = servers.map((child) => ({ child, make: () => ({ path: child.path, headers: child.headers }) }));
  const check = async (child: Child, { path, headers = {} }: { path: string; headers?: Record<string, string> }) => {
    const { status } = await fetch(child.url + path, { headers });
    if (status !== 200) throw new Error(`status ${status}`);
  };
  const [inMemory = [], inRedis = [], inPostgres = []] = await compare(contenders, { check, warm_up: WARM_UP });
  const added = (costs: number[]) => median(costs.map((cost, round) => cost - (inMemory[round] as number)));
  report('CPU of a request with limits in memory', median(inMemory), ' µs');
  report('limits in Redis add, CPU', added(inRedis), ' µs', 60);
  report('limits in PostgreSQL add, CPU', added(inPostgres), ' µs', 120);

  const [fast = [], withRedis = [], withPostgres = []] = await latencies(servers);
  report('latency with limits in memory', median(fast), ' ms');
  report('limits in Redis add, latency', median(withRedis) - median(fast), ' ms', 1);
  report('limits in PostgreSQL add, latency', median(withPostgres) - median(fast), ' ms', 2);
  for (const server of servers) await server.stop();
}

const port = await freePort();
const redis = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', data], {
  stdio: 'ignore',
});
redis.on('error', () => {
  process.stderr.write('redis-server is not installed\n');
  process.exit(1);
});
const store = join(data, 'postgres');
mkdirSync(store, { mode: 0o755 });
const embedded = await startEmbedded({ data_dir: store, log: () => {} });
const { user, password, host, port: database_port, database } = embedded.connection;
try {
  const address = `host=${encodeURIComponent(host)}&port=${database_port}`;
  const url = `postgres://${user}:${encodeURIComponent(password)}@/${database}?${address}`;
  await run(`redis://127.0.0.1:${port}`, url);
} finally {
  redis.kill();
  await embedded.stop();
  rmSync(data, { recursive: true, force: true });
}
finish();
