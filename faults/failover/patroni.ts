// Patroni with two nodes, etcd and HAProxy, set up as its documentation does, with shorter times. Proxies before the servers, the REST
// API and etcd can be cut off for each node.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { runHaproxy } from '../../server/test/support/database/haproxy.ts';
import { postgresAccount, postgresPrograms } from '../../server/test/support/database/postgres-cluster.ts';
import { makeScratchFolder } from '../../server/test/support/scratch-folder.ts';
import { freePort } from '../../server/test/support/servers/free-port.ts';
import { waitUntil } from '../../server/test/support/wait-until.ts';
import { openProxies } from '../proxies.ts';
import { type Failure, runQuery, type Servers, untilOneWrites } from './servers.ts';

const missing = [
  ['patroni', '--version'],
  ['etcd', '--version'],
].find(([program = '', flag = '']) => spawnSync(program, [flag]).status !== 0);
export const withoutPatroni = missing !== undefined && `${missing[0]} is not installed`;

const READY_WITHIN_MS = 60_000;
/** A node that is gone for so long loses its role. The default is 30 s. */
const TTL_SECONDS = 5;

const ports = async (count: number) => Promise.all(Array.from({ length: count }, () => freePort()));

type Node = {
  name: string;
  /** Of PostgreSQL, the REST API, and its way to etcd: without proxies, and behind them. */
  port: number;
  api: number;
  public_port: number;
  public_api: number;
  public_etcd: number;
  /** The places of its proxies. */
  places: number[];
  folder: string;
  child: ChildProcess | null;
};

export async function openPatroni(): Promise<Servers> {
  const folder = makeScratchFolder('toolgate-faults-patroni-');
  chmodSync(folder, 0o755);
  const etcd = await startEtcd(folder);
  const nodes = await makeNodes(folder, etcd.port);
  const { proxies } = nodes;
  const [first, second] = nodes.all as [Node, Node];
  let primary = first;
  let caused: Promise<unknown> = Promise.resolve();
  let failed: Failure | null = null;
  const standby = () => (primary === first ? second : first);
  const query = (text: string, values?: unknown[]) => runQuery(primary.port, 'toolgate', text, values);
  process.once('exit', () => {
    for (const node of nodes.all) signalNode(node, 'SIGKILL'); // also when the suite fails
  });
  startNode(first);
  await waitUntil(() => isPrimary(first), READY_WITHIN_MS, 'Patroni has a primary');
  startNode(second);
  await untilSynchronous(first);
  await runQuery(first.port, 'postgres', 'create database toolgate');
  const haproxy = await runHaproxy(haproxyOf(nodes.all));
  await waitUntil(
    async () => (await runQuery(haproxy.port, 'toolgate', 'select 1')).length === 1,
    20_000,
    'HAProxy leads there',
  );

  const causes: Record<Failure, () => Promise<unknown>> = {
    // The machine is gone: of PostgreSQL alone, Patroni would start it again.
    kill: async () => signalNode(primary, 'SIGKILL'),
    freeze: async () => signalNode(primary, 'SIGSTOP'),
    cut: () => proxies.act('freeze', primary.places),
    // Without etcd it cannot know that it is the only primary: Patroni makes it read-only.
    demote: () => proxies.act('freeze', primary.places.slice(-1)),
    switchover: () =>
      fetch(`http://127.0.0.1:${primary.api}/switchover`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ leader: primary.name, candidate: standby().name }),
      }),
  };

  return {
    url: () => `postgres://postgres@127.0.0.1:${haproxy.port}/toolgate`,
    is_synchronous: true,
    query,
    async fail(failure) {
      const next = standby();
      // The response to a switchover may come after the new primary's first write.
      failed = failure;
      caused = causes[failure]();
      await untilOneWrites([next.port]);
      primary = next;
    },
    holdBack: () => Promise.reject(new Error('it is synchronous')),
    findLoss: () => Promise.reject(new Error('it is synchronous')),
    async repair() {
      const old = standby();
      await caused;
      await proxies.act('restore');
      // Whoever finds a machine that is frozen starts it again.
      if (failed === 'freeze') await killNode(old);
      if (!hasChild(old)) startNode(old);
      await untilSynchronous(primary);
    },
    async remove() {
      await haproxy.close();
      await proxies.close();
      for (const node of nodes.all) await killNode(node);
      await etcd.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startEtcd(folder: string) {
  const [port = 0, peers = 0] = await ports(2);
  const urls = (name: string, value: number) => [
    `--listen-${name}-urls=http://127.0.0.1:${value}`,
    `--${name === 'peer' ? 'initial-advertise-peer' : 'advertise-client'}-urls=http://127.0.0.1:${value}`,
  ];
  const flags = [`--data-dir=${join(folder, 'etcd')}`, ...urls('client', port), ...urls('peer', peers)];
  const cluster = `--initial-cluster=default=http://127.0.0.1:${peers}`;
  const child = spawn('etcd', [...flags, cluster], { stdio: 'ignore' });
  process.once('exit', () => child.kill('SIGKILL')); // also when the suite fails
  const isHealthy = async () => (await fetch(`http://127.0.0.1:${port}/health`)).ok;
  await waitUntil(isHealthy, 20_000, 'etcd is healthy');
  return {
    port,
    async stop() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

async function makeNodes(folder: string, etcd_port: number) {
  const names = ['a', 'b'];
  const own = await Promise.all(names.map(() => ports(2)));
  const targets = own.flatMap(([port, api]) =>
    [port, api, etcd_port].map((target) => ({ host: '127.0.0.1', port: target as number })),
  );
  const proxies = await openProxies({ targets });
  const all = names.map((name, i): Node => {
    const [port = 0, api = 0] = own[i] ?? [];
    const places = [0, 1, 2].map((place) => i * 3 + place);
    const [public_port = 0, public_api = 0, public_etcd = 0] = places.map((place) => proxies.ports[place]);
    const node = {
      name,
      port,
      api,
      public_port,
      public_api,
      public_etcd,
      places,
      folder: join(folder, name),
      child: null,
    };
    mkdirSync(node.folder, { mode: 0o700 });
    const { uid, gid } = postgresAccount;
    if (uid !== undefined && gid !== undefined) chownSync(node.folder, uid, gid);
    // JSON is YAML.
    writeFileSync(join(folder, `${name}.yml`), JSON.stringify(configurationOf(node)));
    return node;
  });
  return { all, proxies };
}

const configurationOf = (node: Node) => ({
  scope: 'toolgate',
  name: node.name,
  restapi: { listen: `127.0.0.1:${node.api}`, connect_address: `127.0.0.1:${node.public_api}` },
  etcd3: { hosts: `127.0.0.1:${node.public_etcd}`, use_proxies: true },
  bootstrap: {
    dcs: {
      ttl: TTL_SECONDS,
      loop_wait: 1,
      retry_timeout: 2,
      synchronous_mode: true,
      master_start_timeout: 0,
      postgresql: {
        use_pg_rewind: true,
        parameters: { max_connections: 200, fsync: 'off', wal_log_hints: 'on', wal_keep_size: '256MB' },
      },
    },
    initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'no-sync'],
  },
  postgresql: {
    listen: `127.0.0.1:${node.port}`,
    connect_address: `127.0.0.1:${node.public_port}`,
    data_dir: join(node.folder, 'data'),
    bin_dir: postgresPrograms,
    pgpass: join(node.folder, 'pgpass'),
    remove_data_directory_on_rewind_failure: true,
    remove_data_directory_on_diverged_timelines: true,
    authentication: {
      superuser: { username: 'postgres', password: 'unused' },
      replication: { username: 'replicator', password: 'unused' },
    },
    pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    parameters: { unix_socket_directories: node.folder },
  },
});

const haproxyOf = (nodes: Node[]) => `  default_backend primary
backend primary
  timeout check 1s
  option httpchk
  http-check send meth OPTIONS uri /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, public_port, public_api }) => `  server ${name} 127.0.0.1:${public_port} check port ${public_api}`).join('\n')}`;

function startNode(node: Node): void {
  const log = openSync(join(node.folder, 'patroni.log'), 'a');
  const environment = { PATH: process.env.PATH ?? '', LC_ALL: 'C', HOME: node.folder };
  const { folder } = node;
  node.child = spawn('patroni', [`${folder}.yml`], {
    stdio: ['ignore', log, log],
    env: environment,
    cwd: '/',
    ...postgresAccount,
  });
  closeSync(log);
}

const hasChild = ({ child }: Node) => child !== null && child.exitCode === null && child.signalCode === null;

async function killNode(node: Node): Promise<void> {
  const ended = hasChild(node) ? once(node.child as ChildProcess, 'exit') : null;
  signalNode(node, 'SIGKILL');
  await ended;
}

/** To Patroni and every process of its PostgreSQL. */
function signalNode(node: Node, signal: NodeJS.Signals): void {
  const postmaster = findPostmaster(join(node.folder, 'data'));
  const pids = [...(hasChild(node) ? [node.child?.pid as number] : []), ...(postmaster === null ? [] : [postmaster])];
  for (const pid of pids.flatMap((each) => [each, ...childrenOf(each)])) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended.
    }
  }
}

/** The file of one that was killed names a process that may be another one by now. */
function findPostmaster(data: string): number | null {
  const pid = Number(readIfExists(join(data, 'postmaster.pid')).split('\n')[0]);
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data) ? pid : null;
  } catch {
    return null;
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readIfExists(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return []; // it has ended
  }
}

function readIfExists(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const isPrimary = async ({ api }: Node) => (await fetch(`http://127.0.0.1:${api}/primary`)).ok;

/** The standby follows it, and what it acknowledges is on both. */
const untilSynchronous = (node: Node) =>
  waitUntil(
    async () => {
      const rows = await runQuery(
        node.port,
        'postgres',
        `select sync_state from pg_stat_replication where state = 'streaming'`,
      );
      return (await isPrimary(node)) && rows.some(({ sync_state }) => sync_state === 'sync');
    },
    READY_WITHIN_MS,
    'the standby of Patroni is synchronous',
  );
