// A short text in a file of the data folder: made by whoever comes first, read by everybody after.

import { randomBytes } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';

/** Of two servers that start at once the first link counts, and both read the same text. */
export async function keepOnce(file: string, make: () => string | Promise<string>): Promise<string> {
  const kept = await readFile(file, 'utf8').catch(unlessCode('ENOENT'));
  if (kept !== undefined) return kept.trim();

  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${await make()}\n`);
    await handle.sync();
    await link(draft, file).catch(unlessCode('EEXIST'));
  } finally {
    await handle.close();
    await rm(draft, { force: true });
  }
  return (await readFile(file, 'utf8')).trim();
}

export function unlessCode(...codes: string[]): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (!codes.includes(error.code ?? '')) throw error;
  };
}
