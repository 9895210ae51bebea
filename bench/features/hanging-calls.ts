// The latency of one tool's calls, and the memory, while 1,000 calls of a tool at another address hang.

import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { post } from '../api.ts';
import { drive, finish, type Request, report } from '../measure.ts';
import { type Child, residentMb } from '../processes.ts';
import { sampleArguments, sampleTool } from '../sample-tool.ts';
import { median } from '../statistics.ts';
import { makeAdminKey, withTwoCustomers } from '../two-customers.ts';

const HANGING = 1_000;

const body = JSON.stringify({ arguments: sampleArguments });

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
    const response = await pool.request({ path, method: 'POST', headers, body });
    await response.body.dump();
    durations.push(performance.now() - began);
  }
  return durations;
}

async function bench({ url, pid }: Child, origin: string, hanging_origin: string): Promise<void> {
  const key = await makeAdminKey(url);
  const quick = execute(key, (await post(url, '/custom-tools', key, sampleTool(0, origin))).id);
  const hanging_tool = { ...sampleTool(1, hanging_origin), endpoint_path: '/hang', timeout_ms: 10_000 };
  const slow = execute(key, (await post(url, '/custom-tools', key, hanging_tool)).id);
  const [pool, hangingPool] = [new Pool(url, { connections: 1 }), new Pool(url, { connections: HANGING })];
  await latencies(pool, quick); // warm-up for the compiler
  const alone = await latencies(pool, quick);
  const memory = residentMb(pid);
  const hanging = Array.from({ length: HANGING }, async () => {
    const { path, headers = {} } = slow;
    const response = await hangingPool.request({ path, method: 'POST', headers, body });
    await response.body.dump();
    return response.statusCode;
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

await withTwoCustomers((server, customer, stuck) => bench(server, customer.origin, stuck.origin));
finish();
