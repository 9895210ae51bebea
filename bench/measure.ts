// What the benches of single features share: load from this process, CPU per request, and a report with bounds. The bounds are
// ratios or differences within one run, so that the speed of the machine matters little.

import { Pool } from 'undici';
import { type Child, cpuMs } from './processes.ts';
import { median } from './statistics.ts';

export type Request = { path: string; method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: string };

type Make = () => Request;

const openPool = (url: string) => new Pool(url, { connections: 16 });

/** Sends `count` requests over 16 connections; throws unless all responses are 200. */
export async function drive(url: string, count: number, make: Make): Promise<void> {
  const pool = openPool(url);
  try {
    await sendAll(pool, count, make);
  } finally {
    await pool.close();
  }
}

async function sendAll(pool: Pool, count: number, make: Make): Promise<void> {
  let sent = 0;
  const worker = async () => {
    while (sent < count) {
      sent += 1;
      const { path, method = 'GET', headers = {}, body } = make();
      const response = await pool.request({ path, method, headers, ...(body === undefined ? {} : { body }) });
      const text = await response.body.text();
      if (response.statusCode !== 200)
        throw new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 200)}`);
    }
  };
  const busyLoop = startBusyLoop();
  try {
    await Promise.all(Array.from({ length: 16 }, worker));
  } finally {
    busyLoop.end();
  }
}

/**
 * Keeps this process from sleeping while it waits. Waking a sleeping process costs the writer 10 µs and more, which only servers
 * slower than this process would pay.
 */
function startBusyLoop(): { end(): void } {
  let isOver = false;
  const loop = () => {
    if (!isOver) setImmediate(loop);
  };
  loop();
  return {
    end() {
      isOver = true;
    },
  };
}

/** Returns CPU microseconds per request. */
export async function cpuPerRequest({ pid }: Child, count: number, send: () => Promise<void>): Promise<number> {
  const before = cpuMs(pid);
  await send();
  return ((cpuMs(pid) - before) * 1000) / count;
}

export type Contender = { child: Child; make: Make };

/** Until the JIT compiler has settled, which takes longest for the server with the most code. */
const WARM_UP = 40_000;
/** Many short rounds: the speed of a shared machine changes from second to second, up to a factor of two. */
const ROUND = 400;
const ROUNDS = 155;

/** Returns CPU microseconds per request for each round. The contenders alternate, so that other load affects all of them equally. */
export async function compare(
  contenders: Contender[],
  { check, warm_up = WARM_UP }: { check(child: Child, request: Request): Promise<void>; warm_up?: number },
): Promise<number[][]> {
  const entries = contenders.map(({ child, make }) => ({
    child,
    make,
    pool: openPool(child.url),
    costs: [] as number[],
  }));
  for (const { child, make, pool } of entries) {
    await check(child, make());
    await sendAll(pool, warm_up, make);
  }
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { child, make, pool, costs } of entries)
      costs.push(await cpuPerRequest(child, ROUND, () => sendAll(pool, ROUND, make)));
  for (const { pool } of entries) await pool.close();
  return entries.map(({ costs }) => costs);
}

const lines: { what: string; value: string; bound: string; holds: boolean }[] = [];

/** Adds one line to the report. A bound that does not hold fails the run. */
export function report(what: string, value: number, unit: string, most?: number): void {
  const bound = most === undefined ? '' : `<= ${most}${unit}`;
  lines.push({ what, value: `${value.toFixed(2)}${unit}`, bound, holds: most === undefined || value <= most });
}

export function finish(): void {
  for (const { what, value, bound, holds } of lines) {
    console.log(`${holds ? '  ' : '! '}${what.padEnd(70)} ${value.padStart(14)}  ${bound}`);
  }
  if (lines.some(({ holds }) => !holds)) process.exitCode = 1;
}

/** The median of the processor time of some work in this thread. */
export function medianCpuMs(rounds: number, work: () => unknown): number {
  const times = Array.from({ length: rounds }, () => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  });
  return median(times);
}
