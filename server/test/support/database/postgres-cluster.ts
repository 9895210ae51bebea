// Two real clusters of PostgreSQL for tests: a primary and a standby that follows it, made by pg_basebackup, with the programs of a
// PostgreSQL that is installed as Debian does. Without one the tests that need them are skipped, with a warning; with
// REQUIRE_POSTGRESQL=1, as in .ci/run, they fail.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import pg from 'pg';
import { makeScratchFolder } from '../scratch-folder.ts';
import { freePort } from '../servers/free-port.ts';
import { waitUntil } from '../wait-until.ts';

const FOLDER = '/usr/lib/postgresql';
const versions = existsSync(FOLDER) ? readdirSync(FOLDER).sort((a, b) => Number(b) - Number(a)) : [];
const bin = versions
  .map((version) => join(FOLDER, version, 'bin'))
  .find((folder) => existsSync(join(folder, 'pg_basebackup')));

/** For the `skip` option of a test. */
export const withoutPostgreSQL = bin === undefined && 'postgresql is not installed';
if (withoutPostgreSQL) {
  if (process.env.REQUIRE_POSTGRESQL === '1') throw new Error(withoutPostgreSQL);
  process.stderr.write(
    `\n!!! ${withoutPostgreSQL}: the tests of failover are SKIPPED (apt-get install postgresql)\n\n`,
  );
}

/** PostgreSQL refuses to run as root. */
const isRoot = process.getuid?.() === 0;
const idOf = (option: string) => Number(spawnSync('id', [option, 'postgres'], { encoding: 'utf8' }).stdout);
const account = isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {};

export type Cluster = {
  port: number;
  /** Of its database, without another server on the way. */
  url: string;
  query(text: string): Promise<pg.QueryResult>;
  /** The server becomes the primary. */
  promote(): Promise<void>;
  /** To all its processes. */
  signal(signal: NodeJS.Signals): void;
  start(): Promise<void>;
  /** With SIGKILL. */
  kill(): Promise<void>;
};

/** Both have the database `toolgate`, of the user `postgres`. Removed after the tests. */
export async function startClusters({ is_synchronous = false } = {}): Promise<{ primary: Cluster; standby: Cluster }> {
  const folder = makeScratchFolder('toolgate-clusters-');
  chmodSync(folder, 0o755);
  const primary = await openCluster(join(folder, 'a'), (data) =>
    run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'),
  );
  const standby_name = 'toolgate_standby';
  await primary.query('create database toolgate');
  const standby = await openCluster(join(folder, 'b'), (data) => {
    const source = `host=127.0.0.1 port=${primary.port} user=postgres application_name=${standby_name}`;
    run('pg_basebackup', '-D', data, '-R', '-d', source, '--checkpoint=fast', '--no-sync');
  });
  if (is_synchronous) {
    await primary.query(`alter system set synchronous_standby_names = '${standby_name}'`);
    await primary.query('select pg_reload_conf()');
  }
  const isFollowing = async () => {
    const { rows } = await primary.query('select state, sync_state from pg_stat_replication');
    return rows[0]?.state === 'streaming' && (!is_synchronous || rows[0].sync_state === 'sync');
  };
  await waitUntil(isFollowing, 20_000, 'the standby follows');
  after(async () => {
    for (const cluster of [primary, standby]) await cluster.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  return { primary, standby };
}

async function openCluster(data: string, make: (data: string) => void): Promise<Cluster> {
  const port = await freePort();
  mkdirSync(data, { mode: 0o700 });
  if (isRoot) chownSync(data, account.uid as number, account.gid as number);
  make(data);
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
  const pidOf = () => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);

  async function query(text: string): Promise<pg.QueryResult> {
    const client = new pg.Client(urlOf('postgres'));
    client.on('error', () => {});
    await client.connect();
    try {
      return await client.query(text);
    } finally {
      await client.end();
    }
  }

  async function start(): Promise<void> {
    spawn(join(bin as string, 'postgres'), ['-D', data], { stdio: 'ignore', cwd: data, ...account }).unref();
    await waitUntil(async () => (await query('select 1')).rowCount === 1, 20_000, 'PostgreSQL responds');
  }

  function signal(name: NodeJS.Signals): void {
    const pid = pidOf();
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
    for (const each of [pid, ...children]) {
      try {
        process.kill(each, name);
      } catch {
        // It has ended.
      }
    }
  }

  async function kill(): Promise<void> {
    if (!existsSync(join(data, 'postmaster.pid'))) return;
    const pid = pidOf();
    if (!existsSync(`/proc/${pid}`)) return;
    signal('SIGKILL');
    await waitUntil(async () => !isRunning(pid), 10_000, 'PostgreSQL has ended');
  }

  await start();
  return {
    port,
    url: urlOf('toolgate'),
    query,
    promote: async () => void (await query('select pg_promote()')),
    signal,
    start,
    kill,
  };
}

/** A process that nobody has waited for still has a folder. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function run(program: string, ...args: string[]): void {
  execFileSync(join(bin as string, program), args, { stdio: ['ignore', 'ignore', 'inherit'], cwd: '/', ...account });
}

const haproxy = ['haproxy', '/usr/sbin/haproxy'].find((name) => spawnSync(name, ['-v']).status === 0);

/** For the `skip` option of a test. */
export const withoutHaproxy = haproxy === undefined && 'haproxy is not installed';
if (withoutHaproxy) {
  if (process.env.REQUIRE_HAPROXY === '1') throw new Error(withoutHaproxy);
  process.stderr.write(`\n!!! ${withoutHaproxy}: some tests of failover are SKIPPED (apt-get install haproxy)\n\n`);
}

/**
 * HAProxy in front of the clusters, as Patroni's documentation sets it up, except that open sessions are kept: what `primary` returns
 * decides where new connections lead to. Ends after the tests. Returns its port.
 */
export async function startHaproxy(clusters: Cluster[], primary: () => Cluster | null): Promise<number> {
  const { createServer } = await import('node:http');
  const [port, check] = [await freePort(), await freePort()];
  const health = createServer((request, response) => {
    response.statusCode = request.url === `/${primary()?.port}` ? 200 : 503;
    response.end();
  }).listen(check, '127.0.0.1');
  await once(health, 'listening');
  // Each server is asked for by its own port.
  const backends = clusters.map(
    (cluster) => `backend b${cluster.port}
  option httpchk GET /${cluster.port}
  server s 127.0.0.1:${cluster.port} check port ${check} inter 100ms fall 1 rise 1`,
  );
  const uses = clusters.map((cluster) => `  use_backend b${cluster.port} if { nbsrv(b${cluster.port}) gt 0 }`);
  const folder = makeScratchFolder('toolgate-haproxy-');
  const file = join(folder, 'haproxy.cfg');
  appendFileSync(
    file,
    `defaults
  mode tcp
  timeout connect 1s
  timeout check 10s
  timeout client 1h
  timeout server 1h
frontend f
  bind 127.0.0.1:${port}
${uses.join('\n')}
${backends.join('\n')}
`,
  );
  const child = spawn(haproxy as string, ['-f', file, '-db'], { stdio: 'ignore' });
  after(() => {
    child.kill('SIGKILL');
    health.close();
    health.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });
  const client = () => new pg.Client(`postgres://postgres@127.0.0.1:${port}/postgres`);
  const responds = async () => {
    const one = client();
    one.on('error', () => {});
    await one.connect();
    await one.end();
    return true;
  };
  await waitUntil(responds, 10_000, 'HAProxy leads to the primary');
  return port;
}
