// The latency of one tool's calls, and the memory, while 1,000 calls of a tool at another address hang.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { makeAuthority } from '../../server/test/certificates.ts';
import { startCustomer } from '../customer.ts';
import { drive, finish, type Request, report } from '../measure.ts';
import { type Child, main, residentMb, startChild } from '../processes.ts';
import { sampleArguments, sampleTool } from '../sample-tool.ts';
import { median } from '../statistics.ts';

const ROOT_KEY = 'root-key-of-the-bench-0123456789-abcdefghijk';
const HANGING = 1_000;

const body = JSON.stringify({ arguments: sampleArguments });

async function post(url: string, path: string, key: string, fields: object): Promise<{ id: string; key: string }> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { id: string; key: string };
}

const execute = (key: string, tool: string): Request => ({
  path: `/api/v1/custom-tools/${tool}/execute`,
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body,
});

/** Sequential calls for three seconds, long enough to average over the machine's other load. */
async function latencies(pool: Pool, { path, headers = {} }: Request): Promise<number[]> {
  const durations: number[] = [];
  for (const end = performance.now() + 3_000; performance.now() < end; ) {
    const began = performance.now();
    const answer = await pool.request({ path, method: 'POST', headers, body });
    await answer.body.dump();
    durations.push(performance.now() - began);
  }
  return durations;
}

async function bench({ url, pid }: Child, origin: string, hanging_origin: string): Promise<void> {
  const plan = { plan: 'enterprise', requests_per_hour: 1_000_000_000 };
  const { id } = await post(url, '/projects', ROOT_KEY, { name: 'bench', ...plan });
  const { key } = await post(url, `/projects/${id}/api-keys`, ROOT_KEY, { name: 'bench', permissions: ['admin'] });
  const quick = execute(key, (await post(url, '/custom-tools', key, sampleTool(0, origin))).id);
  const hanging_tool = { ...sampleTool(1, hanging_origin), endpoint_path: '/hang', timeout_ms: 10_000 };
  const slow = execute(key, (await post(url, '/custom-tools', key, hanging_tool)).id);
  const [pool, hangingPool] = [new Pool(url, { connections: 1 }), new Pool(url, { connections: HANGING })];
  await latencies(pool, quick); // warm-up for the compiler
  const alone = await latencies(pool, quick);
  const memory = residentMb(pid);
  const hanging = Array.from({ length: HANGING }, async () => {
    const { path, headers = {} } = slow;
    const answer = await hangingPool.request({ path, method: 'POST', headers, body });
    await answer.body.dump();
    return answer.statusCode;
  });
  await sleep(1_000);
  const during = await latencies(pool, quick);
  report('resident memory while 1,000 calls hang', residentMb(pid), ' MB');
  // Timed out, or refused by the circuit breaker after the first time-outs.
  const others = (await Promise.all(hanging)).filter((status) => status !== 500 && status !== 503);
  if (others.length > 0) throw new Error(`hanging calls ended with ${others.join(', ')}`);
  await hangingPool.close();
  await drive(url, 5_000, () => quick);
  alone.push(...(await latencies(pool, quick)));
  report("latency of another tool's call", median(alone), ' ms');
  report('the same while 1,000 calls hang, compared with that', median(during) / median(alone), ' x', 1.5);
  report('resident memory after them, compared with before', residentMb(pid) / memory, ' x', 1.3);
  await pool.close();
}

const data = mkdtempSync(join(tmpdir(), 'toolgate-bench-'));
chmodSync(data, 0o755);
const authority = makeAuthority();
const [customer, stuck] = [await startCustomer(data, authority), await startCustomer(data, authority)];
try {
  const server = await startChild(main, {
    NODE_EXTRA_CA_CERTS: customer.authority_file,
    TOOLGATE_DATA_DIR: join(data, 'data'),
    TOOLGATE_ROOT_KEY: ROOT_KEY,
    TOOLGATE_MAX_CONNECTIONS_PER_ADDRESS: '2000', // all of them come from one address
    TOOLGATE_EGRESS_ALLOW: `${customer.address},${stuck.address}`,
  });
  await bench(server, customer.origin, stuck.origin);
  await server.stop();
} finally {
  for (const each of [customer, stuck]) await each.stop();
  rmSync(data, { recursive: true, force: true });
}
finish();
