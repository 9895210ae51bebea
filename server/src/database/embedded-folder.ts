// The data folder as the embedded PostgreSQL needs it: that the account it runs under can get in, the password kept beside the cluster, and the place of its socket.

import { createHash, randomBytes } from 'node:crypto';
import { chmod, chown, lchown, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Account, chooseAccount } from './embedded-account.ts';
import { keepOnce, unlessCode } from './keep-once.ts';

export type Folder = {
  data_dir: string;
  cluster: string;
  log_file: string;
  /** Whom PostgreSQL runs as when we are root, which it refuses; undefined: as ourselves. */
  account: Account | undefined;
  password: string;
};

// The shortest sun_path among the systems we run on is macOS' 104 bytes, with its terminating zero.
const LONGEST_SOCKET_PATH = 103;

/**
 * On Linux a program is put into its working folder before it gives up root, and /proc/self/cwd leads there whatever lies
 * above: so a cluster below a closed folder, such as root's home, needs nobody to open that folder.
 */
export const entersAsRoot = process.platform === 'linux';
export const WORKING_FOLDER = '/proc/self/cwd';

/** `isRunning` tells whether a PostgreSQL runs on a cluster: such a one does not change hands. */
export async function openFolder(given: string, isRunning: (cluster: string) => Promise<boolean>): Promise<Folder> {
  await mkdir(dirname(given), { recursive: true });
  await mkdir(given, { mode: 0o700 }).catch(unlessCode('EEXIST'));
  const data_dir = await realpath(given);
  const cluster = join(data_dir, 'postgres');
  const account = await chooseAccount({ data_dir, cluster }, isRunning);
  if (account && !entersAsRoot) await letIn(account, data_dir);
  const password = await keepOnce(join(data_dir, 'postgres.password'), () => randomBytes(32).toString('hex'));
  return { data_dir, cluster, log_file: join(data_dir, 'postgres.log'), account, password };
}

/** A place beside the cluster, or in the temporary folder when PostgreSQL's account cannot get to the data folder. */
export async function placeFor(
  name: string,
  { data_dir, account }: Pick<Folder, 'data_dir' | 'account'>,
): Promise<string> {
  if (!account) return join(data_dir, name);
  if ((await blockedAt(account, dirname(data_dir))) === undefined) await letThrough(account, data_dir);
  return (await blockedAt(account, data_dir)) ? temporaryPlace(name, data_dir) : join(data_dir, name);
}

/**
 * Where the socket lies: in the cluster, private already, so that whoever shares the folder, from another container
 * too, meets the PostgreSQL that runs on it. Elsewhere only when that path is too long for a socket.
 */
export function socketFolder({ data_dir, cluster, account }: Pick<Folder, 'data_dir' | 'cluster' | 'account'>): string {
  const is_short = Buffer.byteLength(join(cluster, '.s.PGSQL.5432')) <= LONGEST_SOCKET_PATH;
  // One for each account: the folder of a former one is not ours to take over.
  return is_short ? cluster : temporaryPlace(account ? `socket-${account.uid}` : 'socket', data_dir);
}

function temporaryPlace(name: string, data_dir: string): string {
  return join(tmpdir(), `toolgate-${createHash('sha256').update(data_dir).digest('hex').slice(0, 16)}-${name}`);
}

/** Makes sure that only PostgreSQL's account, and root, can enter the folder. */
export async function makePrivate(folder: string, account: Account | undefined): Promise<void> {
  const us = process.getuid?.();
  const owner = account?.uid ?? us;
  await mkdir(folder, { mode: 0o700 }).catch(unlessCode('EEXIST'));
  const found = await lstat(folder);
  // In a temporary folder anybody could have made it first and would then own our socket.
  if (!found.isDirectory() || (found.mode & 0o077) !== 0 || (found.uid !== owner && found.uid !== us)) {
    throw new Error(`${folder} is not a private folder of ours: remove it, or set TOOLGATE_DATA_DIR to a shorter path`);
  }
  if (!account) return;
  // lchown: whoever swaps the folder for a symbolic link now must not be given its target.
  await lchown(folder, account.uid, account.gid);
  await refuseIfBlocked(account, folder);
}

/** The first folder or file on the way to `path` that the account may not enter or execute. */
export async function blockedAt(account: Account, path: string): Promise<string | undefined> {
  const above = dirname(path) === path ? undefined : await blockedAt(account, dirname(path));
  if (above !== undefined) return above;
  const { uid, gid, mode } = await stat(path);
  const execute = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  return (mode & execute) === 0 ? path : undefined;
}

async function letIn(account: Account, data_dir: string): Promise<void> {
  await letThrough(account, data_dir);
  await refuseIfBlocked(account, data_dir);
}

/** If the folder is root's alone, lets the account pass through it as well. */
async function letThrough(account: Account, data_dir: string): Promise<void> {
  const { uid, mode } = await stat(data_dir);
  if (uid === 0 && (mode & 0o077) === 0) {
    // Passing through is enough: what lies inside stays unlisted, and closed to all but its owner.
    await chown(data_dir, 0, account.gid);
    await chmod(data_dir, 0o710);
  }
}

async function refuseIfBlocked(account: Account, path: string): Promise<void> {
  const blocked = await blockedAt(account, path);
  if (blocked === undefined) return;
  throw new Error(
    `PostgreSQL does not run as root, and the account it runs under instead (uid ${account.uid}) cannot enter ${blocked}: ` +
      'set TOOLGATE_DATA_DIR to a folder outside it, for example /var/lib/toolgate, or run toolgate as an ordinary user',
  );
}
