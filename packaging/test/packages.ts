// What `npm run build` and `npm pack` make, in a folder of the test.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

export const root = join(import.meta.dirname, '../..');

export type Packed = {
  /** The tarball. */
  file: string;
  /** Paths in the package, sorted. */
  paths: string[];
  packed_bytes: number;
  unpacked_bytes: number;
};

/** Runs a program to its end. Expects exit code 0, and returns what it printed. */
export function run(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv = process.env): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  assert.ifError(error);
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-packages-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Both packages of these sources, built once for all files of this process. Nobody writes to it. */
let built: string | undefined;

/** The folder of both packages, built from the sources of this folder. */
export function builtPackages(): string {
  if (built !== undefined) return built;
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-built-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  buildPackages(folder);
  built = folder;
  return folder;
}

export function buildPackages(output: string, source = root): void {
  run(process.execPath, [join(source, 'packaging/build.ts'), '--output', output], source);
}

export function pack(folder: string, destination: string): Packed {
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', destination], folder));
  const { filename, files, size, unpackedSize } = packed;
  return {
    file: join(destination, filename),
    paths: files.map(({ path }: { path: string }) => path).sort(),
    packed_bytes: size,
    unpacked_bytes: unpackedSize,
  };
}
