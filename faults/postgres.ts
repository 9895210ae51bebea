// A PostgreSQL of its own for the fault suite, on a loopback port, which can be stopped, killed and started again at will. It runs
// the programs of the embedded PostgreSQL with their default durability, so what it acknowledged is on the disk.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findPackage, usableBinaries } from '../server/src/database/embedded-binaries.ts';
import { prepareCluster } from '../server/src/database/embedded-cluster.ts';
import { type Folder, openFolder } from '../server/src/database/embedded-folder.ts';
import { freePort } from '../server/test/support/servers/free-port.ts';

export type Postgres = {
  port: number;
  /** With the given port, such as that of a proxy. */
  url(port?: number, database?: string): string;
  /** Resolves when it accepts connections. */
  start(): Promise<void>;
  /** SIGINT: sessions end, a checkpoint is written. SIGKILL: every process of it ends at once. */
  stop(signal: 'SIGINT' | 'SIGKILL'): Promise<void>;
  /** Whether its main process runs. */
  isRunning(): boolean;
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[], database?: string): Promise<Row[]>;
  /** Stops it and removes its folder. */
  remove(): Promise<void>;
};

const READY_WITHIN_MS = 180_000;
const SETTINGS = ['max_connections=200', 'shared_buffers=32MB', 'timezone=UTC', 'io_method=sync'];

/** `parent` is where its folder is created; the temporary folder if not given. */
export async function createPostgres({ parent = tmpdir(), settings = [] as string[] } = {}): Promise<Postgres> {
  const data_dir = mkdtempSync(join(parent, 'toolgate-faults-'));
  chmodSync(data_dir, 0o755);
  // The programs may have to be copied, for an account that cannot enter node_modules: never onto a small file system.
  const programs = mkdtempSync(join(tmpdir(), 'toolgate-faults-programs-'));
  chmodSync(programs, 0o755);
  const folder = await openFolder(data_dir, async () => false);
  const binaries = await usableBinaries({ native: findPackage(), data_dir: programs, account: folder.account });
  await prepareCluster(folder, binaries);
  const port = await freePort();
  let running: { child: ChildProcess; ended: Promise<unknown> } | undefined;

  const url = (through = port, database = 'postgres') =>
    `postgres://toolgate:${folder.password}@127.0.0.1:${through}/${database}`;
  const isRunning = () => running !== undefined && running.child.exitCode === null && running.child.signalCode === null;

  async function start(): Promise<void> {
    for (const deadline = performance.now() + READY_WITHIN_MS; performance.now() < deadline; await sleep(20)) {
      if (!isRunning()) running = launch(folder, binaries, port, settings);
      if (await accepts(url())) return;
    }
    throw new Error(`PostgreSQL does not start:\n${readFileSync(folder.log_file, 'utf8').slice(-2_000)}`);
  }

  async function stop(signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
    if (!running || !isRunning()) return;
    const pids = [
      running.child.pid as number,
      ...(signal === 'SIGKILL' ? childrenOf(running.child.pid as number) : []),
    ];
    for (const pid of pids) kill(pid, signal);
    await running.ended;
  }

  async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = [], database = 'postgres') {
    const client = new pg.Client({ connectionString: url(port, database), connectionTimeoutMillis: 5_000 });
    client.on('error', () => {}); // the query rejects too
    await client.connect();
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  await start();
  return {
    port,
    url,
    start,
    stop,
    isRunning,
    query,
    async remove() {
      await stop('SIGKILL');
      rmSync(data_dir, { recursive: true, force: true });
      rmSync(programs, { recursive: true, force: true });
    },
  };
}

function launch(folder: Folder, binaries: string, port: number, settings: string[]) {
  const sockets = join(folder.data_dir, 'sockets');
  mkdirSync(sockets, { recursive: true });
  chmodSync(sockets, 0o777);
  const options = [...SETTINGS, ...settings, `port=${port}`, 'listen_addresses=127.0.0.1'];
  const log = openSync(folder.log_file, 'a');
  const given = [
    '-D',
    folder.cluster,
    `-cunix_socket_directories=${sockets}`,
    ...options.map((option) => `-c${option}`),
  ];
  const child = spawn(join(binaries, 'bin', 'postgres'), given, {
    ...folder.account,
    cwd: folder.cluster,
    env: { LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const onExit = () => void child.kill('SIGQUIT'); // also when the suite fails
  process.once('exit', onExit);
  const ended = once(child, 'exit').then(() => process.off('exit', onExit));
  return { child, ended };
}

async function accepts(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 1_000 });
  client.on('error', () => {}); // it is not ready
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return []; // without /proc the children end when they miss the main process
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}
