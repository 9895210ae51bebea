// A secret in a file that only its owner can read. A start creates it once and never overwrites it, also not when two start
// at the same time; only a command of the operator replaces it.

import { link, open, readFile, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { randomBase62 } from '../base62.ts';

export async function loadOrMakeSecretFile(path: string, generate: () => string): Promise<string> {
  const existing = await readIfExists(path);
  if (existing !== null) return existing;

  const draft = `${path}.${randomBase62(8)}`;
  try {
    await writeDurably(draft, `${generate()}\n`);
    // Unlike rename, link fails when the file exists: the first one is kept.
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft).catch(() => {}); // it does not exist when writing failed
  }
  await syncFolder(dirname(path));
  return (await readFile(path, 'utf8')).trim();
}

/** Atomic: after a crash the file holds the old text or the new one. */
export async function replaceSecretFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBase62(8)}`;
  try {
    await writeDurably(draft, `${text}\n`);
    await rename(draft, path);
  } finally {
    await unlink(draft).catch(() => {}); // it was renamed
  }
  await syncFolder(dirname(path));
}

export async function readIfExists(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The directory entry must survive a power failure, or secrets sealed from now on could never be opened. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return; // Windows cannot open a folder
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
