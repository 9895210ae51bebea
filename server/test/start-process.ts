// The server as its users run it: a process of its own on a free port and a data folder of its own.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type CallOptions, call } from './start-server.ts';

const root = join(import.meta.dirname, '../..');
const READY_WITHIN_MS = 60_000;

type Environment = Record<string, string>;
export type Ended = { code: number | null; signal: NodeJS.Signals | null };

export type ServerProcess = {
  url: string;
  pid: number;
  data_dir: string;
  /** Everything it has printed, on stdout and stderr. */
  output(): string;
  api(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Sends the signal; answers how the process ended. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
};

/** A folder that the embedded PostgreSQL can enter, gone after the tests with whatever still runs in it. */
export function makeDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-process-'));
  chmodSync(folder, 0o755);
  after(async () => {
    // The server first: it would start its PostgreSQL again.
    for (const { child, ended } of launched.get(folder) ?? []) {
      child.kill('SIGKILL');
      await ended;
    }
    killPostgres(folder, 'SIGQUIT');
    await until(async () => !existsSync(join(folder, 'postgres', 'postmaster.pid')), 10_000, 'PostgreSQL is gone');
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** By data folder. */
const launched = new Map<string, { child: ChildProcess; ended: Promise<Ended> }[]>();

const main = [process.execPath, '--require', './require-node-24.cjs', 'server/src/main.ts'];

/** Starts the server, as `command` does, and waits until it serves. */
export async function startProcess(
  environment: Environment = {},
  data_dir = makeDataDir(),
  command = main,
): Promise<ServerProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { child, output, ended } = launch(command, {
    PORT: String(port),
    TOOLGATE_DATA_DIR: data_dir,
    ...environment,
  });
  await until(
    async () => {
      if (child.exitCode !== null) throw new Error(`the server ended before it was ready:\n${output()}`);
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

/** For a start that must fail: answers how it ended and what it said. */
export async function runProcess(environment: Environment): Promise<Ended & { output: string }> {
  const { output, ended } = launch(main, { PORT: String(await freePort()), ...environment });
  return { ...(await ended), output: output() };
}

function launch(
  [program = '', ...given]: string[],
  environment: Environment,
): { child: ChildProcess; output(): string; ended: Promise<Ended> } {
  const { PATH = '', HOME = '', TMPDIR = tmpdir() } = process.env;
  const child = spawn(program, given, {
    cwd: root,
    env: { PATH, HOME, TMPDIR, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  }
  // 'close', not 'exit': only then has everything it printed arrived.
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal }));
  const { TOOLGATE_DATA_DIR: folder = '' } = environment;
  launched.set(folder, [...(launched.get(folder) ?? []), { child, ended }]);
  return { child, output: () => text, ended };
}

/** Polls until the condition holds. A failed attempt, such as a refused connection, is a "not yet". */
export async function until(condition: () => Promise<boolean>, within_ms: number, what: string): Promise<void> {
  const deadline = performance.now() + within_ms;
  let problem: unknown;
  while (performance.now() < deadline) {
    try {
      if (await condition()) return;
    } catch (error) {
      if ((error as Error).message.startsWith('the server ended')) throw error;
      problem = error;
    }
    await sleep(20);
  }
  throw new Error(`not within ${within_ms} ms: ${what}`, { cause: problem });
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  await once(probe.close(), 'close');
  return port;
}

/** Signals the PostgreSQL that runs in this data folder and each process it started: SIGSTOP freezes all of it. */
export function signalAllOfPostgres(data_dir: string, signal: NodeJS.Signals): void {
  const [pid = ''] = readFileSync(join(data_dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(pid), signal);
  for (const child of readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)) {
    process.kill(Number(child), signal);
  }
}

/** Signals the PostgreSQL that runs in this data folder, if any. */
export function killPostgres(data_dir: string, signal: NodeJS.Signals): void {
  try {
    const [pid] = readFileSync(join(data_dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), signal);
  } catch {
    // None runs.
  }
}
