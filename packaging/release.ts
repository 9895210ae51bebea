// npm run release [-- --dry-run]: checks that this version can be published, builds and packs both packages, prints what they hold,
// and publishes them. With --dry-run nothing leaves this machine.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findProblems } from './release-problems.ts';

const root = join(import.meta.dirname, '..');
const WORKSPACES = ['contract', 'server', 'sdk', 'cli', 'dashboard'];

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
const isDryRun = values['dry-run'];

function run(command: string, args: string[], cwd = root): string {
  const { status, stdout, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
  return stdout;
}

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const versionOf = (folder: string): string => JSON.parse(read(join(folder, 'package.json'))).version;
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

function publish(folder: string): void {
  const [packed] = JSON.parse(run('npm', ['pack', '--json'], folder));
  const { name, version, filename, files, size, unpackedSize } = packed;
  process.stdout.write(
    `\n${name} ${version}: ${files.length} files, ${megabytes(size)}, unpacked ${megabytes(unpackedSize)}\n`,
  );
  const folders = Map.groupBy(files as { path: string; size: number }[], ({ path }) => path.split('/')[0] ?? path);
  for (const [top, inside] of [...folders].sort()) {
    const bytes = inside.reduce((sum, { size: one }) => sum + one, 0);
    process.stdout.write(`  ${top}${inside.length > 1 ? `/  ${inside.length} files` : ''}  ${megabytes(bytes)}\n`);
  }
  const args = ['publish', filename, '--access', 'public', ...(isDryRun ? ['--dry-run'] : [])];
  if (isDryRun) process.stdout.write(`would run: npm ${args.slice(0, -1).join(' ')}\n`);
  else run('npm', args, folder);
}

function release(): number {
  const version = versionOf('.');
  const problems = findProblems({
    version,
    workspace_versions: Object.fromEntries(WORKSPACES.map((name) => [name, versionOf(name)])),
    changelog: read('CHANGELOG.md'),
    readmes: Object.fromEntries(['README.md', 'sdk/README.md'].map((path) => [path, read(path)])),
    tags: run('git', ['tag', '--list', 'v*']).split('\n').filter(Boolean),
    tags_here: run('git', ['tag', '--points-at', 'HEAD']).split('\n').filter(Boolean),
    changed_files: run('git', ['status', '--porcelain']).split('\n').filter(Boolean),
  });
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  // A dry run shows the packages of a version that is not finished yet.
  if (problems.length > 0 && !isDryRun) return 1;
  run(process.execPath, [join(root, 'packaging/build.ts')]);
  for (const name of ['toolgate', 'sdk']) publish(join(root, 'build', name));
  return problems.length > 0 ? 1 : 0;
}

process.exitCode = release();
