// PostgreSQL and Redis of this machine, each as a process of its own on a free port. Null: it is not installed.

import { spawn, spawnSync } from 'node:child_process';
import { chownSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../server/test/support/servers/free-port.ts';
import { waitUntil } from '../../server/test/support/wait-until.ts';
import { supervise } from '../processes.ts';

export type Store = { url: string; pid: number; version: string; stop(): Promise<void> };

const PASSWORD = 'a-password-of-the-bench';

/** The newest one of Debian's folders, with its default settings. */
export async function startPostgres(folder: string): Promise<Store | null> {
  const bin = globSync('/usr/lib/postgresql/*/bin')
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .at(-1);
  if (bin === undefined) return null;
  const data = join(folder, 'external-postgres');
  mkdirSync(data, { mode: 0o700 });
  const password_file = join(folder, 'password');
  writeFileSync(password_file, PASSWORD);
  const account = accountOf('postgres');
  if (account) for (const path of [data, password_file]) chownSync(path, account.uid, account.gid);
  const options = { cwd: '/', ...account };
  const flags = ['-D', data, '-U', 'toolgate', '-E', 'UTF8', '--locale=C.UTF-8', '-A', 'scram-sha-256'];
  const { status, stderr } = spawnSync(join(bin, 'initdb'), [...flags, `--pwfile=${password_file}`], options);
  if (status !== 0) throw new Error(`initdb: ${stderr}`);
  const port = await freePort();
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: '200' };
  const set = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...set], { ...options, stdio: 'ignore' });
  const { stop } = supervise(child, 'SIGINT');
  const url = `postgres://toolgate:${PASSWORD}@127.0.0.1:${port}/postgres`;
  await waitUntil(() => accepts(url), 30_000, 'PostgreSQL accepts connections');
  return { url, pid: child.pid as number, version: versionOf(join(bin, 'postgres')), stop };
}

/** PostgreSQL refuses to run as root. */
function accountOf(name: string): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}

async function accepts(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  await client.connect();
  await client.end();
  return true;
}

export async function startRedis(folder: string): Promise<Store | null> {
  const program = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0);
  if (program === undefined) return null;
  const port = await freePort();
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const child = spawn(program, flags, { stdio: 'ignore' });
  const { stop } = supervise(child);
  return { url: `redis://127.0.0.1:${port}`, pid: child.pid as number, version: versionOf(program), stop };
}

/** Such as `15.19`. */
export function versionOf(program: string, flag = '--version'): string {
  const { stdout, stderr } = spawnSync(program, [flag], { encoding: 'utf8' });
  return /\d+\.\d+(\.\d+)?/.exec(`${stdout}${stderr}`)?.[0] ?? 'unknown version';
}
