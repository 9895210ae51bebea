import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { duringFault, type Ledger } from '../ledger.ts';
import { createPostgres } from '../postgres.ts';
import type { Skipped } from '../scenario.ts';
import { openStage } from '../stage.ts';
import { underLoad } from '../under-load.ts';

const SIZE_MB = 256;
const FULL_MS = 5_000;

/** Under load, the file system of PostgreSQL is full for 5 s. If PostgreSQL ends because of it, it is started again, as by a supervisor. */
export async function diskFull(_stage: unknown, options: { seconds: number }): Promise<Ledger | Skipped> {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-faults-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=755`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true });
    return { skipped: 'a small file system cannot be mounted without root' };
  }
  const unmount = () => void execFileSync('umount', ['-l', folder]);
  process.once('exit', unmount); // also when the suite fails
  try {
    const postgres = await createPostgres({ parent: folder, settings: ['max_wal_size=64MB', 'min_wal_size=32MB'] });
    const stage = await openStage({ postgres });
    try {
      return await underLoad(stage, options, ({ ledger }) =>
        duringFault(ledger, async () => {
          const ballast = join(folder, 'ballast');
          const until = performance.now() + FULL_MS;
          for (; performance.now() < until; await sleep(200)) fill(ballast);
          rmSync(ballast);
          const note = postgres.isRunning() ? 'PostgreSQL kept running' : 'PostgreSQL ended and was started again';
          ledger.notes.push(note);
          await postgres.start();
        }),
      );
    } finally {
      await stage.close();
    }
  } finally {
    process.off('exit', unmount);
    unmount();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Adds to the file until the file system has no space left. */
function fill(file: string): void {
  const descriptor = openSync(file, 'a');
  try {
    for (let size = 2 ** 20; size >= 4_096; ) {
      try {
        writeSync(descriptor, Buffer.alloc(size));
      } catch {
        size /= 2;
      }
    }
  } finally {
    closeSync(descriptor);
  }
}
