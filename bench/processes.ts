// Starts servers as processes of their own, and reads how much CPU and memory a process and its children use (Linux, /proc).

import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../server/test/support/servers/free-port.ts';
import { waitUntil } from '../server/test/support/wait-until.ts';

/** The flags of npm start, for all servers. */
const FLAGS = [
  '--max-semi-space-size=8',
  '--v8-pool-size=1',
  '--require',
  join(import.meta.dirname, '../require-node-24.cjs'),
];
export const main = join(import.meta.dirname, '../server/src/main.ts');

export type Child = { process: ChildProcess; pid: number; url: string; stop(): Promise<void> };

/** Starts a script that listens on PORT and serves /readyz. With `has_channel` it and this process can send each other messages. */
export async function startChild(
  script: string,
  environment: Record<string, string> = {},
  flags: string[] = [],
  has_channel = false,
): Promise<Child> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    PORT: String(port),
    HOST: '127.0.0.1',
    TOOLGATE_LOG_LEVEL: 'info',
    // A build would take the CPU that is measured.
    TOOLGATE_DASHBOARD: 'off',
    ...environment,
  };
  const child = spawn(process.execPath, [...FLAGS, ...flags, script], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'ignore', 'inherit', ...(has_channel ? (['ipc'] as const) : [])],
  });
  const { stop } = supervise(child);
  const isReady = async () => (await fetch(`${url}/readyz`)).status === 200;
  await waitUntil(isReady, 60_000, `${script} is ready`);
  return { process: child, pid: child.pid as number, url, stop };
}

const running = new Map<ChildProcess, () => Promise<void>>();
process.once('exit', () => {
  for (const child of running.keys()) child.kill();
});

/** Ends the child with this process, also when the run fails. */
export function supervise(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): { stop(): Promise<void> } {
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  let stopping: Promise<void> | undefined;
  // One signal only: a second one would end a server that is still stopping its PostgreSQL.
  const stop = () => {
    if (!stopping) child.kill(signal);
    stopping = ended;
    return ended;
  };
  running.set(child, stop);
  child.once('exit', () => running.delete(child));
  return { stop };
}

/** The last one first: servers before their stores. A server needs its data folder until it has stopped its PostgreSQL. */
export async function stopAll(): Promise<void> {
  for (const stop of [...running.values()].reverse()) await stop();
}

/** CPU milliseconds of all its threads, in nanosecond resolution; /proc/<pid>/stat is rounded to hundredths of a second. */
export function cpuMs(pid: number): number {
  let total = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      total += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]);
    } catch {} // the thread has ended
  }
  return total / 1e6;
}

export function residentMb(pid: number): number {
  const [, kb] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}

/** The most since the last call of it. */
export function takePeakMb(pid: number): number {
  const [, kb] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return Number(kb) / 1024;
}

/** The process and all that it started, without its embedded PostgreSQL. */
export const serverProcesses = (pid: number) => treeOf(pid).filter((each) => nameOf(each) !== 'postgres');

export const postgresProcesses = (pid: number) => treeOf(pid).filter((each) => nameOf(each) === 'postgres');

function treeOf(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const children = threads.flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' '),
    );
    return [pid, ...children.filter((child) => child.trim() !== '').flatMap((child) => treeOf(Number(child)))];
  } catch {
    return []; // it has ended
  }
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}

/** For several processes. One that ends between two readings is missing from the second. */
export function cpuOf(pids: number[]): number {
  return pids.reduce((sum, pid) => {
    try {
      return sum + cpuMs(pid);
    } catch {
      return sum;
    }
  }, 0);
}
