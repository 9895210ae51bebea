// Builds the dashboard into dist/<hash of the inputs>/, unless it is there already. `npm run build` and the server run it.
// The folder appears complete, by a rename, so that several processes may build at the same time.

import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** The folders of earlier inputs. Not those of other builds in progress. */
function removeOldBuilds(current: string): void {
  for (const name of globSync('*', { cwd: output }))
    if (name !== current && !name.endsWith('.tmp') && name !== 'current')
      rmSync(join(output, name), { recursive: true, force: true });
}

const { values } = parseArgs({ options: { force: { type: 'boolean', default: false } } });
const hash = hashInputs();
const target = join(output, hash);
if (values.force) rmSync(target, { recursive: true, force: true });
if (!existsSync(target)) {
  process.stdout.write('building\n');
  await build(target);
  removeOldBuilds(hash);
}
writeFileSync(join(output, 'current'), hash);
process.stdout.write(`ready ${hash}\n`);
