// The dashboard of this process: built by a child process if its sources changed, then read into memory. The API does not wait
// for it. dashboard/build.ts decides whether a build is needed; an image may ship the built files without the sources.

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { StaticFile } from '../api/static-file.ts';
import { root } from '../installation.ts';
import { readFiles } from './files.ts';

export type Dashboard = {
  /** By path, such as `/assets/index-abc.js`; null until they are built. */
  files(): ReadonlyMap<string, StaticFile> | null;
  /** The build failed; the log says why. */
  hasFailed(): boolean;
  /** Resolves when it is served, or has failed. */
  finished: Promise<void>;
  stop(): void;
};

const folder = join(root, 'dashboard');
/** The API comes first while both run. */
const LOW_PRIORITY = 10;
const LONGEST_OUTPUT = 4_000;

export function openDashboard(log: Logger): Dashboard {
  let files: ReadonlyMap<string, StaticFile> | null = null;
  let failed = false;
  const build = existsSync(join(folder, 'build.ts')) ? runBuild(log) : { done: Promise.resolve(), stop() {} };
  const finished = build.done
    .then(() => {
      files = readFiles(join(folder, 'dist', readFileSync(join(folder, 'dist/current'), 'utf8')));
    })
    .catch((error: Error) => {
      failed = true;
      log.error({ err: error }, 'the dashboard is not available; the API is');
    });
  return { files: () => files, hasFailed: () => failed, finished, stop: build.stop };
}

/** Resolves when the build is up to date. */
function runBuild(log: Logger): { done: Promise<void>; stop(): void } {
  const began = performance.now();
  const child = spawn(process.execPath, [join(folder, 'build.ts')], { stdio: ['ignore', 'pipe', 'pipe'] });
  if (child.pid !== undefined) lowerPriority(child.pid);
  let text = '';
  let isBuilding = false;
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    if (!part.includes('building')) return;
    isBuilding = true;
    log.info('building the dashboard; the API answers meanwhile');
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text = (text + part).slice(-LONGEST_OUTPUT);
  });
  const done = new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code !== 0) return reject(new Error(`the build of the dashboard ended with ${code}: ${text.trim()}`));
      if (isBuilding) log.info({ duration_ms: Math.round(performance.now() - began) }, 'the dashboard is built');
      resolve();
    });
  });
  return { done, stop: () => child.kill() };
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, LOW_PRIORITY);
  } catch {
    // Not allowed here, or the child has ended already.
  }
}
