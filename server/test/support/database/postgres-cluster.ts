// Two real clusters of PostgreSQL for tests: a primary and a standby that follows it, made by pg_basebackup, with the programs of a
// PostgreSQL that is installed as Debian does. Without one the tests that need them are skipped, with a warning; with
// REQUIRE_POSTGRESQL=1, as in .ci/run, they fail.

import { execFile, spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { promisify } from 'node:util';
import pg from 'pg';
import { makeScratchFolder } from '../scratch-folder.ts';
import { freePort } from '../servers/free-port.ts';
import { waitUntil } from '../wait-until.ts';

const FOLDER = '/usr/lib/postgresql';
const versions = existsSync(FOLDER) ? readdirSync(FOLDER).sort((a, b) => Number(b) - Number(a)) : [];
/** Of its programs. */
export const postgresPrograms = versions
  .map((version) => join(FOLDER, version, 'bin'))
  .find((folder) => existsSync(join(folder, 'pg_basebackup')));

/** For the `skip` option of a test. */
export const withoutPostgreSQL = postgresPrograms === undefined && 'postgresql is not installed';
if (withoutPostgreSQL) {
  if (process.env.REQUIRE_POSTGRESQL === '1') throw new Error(withoutPostgreSQL);
  process.stderr.write(
    `\n!!! ${withoutPostgreSQL}: the tests of failover are SKIPPED (apt-get install postgresql)\n\n`,
  );
}

/** PostgreSQL refuses to run as root. */
const isRoot = process.getuid?.() === 0;
const idOf = (option: string) => Number(spawnSync('id', [option, 'postgres'], { encoding: 'utf8' }).stdout);
export const postgresAccount = isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {};

export type Cluster = {
  port: number;
  /** Of its database, without another server on the way. */
  url: string;
  query(text: string, values?: unknown[], database?: string): Promise<pg.QueryResult>;
  /** The server becomes the primary. */
  promote(): Promise<void>;
  /** To all its processes. */
  signal(signal: NodeJS.Signals): void;
  start(): Promise<void>;
  /** With SIGINT: its sessions end, and standbys get everything before. */
  stop(): Promise<void>;
  /** With SIGKILL. */
  kill(): Promise<void>;
};

/** Both have the database `toolgate`, of the user `postgres`. Removed after the tests. */
export async function startClusters({ is_synchronous = false } = {}): Promise<{ primary: Cluster; standby: Cluster }> {
  const folder = makeScratchFolder('toolgate-clusters-');
  chmodSync(folder, 0o755);
  const primary = await createPrimary(join(folder, 'a'));
  const standby = await createStandby(join(folder, 'b'), primary.port);
  after(async () => {
    for (const cluster of [primary, standby]) await cluster.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  await follow(primary, is_synchronous);
  return { primary, standby };
}

const STANDBY_NAME = 'toolgate_standby';

export async function createPrimary(data: string, port?: number): Promise<Cluster> {
  const primary = await openCluster(data, port, () =>
    run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'),
  );
  await primary.query('create database toolgate');
  return primary;
}

type StandbyOptions = { port?: number; environment?: Record<string, string> };

/** A copy of the primary at that port, which it follows. */
export function createStandby(data: string, primary_port: number, options: StandbyOptions = {}): Promise<Cluster> {
  const source = `host=127.0.0.1 port=${primary_port} user=postgres application_name=${STANDBY_NAME}`;
  const make = () => run('pg_basebackup', '-D', data, '-R', '-d', source, '--checkpoint=fast', '--no-sync');
  return openCluster(data, options.port, make, options.environment);
}

/** Until the standby follows. Synchronous: what the primary acknowledges is then on both. */
export async function follow(primary: Cluster, is_synchronous: boolean): Promise<void> {
  if (is_synchronous) {
    await primary.query(`alter system set synchronous_standby_names = '${STANDBY_NAME}'`);
    await primary.query('select pg_reload_conf()');
  }
  const isFollowing = async () => {
    const { rows } = await primary.query('select state, sync_state from pg_stat_replication');
    return rows[0]?.state === 'streaming' && (!is_synchronous || rows[0].sync_state === 'sync');
  };
  await waitUntil(isFollowing, 20_000, 'the standby follows');
}

async function openCluster(
  data: string,
  given: number | undefined,
  make: () => Promise<void>,
  environment: Record<string, string> = {},
): Promise<Cluster> {
  const port = given ?? (await freePort());
  mkdirSync(data, { mode: 0o700 });
  if (isRoot) chownSync(data, postgresAccount.uid as number, postgresAccount.gid as number);
  await make();
  const settings = [
    `port = ${port}`,
    `listen_addresses = '127.0.0.1'`,
    `unix_socket_directories = ''`,
    'max_connections = 200',
    'fsync = off',
    'wal_level = replica',
    'hot_standby = on',
  ];
  appendFileSync(join(data, 'postgresql.conf'), `\n${settings.join('\n')}\n`);
  const urlOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  /** Null if it does not run: the file of one that was killed names a process that may be another one by now. */
  function pidOf(): number | null {
    try {
      const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
      return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data) ? pid : null;
    } catch {
      return null;
    }
  }

  async function query(text: string, values: unknown[] = [], database = 'postgres'): Promise<pg.QueryResult> {
    const client = new pg.Client({ connectionString: urlOf(database), connectionTimeoutMillis: 5_000 });
    client.on('error', () => {});
    await client.connect();
    try {
      return await client.query(text, values);
    } finally {
      await client.end();
    }
  }

  async function start(): Promise<void> {
    const program = join(postgresPrograms as string, 'postgres');
    const env = { ...process.env, ...environment };
    spawn(program, ['-D', data], { stdio: 'ignore', cwd: data, env, ...postgresAccount }).unref();
    await waitUntil(async () => (await query('select 1')).rowCount === 1, 20_000, 'PostgreSQL responds');
  }

  function signal(name: NodeJS.Signals): void {
    const pid = pidOf();
    if (pid === null) return;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
    for (const each of [pid, ...children]) {
      try {
        process.kill(each, name);
      } catch {
        // It has ended.
      }
    }
  }

  const untilEnded = () => waitUntil(async () => pidOf() === null, 20_000, 'PostgreSQL has ended');

  await start();
  return {
    port,
    url: urlOf('toolgate'),
    query,
    promote: () => run('pg_ctl', '-D', data, '-w', 'promote'),
    signal,
    start,
    stop() {
      const pid = pidOf();
      if (pid !== null) process.kill(pid, 'SIGINT');
      return untilEnded();
    },
    kill() {
      signal('SIGKILL');
      return untilEnded();
    },
  };
}

async function run(program: string, ...args: string[]): Promise<void> {
  await promisify(execFile)(join(postgresPrograms as string, program), args, { cwd: '/', ...postgresAccount });
}
