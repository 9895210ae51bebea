// The user id of the embedded PostgreSQL. It refuses to run as root; started by root, it gets a user id that no account of the
// system has and no other process uses, stored in the data folder (docs/design/storage.md).

import { randomInt } from 'node:crypto';
import { chmod, lchown, lstat, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ignoreErrorCodes, readOrCreateFile } from './read-or-create-file.ts';

export type Account = { uid: number; gid: number };

const ROOT = 0;
/** Many unrelated services run as nobody: each could read and change PostgreSQL's files. */
const NOBODY = 65_534;
/** Neither Debian nor systemd assigns these, and they exist in the user namespace of a container. */
const FIRST_UID = 60_706;
const LAST_UID = 61_183;
const IDLE_WITHIN_MS = 60_000;

type ClusterPaths = { data_dir: string; cluster: string };

/** Returns undefined for our own user. A stopped cluster owned by root or nobody gets an owner of its own. */
export async function chooseAccount(
  { data_dir, cluster }: ClusterPaths,
  isRunning: (cluster: string) => Promise<boolean>,
): Promise<Account | undefined> {
  const us = process.getuid?.();
  if (us === undefined) return undefined;
  const owner = await stat(cluster).catch(ignoreErrorCodes('ENOENT'));
  if (us !== ROOT && owner && owner.uid !== us) {
    throw new Error(
      `${cluster} belongs to user ${owner.uid}, but toolgate runs as user ${us}: ` +
        `run it as that user, or change the owner of the folder: chown -R ${us} ${data_dir}`,
    );
  }
  if (owner && (owner.mode & 0o777) !== 0o700) await chmod(cluster, 0o700);
  if (us !== ROOT) return undefined;
  const is_shared = owner?.uid === ROOT || owner?.uid === NOBODY;
  // A cluster that a killed server of an older version left running keeps its owner until the next start.
  if (owner && (!is_shared || (await isRunning(cluster)))) return { uid: owner.uid, gid: owner.gid };

  const uid = await readOrChooseUid(join(data_dir, 'postgres.uid'));
  const account = { uid, gid: uid };
  if (owner) await changeOwner(cluster, account);
  return account;
}

/**
 * The account for initdb, which requires an entry in /etc/passwd; the user id chosen above has none. An account without
 * processes cannot interfere; the files change their owner when initdb has ended.
 */
export async function accountForInitdb(): Promise<Account> {
  const known = (await readIds('/etc/passwd')).filter(({ uid }) => uid !== ROOT && uid !== NOBODY);
  if (known.length === 0) {
    throw new Error(
      'started by root, PostgreSQL needs an account other than root and nobody in /etc/passwd: ' +
        'run toolgate as an ordinary user, or set DATABASE_URL',
    );
  }
  for (const deadline = performance.now() + IDLE_WITHIN_MS; performance.now() < deadline; await sleep(100)) {
    const busy = await uidsInUse();
    // System accounts first: they have lower ids than people's accounts.
    const idle = known.sort((a, b) => a.uid - b.uid).find(({ uid }) => !busy.has(uid));
    if (idle) return idle;
  }
  throw new Error('every account in /etc/passwd is in use: run toolgate as an ordinary user');
}

/** Parents first: then the former owner of a folder can no longer replace its files by links. */
export async function changeOwner(path: string, account: Account): Promise<void> {
  await lchown(path, account.uid, account.gid);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) {
      await changeOwner(inner, account);
      continue;
    }
    if ((await lstat(inner)).nlink > 1)
      throw new Error(`${inner} has a second hard link elsewhere: remove one of them`);
    await lchown(inner, account.uid, account.gid);
  }
}

async function readOrChooseUid(file: string): Promise<number> {
  const uid = Number(await readOrCreateFile(file, chooseFreeUid));
  if (!Number.isSafeInteger(uid) || uid <= ROOT || uid === NOBODY) {
    throw new Error(`${file} contains no user id for PostgreSQL: delete it, and a new one is chosen`);
  }
  return uid;
}

async function chooseFreeUid(): Promise<string> {
  const taken = await uidsInUse();
  for (const { uid, gid } of await readIds('/etc/passwd')) taken.add(uid).add(gid);
  for (const { uid: gid } of await readIds('/etc/group')) taken.add(gid);
  const all = Array.from({ length: LAST_UID - FIRST_UID + 1 }, (_, i) => FIRST_UID + i);
  const free = all.filter((uid) => !taken.has(uid));
  const uid = free[randomInt(Math.max(1, free.length))];
  if (uid === undefined) throw new Error(`no user id from ${FIRST_UID} to ${LAST_UID} is free for PostgreSQL`);
  return String(uid);
}

/** Reads lines like `name:x:uid:gid:…`. */
async function readIds(file: string): Promise<Account[]> {
  const text = (await readFile(file, 'utf8').catch(ignoreErrorCodes('ENOENT'))) ?? '';
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => /^\d+$/.test(fields[2] ?? ''))
    .map(([, , uid, gid]) => ({ uid: Number(uid), gid: Number(gid) }));
}

/** The user ids of all running processes; empty without /proc. */
async function uidsInUse(): Promise<Set<number>> {
  const busy = new Set<number>();
  for (const pid of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(pid)) continue;
    // Not the owner of the folder, which stays root for a process that dropped root itself.
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''); // it may have ended
    for (const uid of /^Uid:(.*)$/m.exec(status)?.[1]?.trim().split(/\s+/) ?? []) busy.add(Number(uid));
  }
  return busy;
}
