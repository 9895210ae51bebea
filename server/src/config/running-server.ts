// server.json in the data folder says where the server of this folder listens, so that commands find it whatever PORT it was
// started with. It holds no secret. A server that was killed leaves it behind: its process is gone then.

import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describeListening } from './listening.ts';

type Listening = { host: string; port: number; public_url: string };

export type RunningServer = Listening & { pid: number; listen_url: string };

/** A name or an address: nothing that makes another host of it inside of a URL. */
const HOST = /^[\w.:-]+$/;

const serverFile = (data_dir: string) => join(data_dir, 'server.json');

/** Returns what removes the file again. With DATABASE_URL the folder may be read-only: commands need HOST and PORT then. */
export async function announceServer({
  data_dir,
  host,
  port,
  public_url,
}: Listening & { data_dir: string }): Promise<() => Promise<void>> {
  const path = serverFile(data_dir);
  const text = JSON.stringify({ pid: process.pid, host, port, public_url });
  await rm(path, { force: true })
    .then(() => writeFile(path, `${text}\n`, { mode: 0o600 }))
    .catch(() => {});
  return async () => {
    // Servers with DATABASE_URL may share the folder: another one may have written it since.
    if (readFile(path)?.pid === process.pid) await rm(path, { force: true }).catch(() => {}); // as after a crash
  };
}

/** Null if none runs. */
export function findServer(data_dir: string): RunningServer | null {
  const found = readFile(serverFile(data_dir));
  return found !== null && isOwnAddress(found.listen_url) && isAlive(found.pid) ? found : null;
}

/** Null also if this user may not read it: the commands of the server's own user find it. */
function readFile(path: string): RunningServer | null {
  try {
    const { pid, host, port, public_url } = JSON.parse(readFileSync(path, 'utf8'));
    const isComplete = Number.isInteger(pid) && typeof host === 'string' && HOST.test(host) && Number.isInteger(port);
    if (!isComplete || URL.parse(public_url)?.origin !== public_url) return null;
    return { pid, host, port, public_url, listen_url: describeListening(host, port).listen_url };
  } catch {
    return null; // there is none, or it is not complete
  }
}

/** A key is never sent to another machine because of a file that somebody put into the folder. */
function isOwnAddress(listen_url: string): boolean {
  const host = URL.parse(listen_url)?.hostname.replace(/^\[|\]$/g, '');
  if (host === undefined || host === 'localhost' || host === '127.0.0.1' || host === '::1') return host !== undefined;
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === host));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
