// Two clusters of PostgreSQL and an operator who promotes the standby with pg_ctl, behind a list of hosts or behind HAProxy. A proxy
// before each can be cut off, and one more between the two.

import { chmodSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openHaproxy } from '../../server/test/support/database/haproxy.ts';
import {
  type Cluster,
  createPrimary,
  createStandby,
  follow,
} from '../../server/test/support/database/postgres-cluster.ts';
import { makeScratchFolder } from '../../server/test/support/scratch-folder.ts';
import { freePort } from '../../server/test/support/servers/free-port.ts';
import { openProxies } from '../proxies.ts';
import { compareServers, type Failure, runQuery, type Servers, untilOneWrites } from './servers.ts';

/** Nobody takes writes meanwhile, as long as an operator or a script needs at least. */
const PROMOTED_AFTER_MS = 2_500;

/** The clock of the second one is behind, where libfaketime is installed: the clock of the service must not go back with it. */
const [library] = globSync('/usr/lib/*/faketime/libfaketime.so.1');
const behind: Record<string, string> =
  library === undefined ? {} : { LD_PRELOAD: library, FAKETIME: '-1.5s', DONT_FAKE_MONOTONIC: '1' };

type Node = { data: string; port: number; cluster: Cluster };

export async function openPromoted({ is_synchronous = true, has_haproxy = false } = {}): Promise<Servers> {
  const folder = makeScratchFolder('toolgate-faults-failover-');
  chmodSync(folder, 0o755);
  const ports = [await freePort(), await freePort()] as const;
  // By place: of clients, then of replication.
  const targets = [...ports, ...ports].map((port) => ({ host: '127.0.0.1', port }));
  const proxies = await openProxies({ targets });
  const publicPort = (place: number) => proxies.ports[place] as number;
  const replicationPort = (place: number) => proxies.ports[place + 2] as number;
  const first = await createPrimary(join(folder, 'a'), ports[0]);
  const second = await createStandby(join(folder, 'b'), replicationPort(0), {
    port: ports[1],
    environment: behind,
  });
  const nodes: [Node, Node] = [
    { data: join(folder, 'a'), port: ports[0], cluster: first },
    { data: join(folder, 'b'), port: ports[1], cluster: second },
  ];
  process.once('exit', () => {
    // Also when the suite fails.
    for (const { cluster } of nodes) {
      try {
        cluster.signal('SIGKILL');
      } catch {} // it has ended
    }
  });
  await follow(first, is_synchronous);
  let primary = 0;
  const standby = () => 1 - primary;
  const of = (place: number) => nodes[place] as Node;
  const [a, b] = [{ port: publicPort(0) }, { port: publicPort(1) }];
  const haproxy = has_haproxy ? await openHaproxy([a, b], () => ({ port: publicPort(primary) })) : null;
  const hosts = haproxy ? `127.0.0.1:${haproxy.port}` : `127.0.0.1:${a.port},127.0.0.1:${b.port}`;
  const query = (text: string, values?: unknown[]) => runQuery(of(primary).port, 'toolgate', text, values);
  /** How far the primary that failed had written. */
  let written = '0/0';

  const causes: Record<Failure, () => Promise<void>> = {
    kill: () => of(primary).cluster.kill(),
    freeze: async () => of(primary).cluster.signal('SIGSTOP'),
    cut: () => proxies.act('freeze', [primary, primary + 2]),
    async demote() {
      await of(primary).cluster.query('alter system set default_transaction_read_only = on');
      await of(primary).cluster.query('select pg_reload_conf()');
    },
    switchover: () => of(primary).cluster.stop(),
  };

  return {
    url: () => `postgres://postgres@${hosts}/toolgate?target_session_attrs=read-write`,
    is_synchronous,
    query,
    holdBack: () => proxies.act('freeze', [primary + 2]),
    async fail(failure) {
      written = (await query('select pg_current_wal_flush_lsn() as lsn'))[0].lsn;
      await causes[failure]();
      if (failure !== 'switchover') await sleep(PROMOTED_AFTER_MS);
      const promoted = of(standby());
      await promoted.cluster.promote();
      await untilOneWrites([promoted.port]);
      primary = standby();
    },
    async findLoss(project_id) {
      const old = of(standby());
      const [{ history }] = await query(
        `select pg_read_file('pg_wal/' || max(name)) as history from pg_ls_dir('pg_wal') as name
         where name like '%.history'`,
      );
      const [, switched_at] = /^\d+\t(\S+)\t.*\n*$/.exec(history.trim().split('\n').at(-1)) ?? [];
      const [{ bytes }] = await query('select pg_wal_lsn_diff($1::pg_lsn, $2::pg_lsn)::float8 as bytes', [
        written,
        switched_at,
      ]);
      // Alone, at the end of its own log: nobody else connects to it any more.
      await proxies.act('freeze', [standby(), standby() + 2]);
      if ((await old.cluster.query('select 1').catch(() => null)) === null) await old.cluster.start();
      return { ...(await compareServers(old.port, of(primary).port, project_id)), bytes };
    },
    async repair() {
      const old = of(standby());
      await old.cluster.kill();
      rmSync(old.data, { recursive: true });
      await proxies.act('restore');
      const environment = old === nodes[1] ? behind : {};
      old.cluster = await createStandby(old.data, replicationPort(primary), { port: old.port, environment });
      await follow(of(primary).cluster, is_synchronous);
    },
    async remove() {
      await haproxy?.close();
      await proxies.close();
      for (const { cluster } of nodes) await cluster.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
