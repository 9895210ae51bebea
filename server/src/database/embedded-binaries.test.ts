// Works on a copy of the real package, so that the copied programs really run.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { findPackage, usableBinaries } from './embedded-binaries.ts';
import { prepareCluster } from './embedded-cluster.ts';
import { openFolder } from './embedded-folder.ts';

const account = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined;
let parent: string;
let native: string;

/** The package as a blocked install script leaves it, in a node_modules that only its owner may enter. */
before(async () => {
  parent = await mkdtemp(join(tmpdir(), 'toolgate-test-'));
  await chmod(parent, 0o755);
  native = join(parent, 'node_modules', 'package', 'native');
  await mkdir(native, { recursive: true });
  await cp(join(findPackage(), '..', 'package.json'), join(native, '..', 'package.json'));
  await cp(findPackage(), native, {
    recursive: true,
    filter: async (path) => !(await lstat(path)).isSymbolicLink(),
  });
  await chmod(join(parent, 'node_modules'), 0o700);
});
after(() => rm(parent, { recursive: true, force: true }));

async function makeDataFolder(name: string): Promise<string> {
  const data_dir = join(parent, name);
  await mkdir(data_dir);
  return data_dir;
}

async function version(binaries: string, program: string): Promise<string> {
  const { stdout } = await promisify(execFile)(join(binaries, 'bin', program), ['--version'], { ...account, cwd: '/' });
  return stdout;
}

test('the package is used in place when it is complete and accessible', async () => {
  const data_dir = await makeDataFolder('untouched');
  assert.equal(await usableBinaries({ native: findPackage(), data_dir, account: undefined }), findPackage());
  assert.deepEqual(await readdir(data_dir), []);
});

test('programs that are inaccessible or lack library links run from a copy that only our user can change', async () => {
  const data_dir = await makeDataFolder('repaired');
  const binaries = await usableBinaries({ native, data_dir, account });
  assert.equal((await readdir(data_dir)).length, 1);
  assert.match(await version(binaries, 'postgres'), /PostgreSQL\) 18/);
  assert.match(await version(binaries, 'initdb'), /PostgreSQL\) 18/);
  const { uid, mode } = await stat(binaries);
  assert.deepEqual([uid, mode & 0o777], [process.getuid?.(), 0o755]);
});

test('a cluster can be created by programs that run from a copy in a private data folder', async () => {
  const folder = await openFolder(join(parent, 'private'), async () => false);
  const binaries = await usableBinaries({ native, data_dir: folder.data_dir, account: folder.account });
  assert.notEqual(binaries, native);
  await prepareCluster(folder, binaries);
  assert.ok((await stat(join(folder.cluster, 'PG_VERSION'))).isFile());
});

test('a copy is made once, and again when it was truncated or others could write to it', async () => {
  const data_dir = await makeDataFolder('again');
  const binaries = await usableBinaries({ native, data_dir, account });
  const made = async () => (await stat(binaries)).ino;
  const first = await made();
  await usableBinaries({ native, data_dir, account });
  assert.equal(await made(), first);

  await truncate(join(binaries, 'bin', 'initdb'), 100);
  await usableBinaries({ native, data_dir, account });
  assert.match(await version(binaries, 'initdb'), /PostgreSQL\) 18/);

  await chmod(binaries, 0o777);
  await usableBinaries({ native, data_dir, account });
  assert.equal((await stat(binaries)).mode & 0o777, 0o755);
});

test('on a system without a package the error says to set DATABASE_URL', () => {
  assert.throws(() => findPackage('sunos', 'x64'), /no embedded PostgreSQL for this system.*DATABASE_URL.*14 or newer/);
});
