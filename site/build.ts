// Builds the documentation site into dist/<hash of the inputs>/, unless it is there already: `npm run build` and the server of a clone
// run it. `npm run docs:site` writes it into a folder instead, for a web server without toolgate. docs/design/building.md explains why.

import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildOnce } from '../packaging/build-once.ts';

/** Everything that the result depends on. The packages are those of the lock file's versions in package.json. */
const INPUTS = [
  '*.{json,ts}',
  'generate/**',
  'src/**',
  '../dashboard/public/**',
  '../dashboard/src/app/colors.css',
  '../docs/**',
  '../*.md',
  '../{bench,dashboard,sdk}/*.md',
  '../{deploy,examples}/**',
  '../{contract,sdk,server}/src/**',
  '../compose.yaml',
  '../package.json',
];

const options = { force: { type: 'boolean', default: false }, output: { type: 'string' } } as const;
const { force, output } = parseArgs({ options }).values;

if (output !== undefined) {
  const { makeSite } = await import('./generate/site.ts');
  rmSync(resolve(output), { recursive: true, force: true });
  await makeSite(resolve(output), { has_dashboard: false });
} else
  await buildOnce({
    folder: import.meta.dirname,
    inputs: INPUTS,
    is_forced: force,
    async build(folder) {
      // Not imported at the top: a start that does not build does not load the bundler.
      const [{ makeSite }, { compressFiles }] = await Promise.all([
        import('./generate/site.ts'),
        import('../packaging/compress.ts'),
      ]);
      await makeSite(folder, { has_dashboard: true });
      await compressFiles(folder, { has_brotli: false });
    },
  });
