// A redis-server of its own for the fault suite, on a loopback port, without persistence.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../server/test/free-port.ts';

export type Redis = {
  url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
};

const READY_WITHIN_MS = 10_000;

/** Null if no redis-server is installed. */
export async function createRedis(): Promise<Redis | null> {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
  } catch {
    return null;
  }
  const port = await freePort();
  let child: ChildProcess | undefined;
  let ended: Promise<unknown> = Promise.resolve();
  process.once('exit', () => child?.kill('SIGKILL'));

  async function start(): Promise<void> {
    const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    child = spawn('redis-server', settings, { cwd: tmpdir(), stdio: 'ignore' });
    ended = once(child, 'exit');
    for (const deadline = performance.now() + READY_WITHIN_MS; performance.now() < deadline; await sleep(20))
      if (await accepts(port)) return;
    throw new Error('redis-server does not start');
  }

  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    async stop() {
      child?.kill('SIGKILL');
      await ended;
    },
    signal: (signal) => void child?.kill(signal),
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
