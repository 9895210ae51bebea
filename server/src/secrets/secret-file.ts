// A secret kept in a file only its owner can read. Made once; never overwritten, not even by two starts at the same moment.

import { link, open, readFile, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { randomBase62 } from './tokens.ts';

export async function loadOrMakeSecretFile(path: string, make: () => string): Promise<string> {
  const existing = await readIfThere(path);
  if (existing !== null) return existing;

  const draft = `${path}.${randomBase62(8)}`;
  try {
    await writeDurably(draft, `${make()}\n`);
    // Unlike rename, link fails when the name is taken: the first one stays.
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft).catch(() => {}); // absent when writing it failed
  }
  await syncFolder(dirname(path));
  return (await readFile(path, 'utf8')).trim();
}

async function readIfThere(path: string): Promise<string | null> {
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

/** The name must survive a power cut too, or what is sealed from now on could never be opened. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return; // a folder cannot be opened there
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
