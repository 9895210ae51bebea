// Makes the PostgreSQL cluster on the first start, all or nothing, and refuses one of another major version.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { lchown, mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { accountForInitdb, handOver } from './embedded-account.ts';
import { entersAsRoot, type Folder, WORKING_FOLDER } from './embedded-folder.ts';

export const USER = 'toolgate';
export const DATABASE = 'postgres';
/** PostgreSQL and initdb see this and nothing else: PG* or locale variables of the user would change what they do. */
export const ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC' };
const MAJOR_VERSION = '18';

export async function prepareCluster(folder: Folder, binaries: string): Promise<void> {
  const versionFile = join(folder.cluster, 'PG_VERSION');
  if (!existsSync(versionFile)) {
    try {
      await createCluster(folder, binaries);
    } catch (error) {
      // Another server that starts at the same moment may have been faster; the lock then decides between the two.
      if (!existsSync(versionFile)) throw error;
    }
  }
  const found = (await readFile(versionFile, 'utf8')).trim();
  if (found !== MAJOR_VERSION) throw new Error(otherVersion(folder, found));
}

/** Removes what starts that were killed half-way left behind. Only for the holder of the folder's lock. */
export async function sweepDrafts({ data_dir }: Folder): Promise<void> {
  for (const name of await readdir(data_dir)) {
    if (name.startsWith('postgres.new-'))
      await rm(join(data_dir, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Built beside its place and renamed into it, so that a start killed at any moment leaves no half-made cluster. */
async function createCluster({ data_dir, cluster, account, password }: Folder, binaries: string): Promise<void> {
  const draft = await mkdtemp(join(data_dir, 'postgres.new-'));
  try {
    const made = join(draft, 'cluster');
    const passwordFile = join(draft, 'password');
    await mkdir(made, { mode: 0o700 });
    await writeFile(passwordFile, password, { mode: 0o600 });
    const maker = account && (await accountForInitdb());
    if (maker) for (const path of [passwordFile, made, draft]) await lchown(path, maker.uid, maker.gid);
    const here = maker && entersAsRoot ? WORKING_FOLDER : made;
    const options = [
      `--pgdata=${here}`,
      `--username=${USER}`,
      // Not join(): it would fold `cwd/..` before the system can follow the link.
      `--pwfile=${here}/../password`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // The builtin provider sorts alike on every machine, whatever its libc.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--data-checksums',
    ];
    await promisify(execFile)(join(binaries, 'bin', 'initdb'), options, { ...maker, cwd: made, env: ENVIRONMENT });
    if (account) {
      await lchown(draft, 0, 0);
      await handOver(made, account);
    }
    await rename(made, cluster).catch((cause) => {
      throw new Error(`${cluster} exists but holds no PostgreSQL cluster: move it away`, { cause });
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

function otherVersion({ data_dir, cluster }: Folder, found: string): string {
  const client = `-h ${cluster} -U ${USER}`;
  return [
    `${cluster} was made by PostgreSQL ${found}, and this toolgate brings PostgreSQL ${MAJOR_VERSION}. To move the data:`,
    `  1. start the toolgate that made it, and run: pg_dump ${client} -Fc -f toolgate.dump ${DATABASE}`,
    `     (the password is in ${join(data_dir, 'postgres.password')})`,
    `  2. stop it, move ${cluster} away, start this toolgate, and run:`,
    `     pg_restore ${client} --clean --if-exists -d ${DATABASE} toolgate.dump`,
    '  3. restart toolgate.',
    'Or restore the dump into a PostgreSQL of your own and set DATABASE_URL to it.',
  ].join('\n');
}
