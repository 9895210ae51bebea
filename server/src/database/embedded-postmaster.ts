// PostgreSQL's main process (the postmaster) on one cluster: launch it, find a running one, signal it.

import { execFile, spawn } from 'node:child_process';
import { open, readFile, rm, stat, truncate } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { ENVIRONMENT } from './embedded-cluster.ts';
import { type Folder, setsCwdAsRoot, WORKING_FOLDER } from './embedded-folder.ts';
import { MAX_PER_PROCESS } from './pool-sizes.ts';
import { ignoreErrorCodes } from './read-or-create-file.ts';

export type Address = { host: string; port: number };
export type Postmaster = { pid: number; address: Address | undefined; is_stopping: boolean };
export type LaunchedPostmaster = { pid: number | undefined; has_ended: boolean; problem: Error | undefined };

const run = promisify(execFile);
const MAX_LOG_BYTES = 10_000_000;

/** For the lock on the folder, commands of the operator, and those that PostgreSQL reserves. */
const OTHER_CONNECTIONS = 30;
const MIN_CONNECTIONS = 100;

const SETTINGS = {
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  // Saves three processes; at this size the operating system's read-ahead is enough.
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // No statement, parameter or column value may reach the log: errors are reported to the client.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_statement: 'none',
  log_min_duration_statement: '-1',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_checkpoints: 'off',
};

/** Starts PostgreSQL in its own process group, so that a signal to toolgate's group or toolgate's end does not end it. */
export async function launchPostmaster(
  folder: Folder,
  binaries: string,
  { workers, ...address }: Address & { workers: number },
): Promise<LaunchedPostmaster> {
  // While the workers are replaced, there is one more.
  const max_connections = String(Math.max(MIN_CONNECTIONS, MAX_PER_PROCESS * (workers + 1) + OTHER_CONNECTIONS));
  const settings = Object.entries({ max_connections, ...SETTINGS, ...listenSettings(folder, address) }).map(
    ([name, value]) => `-c${name}=${value}`,
  );
  const size = (await stat(folder.log_file).catch(ignoreErrorCodes('ENOENT')))?.size ?? 0;
  if (size > MAX_LOG_BYTES) await truncate(folder.log_file);
  const log = await open(folder.log_file, 'a', 0o600);
  try {
    const here = folder.account && setsCwdAsRoot ? WORKING_FOLDER : folder.cluster;
    const child = spawn(join(binaries, 'bin', 'postgres'), ['-D', here, clusterMarker(folder.cluster), ...settings], {
      ...folder.account,
      cwd: folder.cluster,
      env: ENVIRONMENT,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    const launched: LaunchedPostmaster = { pid: child.pid, has_ended: false, problem: undefined };
    child.on('exit', () => {
      launched.has_ended = true;
    });
    child.on('error', (problem) => {
      launched.problem = problem;
    });
    child.unref();
    return launched;
  } finally {
    await log.close();
  }
}

/** The postmaster that runs on the cluster, whichever process started it. */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(ignoreErrorCodes('ENOENT'));
  // Lines: pid, data folder, start time, port, socket folder, listen address, shared memory, status.
  const [pid, , , port, socket, , , status] = (text ?? '').split('\n');
  if (!(await isPostmaster(Number(pid), cluster))) return undefined;
  const host = process.platform === 'win32' ? '127.0.0.1' : socket === '.' ? cluster : socket;
  return {
    pid: Number(pid),
    address: host && port ? { host, port: Number(port) } : undefined,
    is_stopping: status?.startsWith('stopping') ?? false,
  };
}

/**
 * Removes stale lock files that PostgreSQL does not remove itself: those whose process id another program has now, and empty
 * ones, which a power failure can leave.
 */
export async function clearStaleLocks(cluster: string, { host, port }: Address): Promise<void> {
  for (const file of [join(cluster, 'postmaster.pid'), join(host, `.s.PGSQL.${port}.lock`)]) {
    const found = await stat(file).catch(ignoreErrorCodes('ENOENT'));
    if (!found) continue;
    const pid = Number((await readFile(file, 'utf8')).split('\n')[0]);
    // The lock file of a postmaster that is starting is empty for a moment.
    const is_stale = pid ? isAlive(pid) && !(await isPostmaster(pid, cluster)) : Date.now() - found.mtimeMs > 5_000;
    if (is_stale) await rm(file, { force: true });
  }
}

type StopSignal = 'SIGINT' | 'SIGQUIT' | 'SIGKILL';

export async function signalPostmaster(pid: number, signal: StopSignal, binaries: string): Promise<void> {
  if (process.platform === 'win32') {
    // Node would kill the process there; pg_ctl sends a signal that PostgreSQL handles.
    await run(join(binaries, 'bin', 'pg_ctl.exe'), ['kill', signal.slice(3), String(pid)]);
    return;
  }
  // Its children end with it, unless they are stopped too: then they would keep the shared memory.
  const children = signal === 'SIGKILL' ? await childrenOf(pid) : [];
  for (const each of [pid, ...children]) if (isAlive(each)) process.kill(each, signal);
}

async function childrenOf(pid: number): Promise<number[]> {
  const listed =
    process.platform === 'linux'
      ? readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
      : run('/usr/bin/pgrep', ['-P', String(pid)]).then(({ stdout }) => stdout);
  return (await listed.catch(() => '')).split(/\s+/).filter(Boolean).map(Number);
}

/** A process id may have been reused by another program, so the command line is checked. */
export async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform === 'linux') {
    const [program = '', ...given] = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
    return basename(program) === 'postgres' && given.includes(clusterMarker(cluster));
  }
  const [program, ...options] =
    process.platform === 'win32'
      ? ['tasklist', '/NH', '/FI', `PID eq ${pid}`]
      : ['/bin/ps', '-ww', '-o', 'command=', '-p', String(pid)];
  const { stdout } = await run(program as string, options).catch(() => ({ stdout: '' }));
  return stdout.includes(process.platform === 'win32' ? 'postgres' : ` ${clusterMarker(cluster)} `);
}

/** Identifies the cluster on the command line, which all users can read: in a container even root may not see a process' folder. */
function clusterMarker(cluster: string): string {
  return `-ctoolgate.cluster=${cluster}`;
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function listenSettings({ cluster }: Folder, { host, port }: Address): Record<string, string> {
  const is_socket = host.startsWith('/');
  // Relative to the cluster, since PostgreSQL may be unable to open the absolute path.
  const socket = host === cluster ? '.' : `"${host.replaceAll('"', '""')}"`;
  return {
    port: String(port),
    listen_addresses: is_socket ? '' : host,
    unix_socket_directories: is_socket ? socket : '',
    unix_socket_permissions: '0700',
  };
}
