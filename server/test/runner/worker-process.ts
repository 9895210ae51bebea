// A worker as run-files.ts sees it: runs one file at a time, and says what happened.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { cpuSeconds } from './process-tree.ts';
import type { SentEvent } from './send-events.ts';

/** No file comes near it. Without a limit one test that hangs would hold the whole run. */
const FILE_TIMEOUT_MS = 15 * 60_000;

export type Printed = { type: 'test:stdout' | 'test:stderr'; message: string };
export type FileEvent = SentEvent | Printed;

export type FileRun = {
  file: string;
  wall_s: number;
  /** For the worker and its children. Null if the system does not tell, or the worker has ended. */
  cpu_s: number | null;
};

type Ended = { code: number | null; signal: NodeJS.Signals | null };

export type Worker = {
  /** `listen` gets what happens meanwhile. A file whose process ends is a failed test. */
  run(file: string, listen: (event: FileEvent) => void): Promise<FileRun>;
  hasEnded(): boolean;
  /** Returns its exit code. */
  end(): Promise<number>;
  kill(signal: NodeJS.Signals): void;
};

export function startWorker(environment: NodeJS.ProcessEnv): Worker {
  const reporter = `--test-reporter=${join(import.meta.dirname, 'send-events.ts')}`;
  const args = [reporter, '--test-reporter-destination=stdout', join(import.meta.dirname, 'worker.ts')];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env: environment });
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal }));
  let listener: (event: FileEvent) => void = () => {};
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (message: string) => listener({ type: `test:${name}`, message }));
  child.on('message', (event: SentEvent) => listener(event));

  return {
    async run(file, listen) {
      const began = { at: performance.now(), cpu_s: cpuSeconds(child.pid) };
      const timer = setTimeout(() => child.kill('SIGKILL'), FILE_TIMEOUT_MS);
      const finished = new Promise<void>((done) => {
        listener = (event) => {
          listen(event);
          if ('nesting' in event && event.nesting === 0 && event.result) done();
        };
      });
      child.send({ file }, () => {}); // one that cannot be sent has ended
      const early = await Promise.race([finished, ended]);
      clearTimeout(timer);
      if (early) listen(failureOf(file, early));
      const cpu_s = early ? null : cpuSeconds(child.pid);
      return {
        file,
        wall_s: (performance.now() - began.at) / 1_000,
        cpu_s: cpu_s === null || began.cpu_s === null ? null : cpu_s - began.cpu_s,
      };
    },
    hasEnded: () => hasEnded(child),
    async end() {
      if (!hasEnded(child)) child.send('end', () => {});
      return (await ended).code ?? 1;
    },
    kill: (signal) => void child.kill(signal),
  };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

function failureOf(file: string, how: Ended): SentEvent {
  const text = `The process of the file ended with ${how.signal ?? how.code} before its tests did.`;
  return {
    type: 'test:fail',
    name: file,
    nesting: 0,
    file: undefined,
    line: undefined,
    column: undefined,
    result: {
      duration_ms: 0,
      is_suite: false,
      skip: undefined,
      todo: undefined,
      error: { text, failure_type: 'processEnded' },
    },
  };
}
