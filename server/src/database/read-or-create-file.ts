// A short text in a file of the data folder, created by the first process and read by all later ones.

import { randomBytes } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';

/** When two servers start at the same time, the first link succeeds, and both read the same text. */
export async function readOrCreateFile(file: string, create: () => string | Promise<string>): Promise<string> {
  const existing = await readFile(file, 'utf8').catch(ignoreErrorCodes('ENOENT'));
  if (existing !== undefined) return existing.trim();

  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${await create()}\n`);
    await handle.sync();
    await link(draft, file).catch(ignoreErrorCodes('EEXIST'));
  } finally {
    await handle.close();
    await rm(draft, { force: true });
  }
  return (await readFile(file, 'utf8')).trim();
}

export function ignoreErrorCodes(...codes: string[]): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (!codes.includes(error.code ?? '')) throw error;
  };
}
