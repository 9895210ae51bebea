// Builds the dashboard into dist/<hash of the inputs>/, unless it is there already. `npm run build` and the server of a clone run it.
// The folder appears complete, by a rename. If several processes start together, one builds and the others wait.

import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const here = import.meta.dirname;
const output = join(here, 'dist');

/** Everything that the result depends on. The packages are those of the lock file's versions in package.json. */
const INPUTS = [
  '*.html',
  '*.json',
  '*.ts',
  'public/**',
  'src/**',
  '../contract/src/**',
  '../sdk/src/**',
  '../package.json',
  '../tsconfig.json',
];

export function hashInputs(): string {
  const hash = createHash('sha256');
  const files = globSync(INPUTS, { cwd: here }).sort();
  for (const file of files) {
    const path = join(here, file);
    if (!statSync(path).isFile()) continue;
    const content = readFileSync(path);
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 16);
}

async function build(target: string): Promise<void> {
  // Not imported at the top: a start that does not build does not load the bundler.
  const [{ build: bundle }, { compressFiles }, { writeApiReference }] = await Promise.all([
    import('vite'),
    import('./compress.ts'),
    import('./api-reference.ts'),
  ]);
  const temporary = `${target}.${process.pid}.tmp`;
  mkdirSync(temporary, { recursive: true });
  try {
    await bundle({
      configFile: join(here, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: temporary, emptyOutDir: true },
    });
    await writeApiReference(temporary);
    await compressFiles(temporary);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    // Another process was faster.
    if (!existsSync(target)) throw error;
  }
}

/** A build that takes longer is not waited for. Two builds of the same inputs do not disturb each other. */
const LONGEST_WAIT_MS = 60_000;

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
function removeOldBuilds(current: string): void {
  for (const name of globSync('*', { cwd: output }))
    if (name !== current && !/\.(tmp|lock)$/.test(name) && name !== 'current')
      rmSync(join(output, name), { recursive: true, force: true });
}

const { values } = parseArgs({ options: { force: { type: 'boolean', default: false } } });
const hash = hashInputs();
const target = join(output, hash);
if (values.force) rmSync(target, { recursive: true, force: true });
if (!existsSync(target)) {
  mkdirSync(output, { recursive: true });
  process.stdout.write('building\n');
  const lock = `${target}.lock`;
  if (await claimBuild(target, lock)) {
    try {
      await build(target);
      removeOldBuilds(hash);
    } finally {
      rmSync(lock, { force: true });
    }
  }
}
writeFileSync(join(output, 'current'), hash);
process.stdout.write(`ready ${hash}\n`);
