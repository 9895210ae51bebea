// A copy of the repository as git has it, in a folder of its own, with the packages of this one: what is built there is its own.

import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { makeDataDir, type ServerProcess, startProcess } from './servers/start-process.ts';

const root = join(import.meta.dirname, '../../..');

/** `folders`: what is copied; links to the packages of each are made. */
export function cloneFolder(folders: string[]): string {
  const clone = mkdtempSync(join(tmpdir(), 'toolgate-clone-'));
  after(() => rmSync(clone, { recursive: true, force: true }));
  const isSource = (path: string) => !/[/\\](node_modules|dist)$/.test(path);
  const needed = ['package.json', 'tsconfig.json', 'require-node-24.cjs', 'server/src', 'server/migrations'];
  for (const name of [...needed, 'server/package.json', 'sdk/src', 'packaging', ...folders])
    cpSync(join(root, name), join(clone, name), { recursive: true, filter: isSource });
  for (const folder of ['', 'server/', ...folders.map((name) => `${name}/`)]) {
    const name = `${folder}node_modules`;
    if (existsSync(join(root, name))) symlinkSync(join(root, name), join(clone, name));
  }
  return clone;
}

export function startClone(
  clone: string,
  environment: Record<string, string>,
  data_dir = makeDataDir(),
): Promise<ServerProcess> {
  const main = join(clone, 'server/src/main.ts');
  return startProcess(environment, data_dir, [process.execPath, '--require', join(clone, 'require-node-24.cjs'), main]);
}
