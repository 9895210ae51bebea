// One replica: the server as a process of its own, started as `npm start` starts it, always on the same port.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type Replica = {
  name: string;
  url: string;
  pid(): number;
  isRunning(): boolean;
  /** What a load balancer knows from /readyz. */
  is_serving: boolean;
  /** Resolves when /readyz returns 200. */
  start(): Promise<void>;
  /** Sends the signal and resolves when the process has ended. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** All output so far. */
  output(): string;
};

const root = join(import.meta.dirname, '..');
const READY_WITHIN_MS = 180_000;
const POLL_MS = 50;
const MAX_LAUNCHES = 5;

export type ReplicaOptions = { name: string; port: number; environment: Record<string, string>; preload?: string };

export function createReplica({ name, port, environment, preload }: ReplicaOptions): Replica {
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  let ended: Promise<unknown> = Promise.resolve();
  let text = '';

  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  process.once('exit', () => child?.kill('SIGKILL')); // also when the suite fails

  function launch(): void {
    const { PATH = '', HOME = '', TMPDIR = '' } = process.env;
    const flags = ['--max-semi-space-size=8', '--v8-pool-size=1', '--require', './require-node-24.cjs'];
    if (preload !== undefined) flags.push('--import', preload);
    child = spawn(process.execPath, [...flags, 'server/src/main.ts'], {
      cwd: root,
      env: { PATH, HOME, ...(TMPDIR ? { TMPDIR } : {}), HOST: '127.0.0.1', PORT: String(port), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
    ended = once(child, 'close');
  }

  const replica: Replica = {
    name,
    url,
    pid: () => child?.pid as number,
    isRunning,
    is_serving: false,
    async start() {
      let launches = 0;
      for (const deadline = performance.now() + READY_WITHIN_MS; performance.now() < deadline; await sleep(POLL_MS)) {
        if (!isRunning()) {
          // As a supervisor does: a start fails if the database is unavailable at that moment.
          if (launches === MAX_LAUNCHES) throw new Error(`replica ${name} does not start:\n${text.slice(-2_000)}`);
          launch();
          launches += 1;
        }
        if (await isReady(url)) {
          replica.is_serving = true;
          return;
        }
      }
      throw new Error(`replica ${name} was not ready in time:\n${text.slice(-2_000)}`);
    },
    async stop(signal) {
      if (!isRunning()) return;
      if (signal === 'SIGKILL') replica.is_serving = false;
      child?.kill(signal);
      await ended;
      replica.is_serving = false;
    },
    signal: (signal) => void child?.kill(signal),
    output: () => text,
  };
  return replica;
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1_000) })).status === 200;
  } catch {
    return false;
  }
}

/** Polls /readyz of all replicas as a load balancer does, until stopped. */
export function watchReadiness(replicas: readonly Replica[]): { stop(): void } {
  let isOver = false;
  const poll = async (replica: Replica) => {
    while (!isOver) {
      replica.is_serving = replica.isRunning() && (await isReady(replica.url));
      await sleep(POLL_MS);
    }
  };
  for (const replica of replicas) poll(replica).catch(() => {}); // isReady() never rejects
  return {
    stop() {
      isOver = true;
    },
  };
}
