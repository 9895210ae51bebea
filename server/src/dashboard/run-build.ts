// Runs the build of a clone in a child process, which decides whether one is needed. An installed package has the built files without
// their sources: there is nothing to run.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { Logger } from 'pino';

/** The API comes first while both run. */
const LOW_PRIORITY = 10;
const LONGEST_OUTPUT = 4_000;

export type Build = {
  /** Resolves when there is something to build; otherwise never. */
  begun: Promise<void>;
  /** Resolves when the build is up to date. */
  done: Promise<void>;
  stop(): void;
};

/** `what` is for the log: `dashboard`. */
export function runBuild(script: string, what: string, log: Logger): Build {
  if (!existsSync(script)) return { begun: new Promise(() => {}), done: Promise.resolve(), stop() {} };
  const began = performance.now();
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'pipe'] });
  if (child.pid !== undefined) lowerPriority(child.pid);
  let text = '';
  const begun = Promise.withResolvers<void>();
  let isBuilding = false;
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    if (!part.includes('building')) return;
    isBuilding = true;
    begun.resolve();
    log.info(`building the ${what}; the API is already available`);
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text = (text + part).slice(-LONGEST_OUTPUT);
  });
  const done = new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code !== 0) return reject(new Error(`the ${what} build exited with ${code}: ${text.trim()}`));
      if (isBuilding) log.info({ duration_ms: Math.round(performance.now() - began) }, `the ${what} is built`);
      resolve();
    });
  });
  return { begun: begun.promise, done, stop: () => child.kill() };
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, LOW_PRIORITY);
  } catch {
    // Not allowed here, or the child has ended already.
  }
}
