// What a scenario runs on: a PostgreSQL, Redis if it is installed, three replicas that each reach the database through a proxy of
// their own, and customers' APIs. Started once for several scenarios; each makes its own project.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRedis, type RedisServer, withoutRedis } from '../server/test/support/database/redis-server.ts';
import {
  type Customer,
  startCustomer,
  startSilentPort,
  testAuthority,
} from '../server/test/support/peers/fake-customer.ts';
import { type McpUpstream, startMcpUpstream } from '../server/test/support/peers/mcp-upstream.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../server/test/support/peers/openid-provider.ts';
import { freePort } from '../server/test/support/servers/free-port.ts';
import { type Client, createClient } from './client.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createPostgres, type Postgres } from './postgres.ts';
import { openProxies, type Proxies } from './proxies.ts';
import { createReplica, type Replica, type ReplicaOptions, watchReadiness } from './replica.ts';

export const ROOT_KEY = 'root-key-of-the-fault-suite-0123456789-abcdef';
export const MASTER_KEY = `f1:${Buffer.alloc(32, 9).toString('base64')}`;
const REPLICAS = ['a', 'b', 'c'];
/** What the connection sends that receives notifications of changes. */
const NOTIFICATIONS = 'listen toolgate_changes';

export type Upstreams = {
  good: Customer;
  untrusted: Customer;
  /** MCP servers of the revisions with sessions; scenarios break the bad one. */
  mcp: { good: McpUpstream; bad: McpUpstream };
  /** Accepts connections and never sends a byte. */
  silent: { port: number; close(): Promise<void> };
  /** Nothing listens there. */
  closed_port: number;
};

export type Stage = {
  postgres: Postgres;
  redis: RedisServer | null;
  replicas: Replica[];
  /** Between the replicas and PostgreSQL. */
  proxies: Proxies;
  upstreams: Upstreams;
  /** Where members sign in. */
  openid: OpenIdProvider;
  /** Another replica on the same database, not started. */
  addReplica(
    options: Omit<ReplicaOptions, 'environment' | 'port'> & { environment?: Record<string, string> },
  ): Promise<Replica>;
  close(): Promise<void>;
};

/** What of PostgreSQL every scenario uses. */
type Database = Pick<Postgres, 'url' | 'query' | 'remove'>;

export type StageOptions = {
  postgres?: Postgres;
  /** Instead of one PostgreSQL: the replicas use its URL, without a proxy. */
  servers?: Database;
  with_redis?: boolean;
  /** Instead of one Redis. */
  redis_url?: string;
};

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const { servers, redis_url, with_redis = redis_url === undefined } = options;
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-faults-replicas-'));
  const postgres = servers ? { ...withoutServer, ...servers } : (options.postgres ?? (await createPostgres()));
  const redis = with_redis && !withoutRedis ? await openRedis() : null;
  const counts_at = redis_url ?? redis?.url;
  process.once('exit', () => redis?.signal('SIGKILL')); // also when the suite fails
  const upstreams = await startUpstreams();
  const openid = await startOpenIdProvider();
  // One public address for all replicas, as behind a load balancer.
  const ports = await Promise.all(REPLICAS.map(() => freePort()));
  const authority_file = join(folder, 'authority.pem');
  writeFileSync(authority_file, testAuthority.certificate);

  const environmentOf = (name: string, port: number): Record<string, string> => ({
    DATABASE_URL: postgres.url(port),
    ...(counts_at === undefined ? {} : { REDIS_URL: counts_at }),
    // One process a replica, so that a signal to it is a signal to the worker.
    TOOLGATE_WORKERS: '1',
    // Longer than the default, so that a busy machine is not taken for an outage of Redis.
    TOOLGATE_REDIS_TIMEOUT_MS: '500',
    TOOLGATE_PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
    TOOLGATE_ROOT_KEY: ROOT_KEY,
    TOOLGATE_MASTER_KEYS: MASTER_KEY,
    TOOLGATE_DATA_DIR: join(folder, name),
    TOOLGATE_EGRESS_ALLOW: [openid.address, ...allowedAddresses(upstreams)].join(','),
    TOOLGATE_DASHBOARD: 'off',
    TOOLGATE_LOG_LEVEL: 'warn',
    NODE_EXTRA_CA_CERTS: authority_file,
  });
  const target = { host: '127.0.0.1', port: postgres.port };
  const targets = servers ? [] : REPLICAS.map(() => target);
  const proxies = await openProxies({ targets, marker: NOTIFICATIONS });
  const replicas = REPLICAS.map((name, index) =>
    createReplica({
      name,
      port: ports[index] as number,
      environment: environmentOf(name, proxies.ports[index] ?? postgres.port),
    }),
  );
  // All at once, on an empty database: one of them migrates it.
  await Promise.all(replicas.map((replica) => replica.start()));
  const readiness = watchReadiness(replicas);
  const added: Replica[] = [];

  return {
    postgres,
    redis,
    replicas,
    proxies,
    upstreams,
    openid,
    async addReplica({ name, environment, ...options }) {
      const all = { ...environmentOf(name, postgres.port), ...environment };
      const replica = createReplica({ name, port: await freePort(), environment: all, ...options });
      added.push(replica);
      return replica;
    },
    async close() {
      readiness.stop();
      await Promise.all([...replicas, ...added].map((replica) => replica.stop('SIGKILL')));
      await proxies.close();
      await Promise.all([
        upstreams.good.close(),
        upstreams.untrusted.close(),
        upstreams.silent.close(),
        upstreams.mcp.good.close(),
        upstreams.mcp.bad.close(),
        openid.close(),
      ]);
      await redis?.remove();
      await postgres.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const notOne = () => Promise.reject(new Error('this stage has several servers of PostgreSQL'));
const withoutServer: Omit<Postgres, keyof Database> = {
  port: 0,
  start: notOne,
  stop: notOne,
  isRunning: () => true,
};

async function startUpstreams(): Promise<Upstreams> {
  const [mcp_good, mcp_bad, good, untrusted, silent, closed_port] = await Promise.all([
    startMcpUpstream('legacy'),
    startMcpUpstream('legacy'),
    startCustomer(),
    startCustomer({ trusted: false }),
    startSilentPort(),
    freePort(),
  ]);
  return { good, untrusted, silent, closed_port, mcp: { good: mcp_good, bad: mcp_bad } };
}

const allowedAddresses = ({ good, untrusted, silent, closed_port, mcp }: Upstreams) => [
  mcp.good.address,
  mcp.bad.address,
  good.address,
  untrusted.address,
  `127.0.0.1:${silent.port}`,
  `127.0.0.1:${closed_port}`,
];

/** A ledger and a client that writes to it. */
export function openLedger(replicas: readonly Replica[]): { ledger: Ledger; client: Client } {
  const ledger = createLedger();
  return { ledger, client: createClient(replicas, ledger) };
}
