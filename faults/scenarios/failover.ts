// Failovers of PostgreSQL under load: every way in which a primary fails, in every arrangement. Those of one arrangement share a stage.

import { withoutHaproxy } from '../../server/test/support/database/haproxy.ts';
import { withoutPostgreSQL } from '../../server/test/support/database/postgres-cluster.ts';
import { failOver } from '../failover/fail-over.ts';
import { openPatroni, withoutPatroni } from '../failover/patroni.ts';
import { openPromoted } from '../failover/promoted.ts';
import { type Failure, failures, type Servers } from '../failover/servers.ts';
import type { Scenario } from '../scenario.ts';
import { openStage } from '../stage.ts';

const SECONDS = 6;

const titles: Record<Failure, string> = {
  kill: 'killed (SIGKILL)',
  freeze: 'frozen (SIGSTOP)',
  cut: 'cut off',
  demote: 'demoted to read-only',
  switchover: 'planned switchover',
};

type Arrangement = {
  name: string;
  title: string;
  skip: string | false;
  openServers: () => Promise<Servers>;
  /** Without one, PostgreSQL counts the limits. */
  with_redis: boolean;
  causes: readonly Failure[];
};

const arrangements: readonly Arrangement[] = [
  {
    name: 'hosts',
    title: 'pg_ctl promote, list of hosts',
    skip: withoutPostgreSQL,
    openServers: () => openPromoted(),
    with_redis: false,
    causes: failures,
  },
  {
    name: 'haproxy',
    title: 'pg_ctl promote, HAProxy',
    skip: withoutPostgreSQL || withoutHaproxy,
    openServers: () => openPromoted({ has_haproxy: true }),
    with_redis: true,
    causes: failures,
  },
  {
    name: 'patroni',
    title: 'Patroni, etcd, HAProxy',
    skip: withoutPostgreSQL || withoutHaproxy || withoutPatroni,
    openServers: openPatroni,
    with_redis: true,
    causes: failures,
  },
  {
    name: 'asynchronous',
    title: 'asynchronous, list of hosts',
    skip: withoutPostgreSQL,
    openServers: () => openPromoted({ is_synchronous: false }),
    with_redis: true,
    causes: ['kill', 'cut'],
  },
];

function scenariosOf({ name, title, skip, openServers, with_redis, causes }: Arrangement): Scenario[] {
  let servers: Servers;
  const open = async () => {
    servers = await openServers();
    return openStage({ servers, with_redis });
  };
  return causes.map((failure) => ({
    name: `failover-${name}-${failure}`,
    title: `${title}: ${titles[failure]}`,
    seconds: SECONDS,
    group: 'failover',
    skip,
    open,
    run: (stage, { seconds }) => failOver(stage, { servers, failure, seconds }),
  }));
}

export const failovers: readonly Scenario[] = arrangements.flatMap(scenariosOf);
