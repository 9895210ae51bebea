// How the benches measure: CPU time of a server process per request, which a busy machine changes little, and always compared
// with a baseline or another implementation in the same run, so that only ratios matter.

import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Pool } from 'undici';

/** The flags of npm start, for all servers. A small young generation keeps the process small. */
const FLAGS = ['--max-semi-space-size=8', '--require', join(import.meta.dirname, '../require-node-24.cjs')];

export type Child = { process: ChildProcess; pid: number; url: string; stop(): Promise<void> };

/** Starts a script that listens on PORT and serves /readyz; `ready_ms` is how long that took. */
export async function startChild(
  script: string,
  environment: Record<string, string> = {},
): Promise<Child & { ready_ms: number }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const started = performance.now();
  const child = spawn(process.execPath, [...FLAGS, script], {
    env: { ...process.env, PORT: String(port), HOST: '127.0.0.1', TOOLGATE_LOG_LEVEL: 'info', ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  process.once('exit', () => child.kill()); // also when the run fails
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`${script} ended before it was ready`);
    await new Promise((done) => setTimeout(done, 10));
  }
  return {
    process: child,
    pid: child.pid as number,
    url,
    ready_ms: performance.now() - started,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).status === 200;
  } catch {
    return false; // not listening yet
  }
}

/** Of all its threads, in nanosecond resolution; /proc/<pid>/stat is rounded to hundredths of a second. */
export function cpuMs(pid: number): number {
  let total = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`))
    total += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]);
  return total / 1e6;
}

export function residentMb(pid: number): number {
  const [, kb] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}

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
      const answer = await pool.request({ path, method, headers, ...(body === undefined ? {} : { body }) });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 200)}`);
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

export function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The median of the ratios of each round: both figures of a round were measured under the same load. */
export function ratio(ours: number[], theirs: number[]): number {
  return median(ours.map((cost, round) => cost / (theirs[round] as number)));
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
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
