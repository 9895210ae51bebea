// PostgreSQL's main process (the postmaster) on one cluster: launch it, find a running one, signal it.

import { execFile, spawn } from 'node:child_process';
import { open, readFile, rm, stat, truncate } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { ENVIRONMENT } from './embedded-cluster.ts';
import { entersAsRoot, type Folder, WORKING_FOLDER } from './embedded-folder.ts';
import { unlessCode } from './keep-once.ts';

export type Address = { host: string; port: number };
export type Postmaster = { pid: number; address: Address | undefined; is_stopping: boolean };
export type Launched = { pid: number | undefined; has_ended: boolean; problem: Error | undefined };

const run = promisify(execFile);
const LONGEST_LOG_BYTES = 10_000_000;

const SETTINGS = {
  max_connections: '100',
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  // Three processes fewer; at this size the operating system's read-ahead does their work.
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // No statement, parameter or column value may reach the log: errors are told to the client, which is us.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_statement: 'none',
  log_min_duration_statement: '-1',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_checkpoints: 'off',
};

/** Starts PostgreSQL in a process group of its own, so that neither a signal to ours nor our death takes it along. */
export async function launchPostmaster(folder: Folder, binaries: string, address: Address): Promise<Launched> {
  const settings = Object.entries({ ...SETTINGS, ...listening(folder, address) }).map(
    ([name, value]) => `-c${name}=${value}`,
  );
  const size = (await stat(folder.log_file).catch(unlessCode('ENOENT')))?.size ?? 0;
  if (size > LONGEST_LOG_BYTES) await truncate(folder.log_file);
  const log = await open(folder.log_file, 'a', 0o600);
  try {
    const here = folder.account && entersAsRoot ? WORKING_FOLDER : folder.cluster;
    const child = spawn(join(binaries, 'bin', 'postgres'), ['-D', here, mark(folder.cluster), ...settings], {
      ...folder.account,
      cwd: folder.cluster,
      env: ENVIRONMENT,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    const launched: Launched = { pid: child.pid, has_ended: false, problem: undefined };
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

/** The postmaster that runs on the cluster now, whoever started it. */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(unlessCode('ENOENT'));
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
 * Removes lock files that would keep PostgreSQL from starting although their postmaster is gone: those whose process
 * number another program has now, and empty ones, which a power cut can leave. It deals with all others itself.
 */
export async function clearStaleLocks(cluster: string, { host, port }: Address): Promise<void> {
  for (const file of [join(cluster, 'postmaster.pid'), join(host, `.s.PGSQL.${port}.lock`)]) {
    const found = await stat(file).catch(unlessCode('ENOENT'));
    if (!found) continue;
    const pid = Number((await readFile(file, 'utf8')).split('\n')[0]);
    // A postmaster that is starting now leaves its lock file empty for an instant.
    const is_stale = pid ? isAlive(pid) && !(await isPostmaster(pid, cluster)) : Date.now() - found.mtimeMs > 5_000;
    if (is_stale) await rm(file, { force: true });
  }
}

type StopSignal = 'SIGINT' | 'SIGQUIT' | 'SIGKILL';

export async function signalPostmaster(pid: number, signal: StopSignal, binaries: string): Promise<void> {
  if (process.platform === 'win32') {
    // Node ends a process outright there; PostgreSQL's own tool sends the signal it understands.
    await run(join(binaries, 'bin', 'pg_ctl.exe'), ['kill', signal.slice(3), String(pid)]);
    return;
  }
  // Its children end by themselves when it does, unless they are frozen too: then they would hold the shared memory.
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

/** A process number alone proves nothing, it may have been given to another program: so its command line is looked at. */
export async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform === 'linux') {
    const [program = '', ...given] = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
    return basename(program) === 'postgres' && given.includes(mark(cluster));
  }
  const [program, ...options] =
    process.platform === 'win32'
      ? ['tasklist', '/NH', '/FI', `PID eq ${pid}`]
      : ['/bin/ps', '-ww', '-o', 'command=', '-p', String(pid)];
  const { stdout } = await run(program as string, options).catch(() => ({ stdout: '' }));
  return stdout.includes(process.platform === 'win32' ? 'postgres' : ` ${mark(cluster)} `);
}

/** Names the cluster on the command line, which everybody may read: in a container even root may not see a process' folder. */
function mark(cluster: string): string {
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

function listening({ cluster }: Folder, { host, port }: Address): Record<string, string> {
  const is_socket = host.startsWith('/');
  // PostgreSQL works in its cluster, which it may be unable to reach by its whole path.
  const socket = host === cluster ? '.' : `"${host.replaceAll('"', '""')}"`;
  return {
    port: String(port),
    listen_addresses: is_socket ? '' : host,
    unix_socket_directories: is_socket ? socket : '',
    unix_socket_permissions: '0700',
  };
}
