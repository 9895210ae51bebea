// Builds a folder of files that a clone serves, dist/<hash of the inputs>/, unless it is there already. The folder appears complete, by
// a rename. If several processes start together, one builds and the others wait.

import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type BuildOnce = {
  /** The folder of the sources; the result is in its dist/. */
  folder: string;
  /** Globs of everything that the result depends on, from that folder. */
  inputs: string[];
  /** Even if it is there. */
  is_forced: boolean;
  build(output: string): Promise<void>;
};

/** A build that takes longer is not waited for. Two builds of the same inputs do not disturb each other. */
const LONGEST_WAIT_MS = 60_000;

export async function buildOnce({ folder, inputs, is_forced, build }: BuildOnce): Promise<void> {
  const output = join(folder, 'dist');
  const hash = hashInputs(folder, inputs);
  const target = join(output, hash);
  if (is_forced) rmSync(target, { recursive: true, force: true });
  if (!existsSync(target)) {
    mkdirSync(output, { recursive: true });
    process.stdout.write('building\n');
    const lock = `${target}.lock`;
    if (await claimBuild(target, lock)) {
      try {
        await buildInto(target, build);
        removeOldBuilds(output, hash);
      } finally {
        rmSync(lock, { force: true });
      }
    }
  }
  writeFileSync(join(output, 'current'), hash);
  process.stdout.write(`ready ${hash}\n`);
}

function hashInputs(folder: string, inputs: string[]): string {
  const hash = createHash('sha256');
  for (const file of globSync(inputs, { cwd: folder }).sort()) {
    const path = join(folder, file);
    if (!statSync(path).isFile()) continue;
    const content = readFileSync(path);
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 16);
}

async function buildInto(target: string, build: BuildOnce['build']): Promise<void> {
  const temporary = `${target}.${process.pid}.tmp`;
  mkdirSync(temporary, { recursive: true });
  try {
    await build(temporary);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    // Another process was faster.
    if (!existsSync(target)) throw error;
  }
}

/** True if this process has to build; it removes `lock` afterwards. False if another process has built meanwhile. */
async function claimBuild(target: string, lock: string): Promise<boolean> {
  const end = Date.now() + LONGEST_WAIT_MS;
  while (Date.now() < end) {
    if (existsSync(target)) return false;
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (!isBuilding(lock)) rmSync(lock, { force: true });
    else await sleep(100);
  }
  return true;
}

/** False if the process that claimed the build is gone. */
function isBuilding(lock: string): boolean {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')) || process.pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The folders of earlier inputs. Not those of other builds in progress. */
function removeOldBuilds(output: string, current: string): void {
  for (const name of globSync('*', { cwd: output }))
    if (name !== current && !/\.(tmp|lock)$/.test(name) && name !== 'current')
      rmSync(join(output, name), { recursive: true, force: true });
}
