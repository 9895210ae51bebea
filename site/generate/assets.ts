// The scripts and styles of the pages, bundled. Their names contain a hash of the content.

import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { root } from './contents.ts';

const site = join(root, 'site');
/** The inputs, by their path from the folder of the site. */
const FRAME = 'src/frame/main.ts';
const REFERENCE = 'src/reference/main.ts';

type Bundle = { script: string; styles: string };
type Built = Record<string, { file: string; css?: string[] }>;

export async function buildAssets(output: string): Promise<{ frame: Bundle; reference: Bundle }> {
  await build({
    configFile: false,
    root: site,
    base: '/docs/',
    publicDir: false,
    logLevel: 'warn',
    resolve: {
      // The source and not dist/: a fresh clone has no built SDK.
      alias: { '@toolgate/sdk': join(root, 'sdk/src/index.ts') },
    },
    build: {
      target: 'es2022',
      outDir: join(output, 'docs'),
      emptyOutDir: false,
      manifest: 'manifest.json',
      // The policy of the pages allows no data: URLs but images.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: { input: [join(site, FRAME), join(site, REFERENCE)] },
    },
  });
  const built: Built = JSON.parse(readFileSync(join(output, 'docs/manifest.json'), 'utf8'));
  for (const name of ['theme.js', 'favicon.svg'])
    cpSync(join(root, 'dashboard/public', name), join(output, 'docs', name));
  const find = (input: string): Bundle => {
    const { file = '', css = [] } = built[input] ?? {};
    return { script: `/docs/${file}`, styles: `/docs/${css[0]}` };
  };
  return { frame: find(FRAME), reference: find(REFERENCE) };
}
