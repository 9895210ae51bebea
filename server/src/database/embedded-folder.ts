// The data folder of the embedded PostgreSQL: access for its account, the password file, and the location of its socket.

import { createHash, randomBytes } from 'node:crypto';
import { chmod, chown, lchown, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createFolder } from './data-folder.ts';
import { type Account, chooseAccount } from './embedded-account.ts';
import { ignoreErrorCodes, readOrCreateFile } from './read-or-create-file.ts';

export type Folder = {
  data_dir: string;
  cluster: string;
  log_file: string;
  /** The account of PostgreSQL when toolgate runs as root, which PostgreSQL refuses. Undefined: the same as toolgate. */
  account: Account | undefined;
  password: string;
};

// The shortest sun_path of the supported systems is 104 bytes with its terminating zero (macOS).
const MAX_SOCKET_PATH_BYTES = 103;

/**
 * On Linux the working directory of a child process is set before it drops root, and /proc/self/cwd leads there whatever the
 * permissions of the parents. So a cluster can be inside a private folder, such as root's home.
 */
export const setsCwdAsRoot = process.platform === 'linux';
export const WORKING_FOLDER = '/proc/self/cwd';

/** `isRunning`: whether a PostgreSQL runs on the cluster, which then keeps its owner. */
export async function openFolder(given: string, isRunning: (cluster: string) => Promise<boolean>): Promise<Folder> {
  await createFolder(given);
  const data_dir = await realpath(given);
  const cluster = join(data_dir, 'postgres');
  const account = await chooseAccount({ data_dir, cluster }, isRunning);
  if (account && !setsCwdAsRoot) await grantAccess(account, data_dir);
  const password = await readOrCreateFile(join(data_dir, 'postgres.password'), () => randomBytes(32).toString('hex'));
  return { data_dir, cluster, log_file: join(data_dir, 'postgres.log'), account, password };
}

/** A path in the data folder, or in the temporary folder when PostgreSQL's account cannot enter the data folder. */
export async function chooseLocation(
  name: string,
  { data_dir, account }: Pick<Folder, 'data_dir' | 'account'>,
): Promise<string> {
  if (!account) return join(data_dir, name);
  if ((await firstInaccessible(account, dirname(data_dir))) === undefined) await grantTraversal(account, data_dir);
  return (await firstInaccessible(account, data_dir)) ? temporaryPath(name, data_dir) : join(data_dir, name);
}

/**
 * The folder of the socket: the cluster, which is private and also shared with other containers that mount it. Another folder
 * only when that path is too long for a socket.
 */
export function socketFolder({ data_dir, cluster, account }: Pick<Folder, 'data_dir' | 'cluster' | 'account'>): string {
  const is_short = Buffer.byteLength(join(cluster, '.s.PGSQL.5432')) <= MAX_SOCKET_PATH_BYTES;
  // One for each account: the folder of a former account is not reused.
  return is_short ? cluster : temporaryPath(account ? `socket-${account.uid}` : 'socket', data_dir);
}

function temporaryPath(name: string, data_dir: string): string {
  return join(tmpdir(), `toolgate-${createHash('sha256').update(data_dir).digest('hex').slice(0, 16)}-${name}`);
}

/** Makes sure that only PostgreSQL's account, and root, can enter the folder. */
export async function makePrivate(folder: string, account: Account | undefined): Promise<void> {
  const us = process.getuid?.();
  const owner = account?.uid ?? us;
  await mkdir(folder, { mode: 0o700 }).catch(ignoreErrorCodes('EEXIST'));
  const found = await lstat(folder);
  // In a temporary folder any user could have created it first and would then own the socket.
  if (!found.isDirectory() || (found.mode & 0o077) !== 0 || (found.uid !== owner && found.uid !== us)) {
    throw new Error(
      `${folder} is not a private folder of toolgate: remove it, or set TOOLGATE_DATA_DIR to a shorter path`,
    );
  }
  if (!account) return;
  // lchown: if the folder is replaced by a symbolic link now, its target must not change its owner.
  await lchown(folder, account.uid, account.gid);
  await refuseIfBlocked(account, folder);
}

/** The first folder or file on `path` that the account may not enter or execute. */
export async function firstInaccessible(account: Account, path: string): Promise<string | undefined> {
  const above = dirname(path) === path ? undefined : await firstInaccessible(account, dirname(path));
  if (above !== undefined) return above;
  const { uid, gid, mode } = await stat(path);
  const execute = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  return (mode & execute) === 0 ? path : undefined;
}

async function grantAccess(account: Account, data_dir: string): Promise<void> {
  await grantTraversal(account, data_dir);
  await refuseIfBlocked(account, data_dir);
}

/** Lets the account pass through a folder that only root may enter. */
async function grantTraversal(account: Account, data_dir: string): Promise<void> {
  const { uid, mode } = await stat(data_dir);
  if (uid === 0 && (mode & 0o077) === 0) {
    // The execute bit is enough: the folder cannot be listed, and its files stay private.
    await chown(data_dir, 0, account.gid);
    await chmod(data_dir, 0o710);
  }
}

async function refuseIfBlocked(account: Account, path: string): Promise<void> {
  const blocked = await firstInaccessible(account, path);
  if (blocked === undefined) return;
  throw new Error(
    `PostgreSQL does not run as root, and the account it uses instead (uid ${account.uid}) cannot enter ${blocked}: ` +
      'set TOOLGATE_DATA_DIR to a folder outside it, for example /var/lib/toolgate, or run toolgate as an ordinary user',
  );
}
