// A real redis-server (or valkey-server) for tests, found on PATH. Without one the tests that need it are skipped, with a warning;
// with REQUIRE_REDIS=1, as in .ci/run, they fail.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { freePort } from '../servers/free-port.ts';
import { waitUntil } from '../wait-until.ts';

const program = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0);

/** For the `skip` option of a test. */
export const withoutRedis = program === undefined && 'redis-server is not installed';
if (withoutRedis) {
  if (process.env.REQUIRE_REDIS === '1') throw new Error(withoutRedis);
  process.stderr.write(
    `\n!!! ${withoutRedis}: the tests of shared limits are SKIPPED (apt-get install redis-server)\n\n`,
  );
}

export type RedisServer = {
  url: string;
  port: number;
  signal(signal: NodeJS.Signals): void;
  /** With SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again, on the same port and without data. */
  start(): Promise<void>;
  /** Kills it and removes its folder. */
  remove(): Promise<void>;
};

/** Removed after the tests. `settings` are arguments of redis-server. */
export async function startRedis(settings: string[] = []): Promise<RedisServer> {
  const redis = await openRedis(settings);
  after(redis.remove);
  return redis;
}

export async function openRedis(settings: string[] = []): Promise<RedisServer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-redis-'));
  let child: ChildProcess;

  async function start(): Promise<void> {
    const options = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      folder,
      ...settings,
    ];
    child = spawn(program as string, options, { stdio: 'ignore' });
    await waitUntil(() => responds(port), 10_000, 'Redis responds');
  }

  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async function remove(): Promise<void> {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  }

  await start();
  return { url: `redis://127.0.0.1:${port}`, port, signal: (signal) => child.kill(signal), kill, start, remove };
}

async function responds(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.write('PING\r\n'); // refused without a password: it responds too
    const [data] = await once(socket, 'data');
    return /^(?:\+PONG|-NOAUTH)/.test(String(data));
  } finally {
    socket.destroy();
  }
}
