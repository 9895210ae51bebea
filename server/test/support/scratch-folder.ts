// Where the data of a test's PostgreSQL is: in memory, where the system has such a folder with enough room. To copy and to delete a
// database is to make and to delete 900 files: on a disk that takes five times the processor time, and more of waiting.

import { mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
/** A whole run takes less than half of it. A container has 64 MB there unless it is told otherwise. */
const NEEDED_BYTES = 2 * 1024 ** 3;

/** A new folder. Whoever makes it removes it. */
export function makeScratchFolder(prefix: string): string {
  return mkdtempSync(join(hasRoom() ? IN_MEMORY : tmpdir(), prefix));
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false; // not on Linux
  }
}
