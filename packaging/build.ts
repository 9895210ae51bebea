// npm run build: makes what is published, in build/. build/toolgate/ is the server, the command line, the dashboard and the documentation;
// build/sdk/ is @toolgate/sdk; build/openapi.json describes the API. Files that are not compiled have the same paths as in the repository.

import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { makeOpenApiDocument } from '../server/src/commands/openapi-document.ts';
import { bundle } from './bundle.ts';
import { type Manifest, productManifest, sdkManifest } from './manifests.ts';

const root = join(import.meta.dirname, '..');

/** Files of the product that are not compiled. The dashboard's come from its build. */
const COPIED = [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'require-node-24.cjs',
  'cli/bin/toolgate.cjs',
  'cli/src/operations.json',
  'server/migrations/*.sql',
  'server/src/http/api-examples.json',
];

async function build(output: string, only?: string): Promise<void> {
  rmSync(output, { recursive: true, force: true });
  if (only !== 'sdk') await buildProduct(join(output, 'toolgate'));
  if (only !== 'toolgate') buildSdk(join(output, 'sdk'));
  if (only === undefined) writeJson(join(output, 'openapi.json'), await makeOpenApiDocument());
}

async function buildProduct(folder: string): Promise<void> {
  const { third_party_licenses } = await bundle(root, join(folder, 'dist'));
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), third_party_licenses);
  for (const file of globSync(COPIED, { cwd: root })) copy(file, join(folder, file));
  run('dashboard/build.ts');
  copyBuilt('dashboard/dist', folder);
  run('site/build.ts');
  copyBuilt('site/dist', folder);
  writeJson(join(folder, 'package.json'), productManifest(readManifest));
}

function buildSdk(folder: string): void {
  run('node_modules/typescript/bin/tsc', '--project', 'sdk/tsconfig.build.json', '--outDir', join(folder, 'dist'));
  // As if it were compiled beside its sources, wherever the output is. The sources themselves would be a fifth of the package.
  for (const file of globSync('dist/**/*.js.map', { cwd: folder })) {
    const source = file.replace(/^dist/, 'src').replace(/\.js\.map$/, '.ts');
    const map = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    writeFileSync(join(folder, file), JSON.stringify({ ...map, sources: [relative(dirname(file), source)] }));
  }
  // It is generated, and its lines say as much as those of its source.
  const generated = join(folder, 'dist/methods.js');
  writeFileSync(generated, readFileSync(generated, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, ''));
  rmSync(`${generated}.map`);
  for (const file of ['README.md', 'LICENSE']) copy(`sdk/${file}`, join(folder, file));
  writeJson(join(folder, 'package.json'), sdkManifest(readManifest));
}

/** A file that was compressed is only copied so: the server reads no other. */
function copyBuilt(dist: string, folder: string): void {
  const current = readFileSync(join(root, dist, 'current'), 'utf8');
  const files = globSync(`${current}/**/*.*`, { cwd: join(root, dist) });
  for (const file of ['current', ...files.filter((name) => !files.includes(`${name}.gz`))])
    copy(join(dist, file), join(folder, dist, file));
}

/** Runs a program of this repository. */
function run(...args: string[]): void {
  const { status, error } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${args[0]} ended with ${status}`);
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(join(root, from), to, { recursive: true });
}

const writeJson = (path: string, value: object) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

const options = { output: { type: 'string', default: join(root, 'build') }, only: { type: 'string' } } as const;
const { output, only } = parseArgs({ options }).values;
await build(output, only);
