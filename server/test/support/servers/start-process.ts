// The server as a separate process, as users run it, on a free port and with its own data folder.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { type ApiResponse, type CallOptions, call } from '../requests/call-api.ts';
import { makeScratchFolder } from '../scratch-folder.ts';
import { ConditionFailed, waitUntil } from '../wait-until.ts';
import { compiledFile } from './compiled-package.ts';
import { freePort } from './free-port.ts';

const root = join(import.meta.dirname, '../../../..');
const READY_WITHIN_MS = 180_000;

type Environment = Record<string, string>;
export type Ended = { code: number | null; signal: NodeJS.Signals | null };

export type ServerProcess = {
  url: string;
  pid: number;
  data_dir: string;
  /** All output so far, of stdout and stderr. */
  output(): string;
  api(method: string, path: string, options?: CallOptions): Promise<ApiResponse>;
  /** Sends the signal. Returns how the process ended. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
};

/** A folder that the embedded PostgreSQL can enter. Removed after the tests, with all processes that still use it. */
export function makeDataDir(): string {
  const folder = makeScratchFolder('toolgate-process-');
  chmodSync(folder, 0o755);
  after(async () => {
    // The server first: it would restart its PostgreSQL.
    for (const { child, ended } of launched.get(folder) ?? []) {
      child.kill('SIGKILL');
      await ended;
    }
    killPostgres(folder, 'SIGQUIT');
    await waitUntil(async () => !runsPostgres(folder), 60_000, 'PostgreSQL is gone');
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** A data folder whose PostgreSQL is migrated, as a server leaves it that was stopped right then. */
export function copyDataDir(): string {
  const folder = makeDataDir();
  // With the owners of the files. runner/shared-files.ts has made it.
  execFileSync('cp', ['-a', `${process.env.TEST_DATA_DIR}/.`, folder]);
  return folder;
}

/** By data folder. */
const launched = new Map<string, { child: ChildProcess; ended: Promise<Ended> }[]>();

/** The command of the server as users run it, compiled. `flags` are for node. */
export const serverCommand = (...flags: string[]) => [
  process.execPath,
  '--require',
  compiledFile('require-node-24.cjs'),
  ...flags,
  compiledFile('dist/server.js'),
];

/** Starts the server with `command`, and waits until it is ready. A first start needs an empty data folder (`makeDataDir`). */
export async function startProcess(
  environment: Environment = {},
  data_dir = environment.DATABASE_URL === undefined ? copyDataDir() : makeDataDir(),
  command = serverCommand(),
): Promise<ServerProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { child, output, ended } = launch(command, {
    PORT: String(port),
    TOOLGATE_DATA_DIR: data_dir,
    TOOLGATE_DASHBOARD: 'off',
    ...environment,
  });
  await waitUntil(
    async () => {
      if (child.exitCode !== null) throw new ConditionFailed(`the server ended before it was ready:\n${output()}`);
      return (await fetch(`${url}/readyz`)).status === 200;
    },
    READY_WITHIN_MS,
    'the server is ready',
  );
  return {
    url,
    pid: child.pid as number,
    data_dir,
    output,
    api: (method, path, options) => call(url, method, path, options),
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}

/** A process that need not become ready. `started` says that PostgreSQL has been launched. */
export async function launchProcess(environment: Environment) {
  const data_dir = environment.DATABASE_URL === undefined ? copyDataDir() : makeDataDir();
  const { child, output, ended } = launch(serverCommand(), {
    PORT: String(await freePort()),
    TOOLGATE_DATA_DIR: data_dir,
    ...environment,
  });
  return {
    child,
    output,
    ended,
    data_dir,
    hasPostgres: () => existsSync(join(data_dir, 'postgres', 'postmaster.pid')),
  };
}

/** The child processes of a process that are servers, on Linux. */
export function workersOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  return children.filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('dist/server.js'));
}

/** For a start that must fail. Returns how the process ended and its output. */
export async function runProcess(environment: Environment): Promise<Ended & { output: string }> {
  const { output, ended } = launch(serverCommand(), { PORT: String(await freePort()), ...environment });
  return { ...(await ended), output: output() };
}

function launch(
  [program = '', ...given]: string[],
  environment: Environment,
): { child: ChildProcess; output(): string; ended: Promise<Ended> } {
  const { PATH = '', HOME = '', TMPDIR = tmpdir() } = process.env;
  const child = spawn(program, given, {
    cwd: root,
    // One process, unless a test wants several.
    env: { PATH, HOME, TMPDIR, TOOLGATE_WORKERS: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  }
  // 'close', not 'exit': only then is the output complete.
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal }));
  const { TOOLGATE_DATA_DIR: folder = '' } = environment;
  launched.set(folder, [...(launched.get(folder) ?? []), { child, ended }]);
  return { child, output: () => text, ended };
}

/** Signals the PostgreSQL that runs in this data folder, if any. */
export function killPostgres(data_dir: string, signal: NodeJS.Signals): void {
  try {
    process.kill(postmasterPid(data_dir), signal);
  } catch {
    // None runs.
  }
}

/** One that was killed leaves its file. */
function runsPostgres(data_dir: string): boolean {
  try {
    return process.kill(postmasterPid(data_dir), 0);
  } catch {
    return false;
  }
}

/** The process ids of the PostgreSQL that runs in this data folder and of its children, on Linux. */
export function postgresProcesses(data_dir: string): number[] {
  const pid = postmasterPid(data_dir);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return [pid, ...children.map(Number)];
}

function postmasterPid(data_dir: string): number {
  return Number(readFileSync(join(data_dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
}
