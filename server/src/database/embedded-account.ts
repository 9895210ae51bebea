// Whom the embedded PostgreSQL runs as. It refuses to run as root; started by root, it gets a user id of its own, which no
// account of the system has and nothing else runs under, kept in the data folder (decision 0055).

import { randomInt } from 'node:crypto';
import { chmod, lchown, lstat, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepOnce, unlessCode } from './keep-once.ts';

export type Account = { uid: number; gid: number };

const ROOT = 0;
/** Many unrelated services run as nobody: each could read and change what PostgreSQL owns. */
const NOBODY = 65_534;
/** Neither Debian nor systemd gives these to anybody, and the user namespace of a container has them. */
const FIRST_UID = 60_706;
const LAST_UID = 61_183;
const IDLE_WITHIN_MS = 60_000;

type Place = { data_dir: string; cluster: string };

/** Undefined: as ourselves. A stopped cluster of root or nobody is handed over to an account of its own. */
export async function chooseAccount(
  { data_dir, cluster }: Place,
  isRunning: (cluster: string) => Promise<boolean>,
): Promise<Account | undefined> {
  const us = process.getuid?.();
  if (us === undefined) return undefined;
  const owner = await stat(cluster).catch(unlessCode('ENOENT'));
  if (us !== ROOT && owner && owner.uid !== us) {
    throw new Error(
      `${cluster} belongs to user ${owner.uid}, but toolgate runs as user ${us}: ` +
        `run it as that user, or give it the folder with: chown -R ${us} ${data_dir}`,
    );
  }
  if (owner && (owner.mode & 0o777) !== 0o700) await chmod(cluster, 0o700);
  if (us !== ROOT) return undefined;
  const is_shared = owner?.uid === ROOT || owner?.uid === NOBODY;
  // One that a killed server of an older version left running is adopted as it is, and handed over by the next start.
  if (owner && (!is_shared || (await isRunning(cluster)))) return { uid: owner.uid, gid: owner.gid };

  const uid = await keepUid(join(data_dir, 'postgres.uid'));
  const account = { uid, gid: uid };
  if (owner) await handOver(cluster, account);
  return account;
}

/**
 * Whom initdb runs as: it insists on an entry in /etc/passwd, which our own user id has not. An account under which
 * nothing runs cannot meddle; what initdb made is handed over when it has ended.
 */
export async function accountForInitdb(): Promise<Account> {
  const known = (await idsIn('/etc/passwd')).filter(({ uid }) => uid !== ROOT && uid !== NOBODY);
  if (known.length === 0) {
    throw new Error(
      'started by root, PostgreSQL needs an account other than root and nobody in /etc/passwd: ' +
        'run toolgate as an ordinary user, or set DATABASE_URL',
    );
  }
  for (const deadline = performance.now() + IDLE_WITHIN_MS; performance.now() < deadline; await sleep(100)) {
    const busy = await busyUids();
    // Accounts of the system first: those of people come later.
    const idle = known.sort((a, b) => a.uid - b.uid).find(({ uid }) => !busy.has(uid));
    if (idle) return idle;
  }
  throw new Error('under every account in /etc/passwd something runs: run toolgate as an ordinary user');
}

/** Parents first: once a folder is handed over, its former owner can no longer exchange what lies in it for a link. */
export async function handOver(path: string, account: Account): Promise<void> {
  await lchown(path, account.uid, account.gid);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) {
      await handOver(inner, account);
      continue;
    }
    if ((await lstat(inner)).nlink > 1) throw new Error(`${inner} has a second name elsewhere: remove one of them`);
    await lchown(inner, account.uid, account.gid);
  }
}

async function keepUid(file: string): Promise<number> {
  const uid = Number(await keepOnce(file, pickUid));
  if (!Number.isSafeInteger(uid) || uid <= ROOT || uid === NOBODY) {
    throw new Error(`${file} holds no user id for PostgreSQL: delete it and a new one is chosen`);
  }
  return uid;
}

async function pickUid(): Promise<string> {
  const taken = await busyUids();
  for (const { uid, gid } of await idsIn('/etc/passwd')) taken.add(uid).add(gid);
  for (const { uid: gid } of await idsIn('/etc/group')) taken.add(gid);
  const all = Array.from({ length: LAST_UID - FIRST_UID + 1 }, (_, i) => FIRST_UID + i);
  const free = all.filter((uid) => !taken.has(uid));
  const uid = free[randomInt(Math.max(1, free.length))];
  if (uid === undefined) throw new Error(`no user id from ${FIRST_UID} to ${LAST_UID} is free for PostgreSQL`);
  return String(uid);
}

/** Of lines like `name:x:uid:gid:…`. */
async function idsIn(file: string): Promise<Account[]> {
  const text = (await readFile(file, 'utf8').catch(unlessCode('ENOENT'))) ?? '';
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => /^\d+$/.test(fields[2] ?? ''))
    .map(([, , uid, gid]) => ({ uid: Number(uid), gid: Number(gid) }));
}

/** The user ids of everything that runs. Where there is no /proc, none is known. */
async function busyUids(): Promise<Set<number>> {
  const busy = new Set<number>();
  for (const pid of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(pid)) continue;
    // Not the owner of the folder: that is root where a process gave up root by itself.
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''); // it may have ended
    for (const uid of /^Uid:(.*)$/m.exec(status)?.[1]?.trim().split(/\s+/) ?? []) busy.add(Number(uid));
  }
  return busy;
}
