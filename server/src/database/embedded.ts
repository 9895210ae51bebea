// Starts, adopts, supervises and stops the bundled PostgreSQL. PostgreSQL outlives a killed server, and the next server adopts it.
// So the folder is in use exactly while a server holds one advisory lock, not while a process or a file exists.

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findPackage, usableBinaries } from './embedded-binaries.ts';
import { DATABASE, prepareCluster, removeUnfinishedClusters, USER } from './embedded-cluster.ts';
import type { Folder } from './embedded-folder.ts';
import { makePrivate, openFolder, socketFolder } from './embedded-folder.ts';
import type { Address, LaunchedPostmaster } from './embedded-postmaster.ts';
import {
  clearStaleLocks,
  findPostmaster,
  isPostmaster,
  launchPostmaster,
  signalPostmaster,
} from './embedded-postmaster.ts';

/** Fits pg.ClientConfig. `ssl` and `options` are set so that PGSSLMODE and PGOPTIONS of the user do not apply. */
export type EmbeddedConnection = Address & {
  user: string;
  password: string;
  database: string;
  ssl: false;
  options: string;
};

export type Embedded = { connection: EmbeddedConnection; stop(): Promise<void> };

type Problem = Error & { code?: string };
type EmbeddedServer = { folder: Folder; binaries: string; connection: EmbeddedConnection; workers: number };
type EmbeddedOptions = {
  data_dir: string;
  log: (line: string) => void;
  /** How many processes connect to it. */
  workers?: number;
};

// 'toolgate' in ASCII.
const LOCK = '0x746f6f6c67617465';
const POLL_MS = 20;
const READY_WITHIN_MS = 60_000;
/** After a crash PostgreSQL replays its log before it accepts connections; stopped meanwhile, it would start over. */
const RECOVERED_WITHIN_MS = 600_000;
const CANNOT_CONNECT_NOW = '57P03';
const RETRY_MS = 1_000;
const LOCK_WITHIN_MS = 2_000;
const STOP_WITHIN_MS = 8_000;
/** Ends sessions and writes a checkpoint; ends without a checkpoint; finally SIGKILL, which also ends a stopped process. */
const STOP_SIGNALS = [
  { signal: 'SIGINT', within_ms: 6_000 },
  { signal: 'SIGQUIT', within_ms: 2_000 },
  { signal: 'SIGKILL', within_ms: 1_000 },
] as const;
const MAX_FAILED_STARTS = 6;

export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const native = findPackage();
  const folder = await openFolder(options.data_dir, isRunning);
  const binaries = await usableBinaries({ native, data_dir: folder.data_dir, account: folder.account });
  await prepareCluster(folder, binaries);
  const connection = connectionTo(folder, await chooseAddress(folder));
  const server = { folder, binaries, connection, workers: options.workers ?? 1 };
  const lock = await acquireLock(server, { may_start: true });
  const stop = supervise(server, lock, options.log);
  await removeUnfinishedClusters(folder).catch((error: Error) => options.log(error.message));
  return { connection, stop };
}

/** For a command that runs beside the server: the connection to its PostgreSQL, or undefined when none runs. */
export async function findRunning(data_dir: string): Promise<EmbeddedConnection | undefined> {
  const folder = await openFolder(data_dir, isRunning);
  const running = await findPostmaster(folder.cluster);
  return running?.address && connectionTo(folder, running.address);
}

const isRunning = async (cluster: string) => (await findPostmaster(cluster)) !== undefined;

const connectionTo = ({ password }: Folder, address: Address): EmbeddedConnection => ({
  ...address,
  user: USER,
  password,
  database: DATABASE,
  ssl: false,
  options: '-c timezone=UTC',
});

/** Restarts PostgreSQL whenever it ends, until the returned function stops it. */
function supervise(server: EmbeddedServer, first: pg.Client, log: (line: string) => void): () => Promise<void> {
  let lock: pg.Client | undefined;
  let recovery = Promise.resolve();
  let stopped: Promise<void> | undefined;

  function setLock(client: pg.Client): void {
    lock = client;
    client.once('end', () => {
      lock = undefined;
      if (!stopped) recovery = recover();
    });
  }

  async function recover(): Promise<void> {
    log('the embedded PostgreSQL exited; restarting it');
    while (!stopped) {
      try {
        setLock(await acquireLock(server, { may_start: true, isCancelled: () => stopped !== undefined }));
        return log('the embedded PostgreSQL is running again');
      } catch (error) {
        if (stopped) return;
        log(`the embedded PostgreSQL could not be restarted: ${(error as Error).message}`);
        await sleep(RETRY_MS);
      }
    }
  }

  // After a SIGTERM PostgreSQL keeps open sessions and refuses new ones until all end, and ours does not: end that state.
  async function endSmartShutdown(): Promise<void> {
    const postmaster = lock && (await findPostmaster(server.folder.cluster));
    if (postmaster?.is_stopping && lock) await signalPostmaster(postmaster.pid, 'SIGINT', server.binaries);
  }
  const watch = setInterval(() => {
    endSmartShutdown().catch((error: Error) => log(error.message));
  }, 1_000).unref();

  async function stop(): Promise<void> {
    clearInterval(watch);
    await recovery;
    // Only the holder of the lock may stop PostgreSQL: without it, another server may have adopted it.
    const held = lock ?? (await acquireLock(server, { may_start: false }).catch(() => undefined));
    const running = held && (await findPostmaster(server.folder.cluster));
    if (running) await stopPostmaster(server, running.pid);
    await held?.end().catch(() => undefined);
  }

  setLock(first);
  return () => {
    stopped ??= stop();
    return stopped;
  };
}

type LockOptions = { may_start: boolean; isCancelled?: () => boolean };

/** Connects and acquires the folder's lock; launches PostgreSQL when none runs. If it fails, a launched PostgreSQL is stopped. */
async function acquireLock(server: EmbeddedServer, options: LockOptions): Promise<pg.Client> {
  const attempt: { launched: LaunchedPostmaster | undefined } = { launched: undefined };
  try {
    return await waitForLock(server, options, attempt);
  } catch (error) {
    // A PostgreSQL that was already running, or whose lock another server holds, is not stopped.
    const { launched } = attempt;
    if (launched?.pid && !launched.has_ended && !(error instanceof FolderInUse))
      await stopPostmaster(server, launched.pid);
    throw error;
  }
}

async function waitForLock(
  server: EmbeddedServer,
  { may_start, isCancelled = () => false }: LockOptions,
  attempt: { launched: LaunchedPostmaster | undefined },
): Promise<pg.Client> {
  const { cluster } = server.folder;
  const began = performance.now();
  let failed_starts = 0;
  while (!isCancelled()) {
    const { client, problem } = await connect(server);
    if (client && (await tryLock(client, server))) return client;
    if (problem?.code === '28P01')
      throw new Error(`${server.folder.data_dir}/postgres.password is not the cluster's password`);

    if (attempt.launched?.problem) throw attempt.launched.problem;
    if (attempt.launched?.has_ended) {
      attempt.launched = undefined;
      failed_starts += 1;
      await sleep(Math.min(2_000, 100 * 2 ** failed_starts));
    } else if (!attempt.launched && !(await findPostmaster(cluster))) {
      if (!may_start || failed_starts === MAX_FAILED_STARTS) throw await startError(server);
      attempt.launched = await launch(server);
    }
    const ready_within_ms = isRecovering(problem) ? RECOVERED_WITHIN_MS : READY_WITHIN_MS;
    const deadline = began + (may_start ? ready_within_ms : STOP_WITHIN_MS);
    if (performance.now() > deadline) throw await startError(server, problem);
    await sleep(POLL_MS);
  }
  throw new Error('stopped');
}

function isRecovering(problem: Problem | undefined): boolean {
  return problem?.code === CANNOT_CONNECT_NOW && !problem.message.includes('shutting down');
}

async function launch({ folder, binaries, connection, workers }: EmbeddedServer): Promise<LaunchedPostmaster> {
  const { host } = connection;
  if (host.startsWith('/') && host !== folder.cluster) await makePrivate(host, folder.account);
  await clearStaleLocks(folder.cluster, connection);
  return launchPostmaster(folder, binaries, { ...connection, workers });
}

async function connect({ connection }: EmbeddedServer): Promise<{ client?: pg.Client; problem?: Problem }> {
  const client = new pg.Client({ ...connection, application_name: 'toolgate lock', connectionTimeoutMillis: 5_000 });
  // 'end' reports the loss of the connection; an 'error' without a listener would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return { client };
  } catch (error) {
    return { problem: error as Error };
  }
}

/** Returns false when the connection is lost meanwhile. Retries, since a server that was just killed may still hold the lock. */
async function tryLock(client: pg.Client, { folder }: EmbeddedServer): Promise<boolean> {
  const deadline = performance.now() + LOCK_WITHIN_MS;
  try {
    while (performance.now() < deadline) {
      const { rows } = await client.query(`select pg_try_advisory_lock(${LOCK}) as acquired`);
      if (rows[0].acquired) return true;
      await sleep(POLL_MS);
    }
  } catch {
    return false;
  }
  await client.end();
  throw new FolderInUse(folder.data_dir);
}

class FolderInUse extends Error {
  constructor(data_dir: string) {
    super(`another toolgate server is already using ${data_dir}; stop it first or set TOOLGATE_DATA_DIR`);
  }
}

async function stopPostmaster({ folder, binaries }: EmbeddedServer, pid: number): Promise<void> {
  for (const { signal, within_ms } of STOP_SIGNALS) {
    await signalPostmaster(pid, signal, binaries);
    const deadline = performance.now() + within_ms;
    while (performance.now() < deadline) {
      if (!(await isPostmaster(pid, folder.cluster))) return;
      await sleep(POLL_MS);
    }
  }
}

async function chooseAddress(folder: Folder): Promise<Address> {
  const running = await findPostmaster(folder.cluster);
  if (running?.address) return running.address;
  if (process.platform !== 'win32') return { host: socketFolder(folder), port: 5432 };

  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  await once(probe.close(), 'close');
  return { host: '127.0.0.1', port };
}

async function startError({ folder }: EmbeddedServer, problem?: Error): Promise<Error> {
  const log = await readFile(folder.log_file, 'utf8').catch(() => '');
  const reason = problem ? ` (${problem.message})` : '';
  const tail = log.trimEnd().split('\n').slice(-5).join('\n');
  return new Error(`the embedded PostgreSQL does not start${reason}; the end of ${folder.log_file}:\n${tail}`);
}
