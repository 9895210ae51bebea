// Creates the PostgreSQL cluster on the first start, atomically, and refuses a cluster of another major version.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { lchown, mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { accountForInitdb, changeOwner } from './embedded-account.ts';
import { type Folder, setsCwdAsRoot, WORKING_FOLDER } from './embedded-folder.ts';

export const USER = 'toolgate';
export const DATABASE = 'postgres';
/** The whole environment of PostgreSQL and initdb: PG* or locale variables of the user would change their behavior. */
export const ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC' };
const MAJOR_VERSION = '18';

export async function prepareCluster(folder: Folder, binaries: string): Promise<void> {
  const versionFile = join(folder.cluster, 'PG_VERSION');
  if (!existsSync(versionFile)) {
    try {
      await createCluster(folder, binaries);
    } catch (error) {
      // Another server that starts at the same time may have created it; the lock then decides between the two.
      if (!existsSync(versionFile)) throw error;
    }
  }
  const found = (await readFile(versionFile, 'utf8')).trim();
  if (found !== MAJOR_VERSION) throw new Error(versionMismatchMessage(folder, found));
}

/** Removes what a first start left that was killed. Only for the holder of the folder's lock. */
export async function removeUnfinishedClusters({ data_dir }: Folder): Promise<void> {
  for (const name of await readdir(data_dir)) {
    if (name.startsWith('postgres.new-'))
      await rm(join(data_dir, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Created in a temporary folder and renamed, so that a start killed at any moment leaves no incomplete cluster. */
async function createCluster({ data_dir, cluster, account, password }: Folder, binaries: string): Promise<void> {
  const draft = await mkdtemp(join(data_dir, 'postgres.new-'));
  try {
    const newCluster = join(draft, 'cluster');
    const passwordFile = join(draft, 'password');
    await mkdir(newCluster, { mode: 0o700 });
    await writeFile(passwordFile, password, { mode: 0o600 });
    // With the group of PostgreSQL's account, which may enter the data folder: the programs may be in it.
    const initdbAccount = account && { ...(await accountForInitdb()), gid: account.gid };
    if (initdbAccount)
      for (const path of [passwordFile, newCluster, draft]) await lchown(path, initdbAccount.uid, initdbAccount.gid);
    const here = initdbAccount && setsCwdAsRoot ? WORKING_FOLDER : newCluster;
    const options = [
      `--pgdata=${here}`,
      `--username=${USER}`,
      // Not join(): it would resolve `cwd/..` before the system follows the link.
      `--pwfile=${here}/../password`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // The builtin provider sorts the same on every machine, independent of libc.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--data-checksums',
    ];
    await promisify(execFile)(join(binaries, 'bin', 'initdb'), options, {
      ...initdbAccount,
      cwd: newCluster,
      env: ENVIRONMENT,
    });
    if (account) {
      await lchown(draft, 0, 0);
      await changeOwner(newCluster, account);
    }
    await rename(newCluster, cluster).catch((cause) => {
      throw new Error(`${cluster} exists but contains no PostgreSQL cluster: move it away`, { cause });
    });
    await syncFolder(data_dir);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function versionMismatchMessage({ data_dir, cluster }: Folder, found: string): string {
  const client = `-h ${cluster} -U ${USER}`;
  return [
    `${cluster} was created by PostgreSQL ${found}, but this toolgate includes PostgreSQL ${MAJOR_VERSION}. To move the data:`,
    `  1. start the toolgate that created it, and run: pg_dump ${client} -Fc -f toolgate.dump ${DATABASE}`,
    `     (the password is in ${join(data_dir, 'postgres.password')})`,
    `  2. stop it, move ${cluster} away, start this toolgate, and run:`,
    `     pg_restore ${client} --clean --if-exists -d ${DATABASE} toolgate.dump`,
    '  3. restart toolgate.',
    'Or restore the dump into your own PostgreSQL and set DATABASE_URL to it.',
  ].join('\n');
}
