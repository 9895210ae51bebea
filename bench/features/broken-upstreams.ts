// What customers' APIs that misbehave cost others: for each kind alone the CPU of the main thread and the delay of the event loop,
// and for all of them together the latency of another project's calls.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { post } from '../api.ts';
import { call, type Load, type Tool } from '../broken-load.ts';
import { brokenResponses } from '../broken-responses.ts';
import { reportDelays, takeDelays } from '../event-loop.ts';
import { finish, report } from '../measure.ts';
import type { Child } from '../processes.ts';
import { sampleTool } from '../sample-tool.ts';
import { quantile } from '../statistics.ts';
import { makeAdminKey, withTwoCustomers } from '../two-customers.ts';

const AT_ONCE = 6;
const CALLS = 30;
const ALONE_MS = 4_000;
/** For the compiler: what broken responses run has not run before. */
const WARM_UP_MS = 10_000;
const TOGETHER_MS = 15_000;
/** At p99. */
const MAX_DELAY_MS = 12;

/** A project with a tool, as the API of another customer. */
async function makeTool(url: string, origin: string, what: string, endpoint_path: string): Promise<Tool> {
  const key = await makeAdminKey(url);
  const tool = await post(url, '/custom-tools', key, { ...sampleTool(0, origin), endpoint_path, timeout_ms: 2_000 });
  return { what, path: `/api/v1/custom-tools/${tool.id}/execute`, name: sampleTool(0, origin).name, key };
}

/** Calls one after the other. Returns how long each took. */
async function latencies(pool: Pool, tool: Tool, ms: number): Promise<number[]> {
  const durations: number[] = [];
  for (const end = performance.now() + ms; performance.now() < end; ) {
    const began = performance.now();
    const status = await call(pool, tool);
    if (status !== 200) throw new Error(`a call of another project ended with ${status}`);
    durations.push(performance.now() - began);
  }
  return durations;
}

/** Milliseconds in which the main thread, which runs the event loop, ran, and in which it was ready to run but had no processor. */
function mainThread(pid: number): { ran: number; waited: number } {
  const [ran, waited] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ', 2).map(Number);
  return { ran: (ran ?? 0) / 1e6, waited: (waited ?? 0) / 1e6 };
}

async function measureAlone(server: Child, pool: Pool, tool: Tool): Promise<void> {
  const send = (count: number) =>
    Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let i = 0; i < count / AT_ONCE; i += 1) await call(pool, tool);
      }),
    );
  await send(AT_ONCE);
  await takeDelays(server);
  const before = mainThread(server.pid).ran;
  await send(CALLS);
  const cpu = (mainThread(server.pid).ran - before) / CALLS;
  const { of_process } = await takeDelays(server);
  report(`${tool.what}: CPU of the main thread for a call`, cpu, ' ms');
  report(`${tool.what}: longest delay by the server itself`, Math.max(...of_process), ' ms');
}

async function measureTogether(server: Child, good: Tool, bad: Tool[]): Promise<void> {
  const { url, pid } = server;
  const pool = new Pool(url, { connections: 1 });
  await latencies(pool, good, ALONE_MS); // warm-up for the compiler
  await takeDelays(server);
  const alone = await latencies(pool, good, ALONE_MS);
  reportDelays('alone', await takeDelays(server));
  // A process of its own: it must not delay the calls that are measured.
  const load = fork(join(import.meta.dirname, '../broken-load.ts'));
  setPriority(load.pid as number, constants.priority.PRIORITY_LOW);
  load.send({ url, at_once: AT_ONCE, tools: bad } satisfies Load);
  await sleep(WARM_UP_MS);
  await takeDelays(server);
  const [before, began] = [mainThread(pid), performance.now()];
  const beside = await latencies(pool, good, TOGETHER_MS);
  const [after, duration] = [mainThread(pid), performance.now() - began];
  const delays = await takeDelays(server);
  const ended = once(load, 'message');
  load.send('end');
  const [calls] = (await ended) as [number];
  load.disconnect();
  report(`together: calls of ${bad.length * AT_ONCE} callers to ${bad.length} kinds`, calls, '');
  reportDelays('together', delays, MAX_DELAY_MS);
  const share = (part: 'ran' | 'waited') => ((after[part] - before[part]) / duration) * 100;
  report('together: share of the time in which the main thread ran', share('ran'), ' %');
  // Not the work of the server: this process, the load and the customers need processors too.
  report('together: share of the time in which it waited for a processor', share('waited'), ' %');
  for (const part of [0.5, 0.9, 0.99]) {
    const [quiet, during] = [quantile(alone, part), quantile(beside, part)];
    report(`p${part * 100} of another project's calls alone`, quiet, ' ms');
    report(`p${part * 100} of another project's calls beside them`, during, ' ms');
    report(`p${part * 100}: beside, compared with alone`, during / quiet, ' x', ...(part === 0.99 ? [2] : []));
  }
  await pool.close();
}

await withTwoCustomers(
  async (server, customer, broken) => {
    setPriority(broken.pid, constants.priority.PRIORITY_LOW);
    const good = await makeTool(server.url, customer.origin, 'a good answer', '/orders');
    const bad: Tool[] = [];
    for (const what of Object.keys(brokenResponses))
      bad.push(await makeTool(server.url, broken.origin, what, `/broken/${encodeURIComponent(what)}`));
    const pool = new Pool(server.url, { connections: AT_ONCE });
    for (const tool of [good, good, ...bad]) await measureAlone(server, pool, tool);
    await pool.close();
    await measureTogether(server, good, bad);
  },
  { TOOLGATE_LOG_LEVEL: 'silent' },
);
finish();
