// A secret in a file that only its owner can read. Created once and never overwritten, also not by two concurrent starts.

import { link, open, readFile, unlink } from 'node:fs/promises';
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

async function readIfExists(path: string): Promise<string | null> {
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
