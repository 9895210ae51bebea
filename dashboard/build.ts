// Builds the dashboard into dist/<hash of the inputs>/, unless it is there already. `npm run build` and the server of a clone run it.

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildOnce } from '../packaging/build-once.ts';

const here = import.meta.dirname;

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

async function build(output: string): Promise<void> {
  // Not imported at the top: a start that does not build does not load the bundler.
  const [{ build: bundle }, { compressFiles }] = await Promise.all([
    import('vite'),
    import('../packaging/compress.ts'),
  ]);
  await bundle({
    configFile: join(here, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: output, emptyOutDir: true },
  });
  await compressFiles(output, { has_brotli: true });
}

const { values } = parseArgs({ options: { force: { type: 'boolean', default: false } } });
await buildOnce({ folder: here, inputs: INPUTS, is_forced: values.force, build });
