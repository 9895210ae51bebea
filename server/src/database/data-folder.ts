// The data folder (TOOLGATE_DATA_DIR): created if it is missing, and refused with a sentence for the operator if it cannot be used.

import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** `is_written` is false where files in it are only read, so that it may be on a read-only file system. */
export async function prepareDataFolder(data_dir: string, { is_written }: { is_written: boolean }): Promise<void> {
  try {
    await createFolder(data_dir);
    if (is_written) await tryWriting(data_dir);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new Error(
      `the data folder ${data_dir} cannot be written (${code ?? message}): set TOOLGATE_DATA_DIR to a folder that this user can write to`,
      { cause },
    );
  }
}

/** Creates a folder and those above it. Not with `recursive` of mkdir, which never ends for a path such as /proc/x. */
export async function createFolder(path: string): Promise<void> {
  const create = () => mkdir(path, { mode: 0o700 });
  try {
    await create();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && dirname(path) !== path) {
      await createFolder(dirname(path));
      return create();
    }
    const exists = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    // For a folder that exists the code depends on the file system: EEXIST, EROFS, EISDIR.
    if (!exists) throw error;
  }
}

/** The permissions do not tell: root may do everything, and still not write on some file systems. */
async function tryWriting(folder: string): Promise<void> {
  const file = join(folder, `.write-test-${randomUUID()}`);
  await writeFile(file, '', { flag: 'wx' });
  await rm(file);
}
